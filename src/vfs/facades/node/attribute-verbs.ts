// The metadata of files: stats, permissions, owners and times.

import { defined } from '../../../core/record.ts'
import type { VfsPath } from '../../../core/path.ts'
import { childPath } from '../../../core/path.ts'
import type { Attributes, Stat, Usage } from '../../backend.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory } from '../../input.ts'
import { call, later, type Primitives, type Steps } from '../../steps.ts'
import { checkOwner, parseMode, parseTime } from './arguments.ts'
import { constants } from './constants.ts'
import { type NodeCall, systemError } from './errors.ts'
import { smallMode } from './options.ts'
import type { NodePath } from './paths.ts'
import { storedMode, withoutSetId } from './rights.ts'
import { type BigIntStats, type NodeStats, type NodeStatFs, statFs, statsOf } from './stats.ts'
import { asCall, type NodeSystem, unknownUsage, used } from './system.ts'
import { VerbContext } from './verb-context.ts'

const { W_OK, X_OK } = constants

interface StatOptions {
  readonly bigint: boolean
  readonly throwIfNoEntry: boolean
}

export interface AttributeVerbs {
  access(path: NodePath, mode?: number | null): Steps<void>
  chmod(path: NodePath, mode: number | string): Steps<void>
  chown(path: NodePath, uid: number, gid: number): Steps<void>
  exists(path: NodePath): Steps<boolean>
  lchown(path: NodePath, uid: number, gid: number): Steps<void>
  lstat(path: NodePath, options?: unknown): Steps<NodeStats | BigIntStats | undefined>
  lutimes(path: NodePath, atime: unknown, mtime: unknown): Steps<void>
  stat(path: NodePath, options?: unknown): Steps<NodeStats | BigIntStats | undefined>
  statfs(path: NodePath, options?: unknown): Steps<NodeStatFs>
  utimes(path: NodePath, atime: unknown, mtime: unknown): Steps<void>
}

/** Node reads these options without checking them: null is an error of the engine. */
export function statOptions(given: unknown): Partial<StatOptions> {
  if (given === null) throw new TypeError("Cannot read properties of null (reading 'bigint')")
  return typeof given === 'object' ? given : {}
}

