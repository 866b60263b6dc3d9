// Permission checks as in Linux: permission bits, owners, groups and sticky directories. Without a user, no permissions are
// checked and new files have no owner.

import { basename, childPath, dirname, isInside, pathNames, rootPath, type VfsPath } from '../../../core/path.ts'
import type { Attributes, Stat } from '../../backend.ts'
import { statIfAny } from '../../derived/exists.ts'
import { maxSymlinkHops } from '../../link-target.ts'
import { call, type Primitives, type Steps } from '../../steps.ts'
import { isVfsError, VfsError } from '../../error.ts'

/** The user as which programs run. */
export interface User {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

type Owned = Pick<Stat, 'kind' | 'mode' | 'uid' | 'gid'>

/** Bits of a permission, as in `access`. */
export const mayRead = 4
export const mayWrite = 2
const mayExecute = 1

const setUserId = 0o4000
const setGroupId = 0o2000
const sticky = 0o1000
const groupExecutes = 0o010

export function isMember(user: User, gid: number): boolean {
  return user.gid === gid || user.groups.includes(gid)
}

export function isOwner(user: User, { uid = 0 }: Pick<Stat, 'uid'>): boolean {
  return user.uid === 0 || user.uid === uid
}

/** Whether `user` has all of `bits`. Root may do everything but execute a file that has no execute bit. */
export function isAllowed(user: User, { kind, mode, uid = 0, gid = 0 }: Owned, bits: number): boolean {
  if (user.uid === 0) return (bits & mayExecute) === 0 || kind === 'directory' || (mode & 0o111) !== 0
  const shift = user.uid === uid ? 6 : isMember(user, gid) ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

/**
 * The mode of a file after `user` changed its owner or its content: it no longer runs with somebody's rights. The group's bit of a file
 * that the group may not execute stays for root and for members of the group.
 */
export function withoutSetId(user: User | undefined, { mode, gid = 0 }: Pick<Stat, 'mode' | 'gid'>): number {
  const isGroupKept = (mode & groupExecutes) === 0 && (user === undefined || user.uid === 0 || isMember(user, gid))
  return mode & ~(setUserId | (isGroupKept ? 0 : setGroupId))
}

/** The mode that `chmod` stores: only a member of a file's group may let it run with the group's rights. */
export function storedMode(user: User, { gid = 0 }: Pick<Stat, 'gid'>, mode: number): number {
  return user.uid === 0 || isMember(user, gid) ? mode : mode & ~setGroupId
}

/** The owner, group and mode of an entry that `user` creates in `parent`. */
export function factsOfNew(
  user: User,
  parent: Pick<Stat, 'mode' | 'gid'>,
  kind: Stat['kind'],
  mode: number,
): Required<Pick<Attributes, 'uid' | 'gid' | 'mode'>> {
  const isInherited = (parent.mode & setGroupId) !== 0
  const gid = isInherited ? (parent.gid ?? 0) : user.gid
  const wanted = kind === 'directory' ? mode | (isInherited ? setGroupId : 0) : storedMode(user, { gid }, mode)
  return { uid: user.uid, gid, mode: wanted }
}

function denied(code: 'EACCES' | 'EPERM', syscall: string, path: string): VfsError {
  return new VfsError(code, syscall, { path })
}

/** The checks before an operation. Each throws EACCES or EPERM, and leaves every other failure to the operation itself. */
export class Rights {
  readonly #on: Primitives
  /** `undefined` if nothing is checked. */
  readonly user: User | undefined

  constructor(on: Primitives, user: User | undefined) {
    this.#on = on
    this.user = user
  }

  /** Every directory on the way to `path` must allow searching. `isFollowed`: a symlink as the last name is followed. */
  *search(path: VfsPath, isFollowed: boolean, syscall: string): Steps<void> {
    const { user } = this
    if (user === undefined || user.uid === 0) return
    let here = rootPath
    let directory: Owned = yield* call(this.#on, 'lookup', here)
    const pending = pathNames(path).toReversed()
    let hops = 0
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (!isAllowed(user, directory, mayExecute)) throw denied('EACCES', syscall, path)
      if (name === '' || name === '.') continue
      if (name === '..') {
        here = dirname(here)
        directory = yield* call(this.#on, 'lookup', here)
        continue
      }
      const child = childPath(here, name)
      const stat = yield* statIfAny(this.#on, child, { follow: false })
      if (stat?.kind === 'symlink' && (pending.length > 0 || isFollowed)) {
        if (++hops > maxSymlinkHops) return
        const target = yield* call(this.#on, 'readlink', child)
        if (target.startsWith('/')) {
          here = rootPath
          directory = yield* call(this.#on, 'lookup', here)
        }
        pending.push(...target.split('/').toReversed())
        continue
      }
      if (stat?.kind !== 'directory') return
      here = child
      directory = stat
    }
  }

  /** The node at `path` must allow `bits`. */
  *use(path: VfsPath, stat: Stat, bits: number, syscall: string): Steps<void> {
    if (this.user !== undefined && !isAllowed(this.user, stat, bits)) throw denied('EACCES', syscall, path)
    yield* []
  }

  /** The entries of the directory `path` are to be read. */
  *list(path: VfsPath, syscall: string): Steps<void> {
    if (this.user === undefined || this.user.uid === 0) return
    yield* this.search(path, true, syscall)
    const stat = yield* call(this.#on, 'lookup', path)
    if (stat.kind === 'directory') yield* this.use(path, stat, mayRead, syscall)
  }

  /** Whether every directory on the way to `path` allows searching. */
  *isReachable(path: VfsPath): Steps<boolean> {
    try {
      yield* this.search(path, true, 'stat')
      return true
    } catch (error) {
      if (isVfsError(error, 'EACCES')) return false
      throw error
    }
  }

  /** `path` is used as a directory on the way: if it is one, it must allow searching. */
  *enter(path: VfsPath, syscall: string): Steps<void> {
    if (this.user === undefined) return
    const stat = yield* statIfAny(this.#on, path)
    if (stat?.kind === 'directory') yield* this.use(path, stat, mayExecute, syscall)
  }

  /** `path` is to be created: its parent directory must be writable. Returns the parent. */
  *create(path: VfsPath, syscall: string): Steps<Stat | undefined> {
    if (this.user === undefined) return undefined
    const parent = yield* statIfAny(this.#on, dirname(path))
    if (parent?.kind !== 'directory') return undefined
    if (!isAllowed(this.user, parent, mayWrite | mayExecute)) throw denied('EACCES', syscall, path)
    return parent
  }

  /** The name `path` of `stat` is to be removed or replaced. */
  *remove(path: VfsPath, stat: Stat, syscall: string): Steps<void> {
    const parent = yield* this.create(path, syscall)
    if (parent === undefined || this.user === undefined || (parent.mode & sticky) === 0) return
    if (!isOwner(this.user, stat) && !isOwner(this.user, parent)) throw denied('EPERM', syscall, path)
  }

  /** The tree at `path` is to be removed. Stops at the first name that may not be removed. */
  *removeAll(path: VfsPath, stat: Stat, syscall: string): Steps<void> {
    const { user } = this
    if (user === undefined || user.uid === 0) return
    yield* this.remove(path, stat, syscall)
    if (stat.kind !== 'directory') return
    const entries = yield* call(this.#on, 'list', path)
    // An empty directory is removed without being read.
    if (entries.length > 0 && !isAllowed(user, stat, mayRead | mayExecute)) throw denied('EACCES', syscall, path)
    for (const { name } of entries) {
      const child = childPath(path, name)
      yield* this.removeAll(child, yield* call(this.#on, 'lookup', child, { follow: false }), syscall)
    }
  }

  /** The user must be allowed to look up names in `parent`, and it must be a directory. */
  *searchParent(parent: VfsPath, syscall: string): Steps<void> {
    if (this.user === undefined) return
    yield* this.search(parent, true, syscall)
    const stat = yield* call(this.#on, 'lookup', parent)
    if (stat.kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path: parent })
    yield* this.use(parent, stat, mayExecute, syscall)
  }

  /** `path` is to be renamed to `to`. */
  *rename(path: VfsPath, to: VfsPath): Steps<void> {
    const { user } = this
    if (user === undefined || user.uid === 0 || basename(path) === '..' || basename(to) === '..') return
    const stat = yield* statIfAny(this.#on, path, { follow: false })
    const replaced = yield* statIfAny(this.#on, to, { follow: false })
    if (stat === undefined || replaced?.ino === stat.ino) return
    const source = childPath(yield* call(this.#on, 'realpath', dirname(path)), basename(path))
    const target = childPath(yield* call(this.#on, 'realpath', dirname(to)), basename(to))
    // A directory into itself, or onto a directory above it: refused for everybody.
    if (isInside(target, source) || isInside(source, target)) return
    yield* this.remove(path, stat, 'rename')
    if (replaced === undefined) yield* this.create(to, 'rename')
    else yield* this.remove(to, replaced, 'rename')
    // Its '..' changes with its parent. Over a file it is refused for everybody.
    if (
      stat.kind === 'directory' &&
      (replaced?.kind ?? 'directory') === 'directory' &&
      dirname(source) !== dirname(target) &&
      !isAllowed(user, stat, mayWrite)
    ) {
      throw denied('EACCES', 'rename', path)
    }
  }

  /** A second name for the file `stat`, which its owner may always give. */
  link(path: VfsPath, stat: Stat): void {
    if (this.user === undefined || isOwner(this.user, stat)) return
    const runsAsOther =
      (stat.mode & setUserId) !== 0 || (stat.mode & (setGroupId | groupExecutes)) === (setGroupId | groupExecutes)
    if (stat.kind !== 'file' || runsAsOther || !isAllowed(this.user, stat, mayRead | mayWrite))
      throw denied('EPERM', 'link', path)
  }

  /** Attributes may be changed by the owner. */
  own(path: string, stat: Stat, syscall: string): void {
    if (this.user !== undefined && !isOwner(this.user, stat)) throw denied('EPERM', syscall, path)
  }

  /** Only root gives a file away; its owner may give it to another group that the owner belongs to. */
  changeOwner(path: string, stat: Stat, { uid, gid }: Attributes, syscall: string): void {
    const { user } = this
    const isModeKept = stat.kind !== 'file' || withoutSetId(user, stat) === stat.mode
    if (user === undefined || user.uid === 0 || (uid === undefined && gid === undefined && isModeKept)) return
    const isSame = uid === undefined || uid === (stat.uid ?? 0)
    const isGroupAllowed = gid === undefined || gid === (stat.gid ?? 0) || isMember(user, gid)
    if (!isOwner(user, stat) || !isSame || !isGroupAllowed) throw denied('EPERM', syscall, path)
  }
}