export function attributeVerbs(context: VerbContext): AttributeVerbs {
  const { system } = context
  const { on, open, rights } = system

  const statWith = (syscall: 'stat' | 'lstat', path: NodePath, options: unknown): Steps<NodeStats | BigIntStats | undefined> => {
    const given = system.given(path)
    // Node reads these options without checking their types.
    const { bigint, throwIfNoEntry } = statOptions(options)
    return asCall({ syscall, path: given.shown }, function* () {
      try {
        const follow = syscall === 'stat' || asksForDirectory(given.text)
        const at = yield* used(system, given, syscall, follow)
        const stat = yield* system.counted(at, yield* call(on, 'lookup', at, { follow }))
        return statsOf(stat, bigint === true)
      } catch (error) {
        // Only Node's synchronous functions have this option.
        if (throwIfNoEntry === false && context.isSynchronous && isVfsError(error, 'ENOENT')) return undefined
        throw error
      }
    })
  }

  const setAttributes = (
    syscall: string,
    path: NodePath,
    make: (stat: Stat | undefined, at: VfsPath) => Steps<Attributes>,
    follow = true,
  ): Steps<void> => {
    const given = system.given(path)
    return asCall({ syscall, path: given.shown }, function* () {
      const isFollowed = follow || asksForDirectory(given.text)
      const at = yield* used(system, given, syscall, isFollowed)
      const stat =
        rights.user === undefined && syscall !== 'chown' && syscall !== 'lchown'
          ? undefined
          : yield* call(on, 'lookup', at, { follow: isFollowed })
      const attributes = yield* make(stat, at)
      yield* open.changing(at, () => call(on, 'setattr', at, { ...attributes, follow: isFollowed }))
    })
  }

  const chown = (syscall: 'chown' | 'lchown', path: NodePath, uid: number, gid: number): Steps<void> => {
    const { shown } = system.given(path)
    const given = ownersOf(uid, gid)
    return setAttributes(
      syscall,
      path,
      function* (stat, at) {
        return stat === undefined ? given : yield* ownersToStore(system, at, stat, given, { syscall, path: shown })
      },
      syscall === 'chown',
    )
  }

  const utimes = (syscall: 'utime' | 'lutime', path: NodePath, atime: unknown, mtime: unknown): Steps<void> => {
    const { shown } = system.given(path)
    const times = timesOf(atime, mtime)
    return setAttributes(
      syscall,
      path,
      function* (stat) {
        if (stat !== undefined) rights.own(shown, stat, syscall)
        yield* []
        return times
      },
      syscall === 'utime',
    )
  }

  return {
    access(path, mode) {
      system.given(path)
      const wanted = smallMode(mode)
      return context.onUsed('access', path, function* (at, { shown }) {
        const stat = yield* call(on, 'lookup', at)
        if ((wanted & W_OK) !== 0 && (yield* system.caps(at)).readonly)
          throw systemError('EROFS', { syscall: 'access', path: shown })
        yield* rights.use(at, stat, wanted, 'access')
        if ((wanted & X_OK) !== 0 && stat.kind === 'file' && (stat.mode & 0o111) === 0)
          throw systemError('EACCES', { syscall: 'access', path: shown })
      })
    },
    chmod(path, mode) {
      const { shown } = system.given(path)
      const bits = parseMode(mode, 'mode') & 0o7777
      return setAttributes('chmod', path, function* (stat) {
        yield* []
        if (stat === undefined || rights.user === undefined) return { mode: bits }
        rights.own(shown, stat, 'chmod')
        return { mode: storedMode(rights.user, stat, bits) }
      })
    },
    chown: (path, uid, gid) => chown('chown', path, uid, gid),
    *exists(path) {
      try {
        const at = yield* used(system, system.given(path), 'access')
        yield* call(on, 'lookup', at)
        return true
      } catch {
        return false
      }
    },
    lchown: (path, uid, gid) => chown('lchown', path, uid, gid),
    lstat: (path, options) => statWith('lstat', path, options),
    lutimes: (path, atime, mtime) => utimes('lutime', path, atime, mtime),
    stat: (path, options) => statWith('stat', path, options),
    statfs(path, given) {
      // Node reads this option without checking its type.
      const { bigint = false } = statOptions(given)
      return context.onUsed('statfs', path, function* (at) {
        yield* call(on, 'lookup', at)
        return statFs(yield* usageNow(), bigint === true)
      })
    },
    utimes: (path, atime, mtime) => utimes('utime', path, atime, mtime),
  }

  /** A backend reports its usage only by promise. */
  function* usageNow(): Steps<Usage> {
    if (on.sync === undefined || !(system.isInstant || context.isSynchronous)) return yield* later(() => system.usage())
    return system.isInstant || system.reportsUsage ? yield* usageBelow(on) : unknownUsage
  }
}

function* usageBelow(on: Primitives): Steps<Usage> {
  const seen = new Set<number>()
  let bytes = 0
  const pending: VfsPath[] = ['/' as VfsPath]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stat = yield* call(on, 'lookup', path, { follow: false })
    if (seen.has(stat.ino)) continue
    seen.add(stat.ino)
    bytes += stat.sizeBytes
    if (stat.kind !== 'directory') continue
    for (const { name } of yield* call(on, 'list', path)) pending.push(childPath(path, name))
  }
  return { bytes, nodes: seen.size }
}

export function ownersOf(uid: unknown, gid: unknown): Attributes {
  const [user, group] = [checkOwner('uid', uid), checkOwner('gid', gid)]
  return defined({ uid: isUnchanged(user) ? undefined : user, gid: isUnchanged(group) ? undefined : group })
}

/**
 * What `chown` stores. EPERM for another owner if owners are not stored: the call must not pretend to have stored one. A file with a new
 * owner no longer runs with the rights of its owner.
 */
export function* ownersToStore(
  system: NodeSystem,
  path: VfsPath | undefined,
  stat: Stat,
  given: Attributes,
  failing: NodeCall,
): Steps<Attributes> {
  const { uid = stat.uid ?? 0, gid = stat.gid ?? 0 } = given
  system.rights.changeOwner(path ?? '', stat, given, failing.syscall)
  const isSame = uid === (stat.uid ?? 0) && gid === (stat.gid ?? 0)
  // A file without a name exists only in this process.
  if (!isSame && path !== undefined && (yield* system.caps(path)).owners !== true) throw systemError('EPERM', failing)
  const mode = stat.kind === 'file' ? withoutSetId(system.rights.user, stat) : stat.mode
  return mode === stat.mode ? given : { ...given, mode }
}

function isUnchanged(owner: number): boolean {
  return owner === -1 || owner === 2 ** 32 - 1
}

function timesOf(atime: unknown, mtime: unknown): Attributes {
  return { atimeMs: parseTime(atime, 'time'), mtimeMs: parseTime(mtime, 'time') }
}
