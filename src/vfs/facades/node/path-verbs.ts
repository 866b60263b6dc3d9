// The functions that take a path, written once as steps. Arguments are checked when a function is called, and not when its steps run: the
// callback form throws for a wrong argument, as in Node.

import { dirname, type VfsPath } from '../../../core/path.ts'
import { defined } from '../../../core/record.ts'
import type { Attributes, Stat } from '../../backend.ts'
import { statIfAny } from '../../derived/exists.ts'
import { removeTree } from '../../derived/remove-tree.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory } from '../../input.ts'
import { call, later, type Steps } from '../../steps.ts'
import { itself } from '../../verbs.ts'
import { checkBoolean, checkInteger, checkOwner, checkSignal, invalidType, optionsOf, parseMode, parseTime } from './arguments.ts'
import { constants } from './constants.ts'
import { copyPath, parseCopyOptions } from './copy.ts'
import { listed, NodeDir, readDirectory, type ReaddirOptions, type ReaddirResult } from './directory.ts'
import { checkEncoding, decoded, encoded, plainBytesOf } from './encodings.ts'
import { abortError, type NodeCall, ownError, systemError } from './errors.ts'
import { type OpenMode, openMode } from './flags.ts'
import type { Descriptor } from './open-files.ts'
import type { NodePath } from './paths.ts'
import { BigIntStats, NodeStats, type NodeStatFs, statFs } from './stats.ts'
import { asCall, endsInDots, type GivenPath, named, type NodeSystem, used } from './system.ts'

const temporaryCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const maxTemporaryAttempts = 32
const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE, W_OK, X_OK } = constants

interface StatOptions {
  readonly bigint: boolean
  readonly throwIfNoEntry: boolean
}

type NameOptions = { readonly encoding: string | null }
type RemoveOptions = {
  readonly recursive: boolean
  readonly force: boolean
  readonly maxRetries: number
  readonly retryDelay: number
}

type Name = string | Uint8Array

/** The functions that take a path. Each checks its arguments at once; its steps then reject or throw with Node's errors. */
export interface PathVerbs {
  access(path: NodePath, mode?: number | null): Steps<void>
  appendFile(path: NodePath | number, data: unknown, options?: unknown): Steps<void>
  chmod(path: NodePath, mode: number | string): Steps<void>
  chown(path: NodePath, uid: number, gid: number): Steps<void>
  copyFile(from: NodePath, to: NodePath, mode?: number | null): Steps<void>
  cp(from: NodePath, to: NodePath, options?: unknown): Steps<void>
  exists(path: NodePath): Steps<boolean>
  lchown(path: NodePath, uid: number, gid: number): Steps<void>
  link(existing: NodePath, path: NodePath): Steps<void>
  lstat(path: NodePath, options?: unknown): Steps<NodeStats | BigIntStats | undefined>
  lutimes(path: NodePath, atime: unknown, mtime: unknown): Steps<void>
  mkdir(path: NodePath, options?: unknown): Steps<string | undefined>
  mkdtemp(prefix: NodePath, options?: unknown): Steps<Name>
  open(path: NodePath, flags?: unknown, mode?: unknown): Steps<Descriptor>
  opendir(path: NodePath, options?: unknown): Steps<NodeDir>
  readFile(path: NodePath | number, options?: unknown): Steps<Name>
  readdir(path: NodePath, options?: unknown): Steps<ReaddirResult>
  readlink(path: NodePath, options?: unknown): Steps<Name>
  realpath(path: NodePath, options?: unknown): Steps<Name>
  rename(from: NodePath, to: NodePath): Steps<void>
  rm(path: NodePath, options?: unknown): Steps<void>
  rmdir(path: NodePath, options?: unknown): Steps<void>
  stat(path: NodePath, options?: unknown): Steps<NodeStats | BigIntStats | undefined>
  statfs(path: NodePath, options?: unknown): Steps<NodeStatFs>
  symlink(target: NodePath, path: NodePath, type?: string | null): Steps<void>
  truncate(path: NodePath | number, length?: number | null): Steps<void>
  unlink(path: NodePath): Steps<void>
  utimes(path: NodePath, atime: unknown, mtime: unknown): Steps<void>
  writeFile(path: NodePath | number, data: unknown, options?: unknown): Steps<void>
}

export function pathVerbs(system: NodeSystem): PathVerbs {
  const { on, open, umask } = system

  /** For a path whose symlinks are followed. */
  const onUsed = <T>(
    syscall: string,
    path: NodePath,
    act: (path: VfsPath, given: GivenPath) => Steps<T>,
    name = 'path',
  ): Steps<T> => {
    const given = system.given(path, name)
    return asCall({ syscall, path: given.shown }, function* () {
      return yield* act(yield* used(on, given, syscall), given)
    })
  }

  /** For a name that is itself changed. */
  const onNamed = <T>(syscall: string, path: NodePath, act: (path: VfsPath, given: GivenPath) => Steps<T>): Steps<T> => {
    const given = system.given(path)
    return asCall({ syscall, path: given.shown }, function* () {
      return yield* act(named(given, syscall), given)
    })
  }

  const onTwo = (
    syscall: string,
    from: NodePath,
    to: NodePath,
    names: readonly [string, string],
    act: (from: GivenPath, to: GivenPath) => Steps<void>,
  ): Steps<void> => {
    const [source, target] = [system.given(from, names[0]), system.given(to, names[1])]
    return asCall({ syscall, path: source.shown, dest: target.shown }, () => act(source, target))
  }

  const statWith = (syscall: 'stat' | 'lstat', path: NodePath, options: unknown): Steps<NodeStats | BigIntStats | undefined> => {
    const given = system.given(path)
    // Node reads these options without checking their types.
    const { bigint = false, throwIfNoEntry = true } = typeof options === 'object' ? ((options ?? {}) as Partial<StatOptions>) : {}
    return asCall({ syscall, path: given.shown }, function* () {
      try {
        const at = yield* used(on, given, syscall)
        const follow = syscall === 'stat' || asksForDirectory(given.text)
        const stat = yield* call(on, 'lookup', at, { follow })
        return bigint ? new BigIntStats(stat) : new NodeStats(stat)
      } catch (error) {
        if (!throwIfNoEntry && isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
        throw error
      }
    })
  }

  function* openGiven(given: GivenPath, mode: OpenMode, permissions: number): Steps<Descriptor> {
    const call1 = { syscall: 'open', path: given.shown }
    return yield* asCall(call1, function* () {
      const path = named(given, 'open')
      const isDirectoryAsked = asksForDirectory(given.text)
      const create = { mode: permissions & ~umask & 0o7777 }
      if (mode.creates && mode.isDirectoryWanted) throw systemError('EINVAL', call1)
      let stat = yield* statIfAny(on, path, { follow: !mode.isLinkRefused })
      if (stat === undefined && (yield* statIfAny(on, dirname(path)))?.kind !== 'directory') {
        // Reports the reason: a name before the last is missing, or is not a directory.
        yield* call(on, 'lookup', path)
      }
      if (stat?.kind === 'symlink' && !(mode.creates && mode.isExclusive)) {
        throw systemError(isDirectoryAsked ? 'ENOTDIR' : mode.isDirectoryWanted ? 'ENOTDIR' : 'ELOOP', call1)
      }
      if (isDirectoryAsked && mode.creates) {
        throw systemError('EISDIR', call1)
      }
      if (mode.creates && mode.isExclusive) {
        stat = yield* call(on, 'write', path, new Uint8Array(), { ...create, create: 'exclusive' })
      } else if (stat === undefined) {
        if (!mode.creates) {
          yield* call(on, 'lookup', path)
          throw systemError('ENOENT', call1)
        }
        // Appending nothing does not change a file that another writer created meanwhile.
        stat = yield* call(on, 'write', path, new Uint8Array(), { ...create, append: true })
      } else if (stat.kind === 'directory') {
        if (mode.writes || mode.creates || mode.truncates) throw systemError('EISDIR', call1)
      } else if (isDirectoryAsked || mode.isDirectoryWanted) throw systemError('ENOTDIR', call1)
      else if (mode.truncates) {
        stat = yield* open.changing(path, () => call(on, 'write', path, new Uint8Array(), { create: 'never' }))
      }
      const real = yield* call(on, 'realpath', path)
      return open.open(real, stat, mode)
    })
  }

  /** Opens, acts and closes. */
  function* withOpen<T>(given: GivenPath, mode: OpenMode, permissions: number, act: (file: Descriptor) => Steps<T>): Steps<T> {
    const file = yield* openGiven(given, mode, permissions)
    try {
      return yield* act(file)
    } finally {
      open.close(file.number)
    }
  }

  const put = (path: NodePath | number, data: unknown, given: unknown, flag: string): Steps<void> => {
    const options = optionsOf<{
      encoding: string | null
      mode: number | string
      flag: string | number
      signal: AbortSignal
      flush: boolean | null
    }>(given)
    checkEncoding(options.encoding)
    checkSignal(options.signal)
    if (options.flush !== undefined && options.flush !== null) checkBoolean('options.flush', options.flush)
    const bytes = plainBytesOf(data, options.encoding)
    if (typeof path === 'number') {
      return asCall({ syscall: 'write' }, function* () {
        const file = open.get(path, 'write')
        if (!file.mode.writes) throw systemError('EBADF', { syscall: 'write' })
        yield* open.write(file.node, bytes, file.mode.appends ? 'end' : file.position)
        file.position += bytes.length
      })
    }
    const target = system.given(path)
    const mode = openMode(options.flag, flag)
    const permissions = parseMode(options.mode, 'mode', 0o666)
    const { signal } = options
    return asCall({ syscall: 'open', path: target.shown }, function* () {
      if (signal?.aborted === true) throw abortError(signal)
      const isPlain =
        mode.creates && (mode.truncates || mode.appends) && !mode.isLinkRefused && !mode.isDirectoryWanted && mode.writes
      if (!isPlain || asksForDirectory(target.text)) {
        yield* withOpen(target, mode, permissions, file =>
          asCall({ syscall: 'write' }, function* () {
            if (!mode.writes) throw systemError('EBADF', { syscall: 'write' })
            yield* open.write(file.node, bytes, mode.appends ? 'end' : 0)
          }),
        )
        return
      }
      const at = named(target, 'open')
      yield* open.changing(at, () =>
        call(on, 'write', at, bytes, {
          mode: permissions & ~umask & 0o7777,
          append: mode.appends,
          create: mode.isExclusive ? 'exclusive' : 'if-missing',
        }),
      )
    })
  }

  const setAttributes = (syscall: string, path: NodePath, attributes: Attributes, follow = true): Steps<void> =>
    onUsed(syscall, path, function* (at, { shown }) {
      if (attributes.uid !== undefined || attributes.gid !== undefined) {
        yield* refuseOwners(system, at, yield* call(on, 'lookup', at, { follow }), attributes, { syscall, path: shown })
      }
      yield* open.changing(at, () => call(on, 'setattr', at, { ...attributes, follow }))
    })

  const owners = (uid: unknown, gid: unknown): Attributes => {
    const [user, group] = [checkOwner('uid', uid), checkOwner('gid', gid)]
    return defined({ uid: isUnchanged(user) ? undefined : user, gid: isUnchanged(group) ? undefined : group })
  }

  const nameAs = (name: string, encoding: string | null | undefined): string | Uint8Array =>
    encoding === 'buffer'
      ? encoded(name, 'utf8')
      : encoding === undefined || encoding === null || encoding === 'utf8'
        ? name
        : decoded(encoded(name, 'utf8'), encoding)

  return {
    access(path: NodePath, mode?: number | null) {
      system.given(path)
      const wanted = smallMode(mode)
      return onUsed('access', path, function* (at, { shown }) {
        const stat = yield* call(on, 'lookup', at)
        if ((wanted & W_OK) !== 0 && (yield* system.caps(at)).readonly)
          throw systemError('EROFS', { syscall: 'access', path: shown })
        if ((wanted & X_OK) !== 0 && stat.kind === 'file' && (stat.mode & 0o111) === 0) {
          throw systemError('EACCES', { syscall: 'access', path: shown })
        }
      })
    },
    appendFile: (path: NodePath | number, data: unknown, options?: unknown) => put(path, data, options, 'a'),
    chmod: (path: NodePath, mode: number | string) => {
      system.given(path)
      return setAttributes('chmod', path, { mode: parseMode(mode, 'mode') & 0o7777 })
    },
    chown: (path: NodePath, uid: number, gid: number) => {
      system.given(path)
      return setAttributes('chown', path, owners(uid, gid))
    },
    lchown: (path: NodePath, uid: number, gid: number) => {
      system.given(path)
      return setAttributes('lchown', path, owners(uid, gid), false)
    },
    copyFile(from: NodePath, to: NodePath, mode?: number | null) {
      system.given(from, 'src')
      system.given(to, 'dest')
      const flags = smallMode(mode)
      return onTwo('copyfile', from, to, ['src', 'dest'], function* (source, target) {
        const failing = { syscall: 'copyfile', path: source.shown, dest: target.shown }
        if ((flags & COPYFILE_FICLONE_FORCE) !== 0) throw systemError('ENOTSUP', failing)
        const at = yield* used(on, source, 'copyfile')
        const stat = yield* call(on, 'lookup', at)
        const goal = named(target, 'copyfile')
        const there = yield* statIfAny(on, goal)
        if (target.text.endsWith('/')) throw systemError('EISDIR', failing)
        if (there !== undefined && (flags & COPYFILE_EXCL) !== 0) throw systemError('EEXIST', failing)
        if (there?.kind === 'directory') throw systemError('EISDIR', failing)
        if (stat.kind === 'directory') throw systemError('EISDIR', failing)
        if (there !== undefined && there.ino === stat.ino) return
        const bytes = yield* call(on, 'read', at)
        yield* open.changing(goal, function* () {
          yield* call(on, 'write', goal, bytes, {
            mode: stat.mode,
            create: (flags & COPYFILE_EXCL) !== 0 ? 'exclusive' : 'if-missing',
          })
          if (there !== undefined && there.mode !== stat.mode) yield* call(on, 'setattr', goal, { mode: stat.mode })
        })
      })
    },
    cp(from: NodePath, to: NodePath, given?: unknown) {
      const options = parseCopyOptions(given)
      const [source, target] = [system.given(from, 'src'), system.given(to, 'dest')]
      return asCall({ syscall: 'cp', path: source.shown, dest: target.shown }, () =>
        copyPath(system, source.text, target.text, options),
      )
    },
    *exists(path: NodePath): Steps<boolean> {
      try {
        const at = yield* used(on, system.given(path), 'access')
        yield* call(on, 'lookup', at)
        return true
      } catch {
        return false
      }
    },
    link: (existing: NodePath, path: NodePath) =>
      onTwo('link', existing, path, ['existingPath', 'newPath'], function* (source, target) {
        const from = yield* used(on, source, 'link')
        const to = named(target, 'link')
        const failing = { syscall: 'link', path: source.shown, dest: target.shown }
        if (asksForDirectory(source.text)) {
          yield* call(on, 'lookup', from)
          yield* call(on, 'lookup', dirname(to))
          const there = yield* statIfAny(on, to, { follow: false })
          throw systemError(there === undefined ? 'EPERM' : 'EEXIST', failing)
        }
        if (asksForDirectory(target.text) && (yield* statIfAny(on, to, { follow: false })) === undefined) {
          throw systemError('ENOENT', failing)
        }
        yield* open.linking(from, to, () => call(on, 'link', from, to))
      }),
    lstat: (path: NodePath, options?: unknown) => statWith('lstat', path, options),
    stat: (path: NodePath, options?: unknown) => statWith('stat', path, options),
    lutimes: (path: NodePath, atime: unknown, mtime: unknown) => {
      system.given(path)
      return setAttributes('lutime', path, times(atime, mtime), false)
    },
    utimes: (path: NodePath, atime: unknown, mtime: unknown) => {
      system.given(path)
      return setAttributes('utime', path, times(atime, mtime))
    },
    mkdir(path: NodePath, given?: unknown): Steps<string | undefined> {
      const target = system.given(path)
      const settings =
        typeof given === 'object' && given !== null
          ? (given as { recursive?: unknown; mode?: unknown })
          : { mode: typeof given === 'number' || typeof given === 'string' ? given : undefined }
      const isRecursive = settings.recursive === undefined ? false : checkBoolean('options.recursive', settings.recursive)
      const mode = parseMode(settings.mode, 'mode', 0o777) & ~umask & 0o7777
      return asCall({ syscall: 'mkdir', path: target.shown }, function* () {
        const at = named(target, 'mkdir')
        if (!isRecursive) {
          if (endsInDots(target.text) === '.') yield* call(on, 'lookup', at)
          yield* call(on, 'mkdir', at, { mode })
          return undefined
        }
        return yield* makeAll(at, mode)
      })
    },
    mkdtemp(prefix: NodePath, given?: unknown): Steps<string | Uint8Array> {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      const { shown, text } = system.given(prefix, 'prefix')
      return asCall({ syscall: 'mkdtemp', path: `${shown}XXXXXX` }, function* () {
        for (let attempt = 1; ; attempt++) {
          const added = randomCharacters(6)
          try {
            yield* call(on, 'mkdir', named({ shown, text: text + added }, 'mkdtemp'), { mode: 0o700 })
            return nameAs(shown + added, encoding)
          } catch (error) {
            if (!isVfsError(error, 'EEXIST') || attempt >= maxTemporaryAttempts) throw error
          }
        }
      })
    },
    open(path: NodePath, flags?: unknown, mode?: unknown): Steps<Descriptor> {
      const given = system.given(path)
      return openGiven(given, openMode(flags), parseMode(mode, 'mode', 0o666))
    },
    opendir(path: NodePath, given?: unknown): Steps<NodeDir> {
      const {
        encoding,
        recursive = false,
        bufferSize = 32,
      } = optionsOf<{ encoding: string | null; recursive: boolean; bufferSize: number }>(given)
      checkEncoding(encoding)
      checkInteger('options.bufferSize', bufferSize, 1, 2 ** 32 - 1)
      return onUsed('opendir', path, function* (at, { shown }) {
        return new NodeDir(shown, yield* listed(on, at, shown, recursive))
      })
    },
    readFile(path: NodePath | number, given?: unknown): Steps<Uint8Array | string> {
      const { encoding, flag, signal } = optionsOf<{ encoding: string | null; flag: string | number; signal: AbortSignal }>(given)
      checkEncoding(encoding)
      checkSignal(signal)
      if (typeof path === 'number') {
        return asCall({ syscall: 'read' }, function* () {
          const file = open.get(path, 'read')
          if (!file.mode.reads) throw systemError('EBADF', { syscall: 'read' })
          const bytes = yield* open.read(file.node, file.position, Infinity)
          file.position += bytes.length
          return decoded(bytes, encoding)
        })
      }
      const source = system.given(path)
      const mode = openMode(flag)
      return asCall({ syscall: 'open', path: source.shown }, function* () {
        if (signal?.aborted === true) throw abortError(signal)
        if (encoding === 'buffer') {
          yield* call(on, 'lookup', yield* used(on, source, 'open'))
          throw Object.assign(new TypeError('Unknown encoding: buffer'), { code: 'ERR_UNKNOWN_ENCODING' })
        }
        if (mode.creates || mode.truncates || !mode.reads || mode.isLinkRefused || mode.isDirectoryWanted) {
          return yield* withOpen(source, mode, 0o666, file =>
            asCall({ syscall: 'read' }, function* () {
              if (!mode.reads) throw systemError('EBADF', { syscall: 'read' })
              return decoded(yield* open.read(file.node, 0, Infinity), encoding)
            }),
          )
        }
        try {
          return decoded(yield* call(on, 'read', yield* used(on, source, 'open')), encoding)
        } catch (error) {
          // Node opens a directory before it finds that it cannot read it, and then reports no path.
          if (isVfsError(error, 'EISDIR')) throw systemError('EISDIR', { syscall: 'read' }, error)
          throw error
        }
      })
    },
    readdir(path: NodePath, given?: unknown) {
      const options = optionsOf<ReaddirOptions>(given)
      checkEncoding(options.encoding)
      if (options.recursive !== undefined && options.recursive !== null) checkBoolean('options.recursive', options.recursive)
      return onUsed('scandir', path, (at, { shown }) => readDirectory(on, at, shown, options))
    },
    readlink(path: NodePath, given?: unknown) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      return onUsed(
        'readlink',
        path,
        function* (at, { text }) {
          if (asksForDirectory(text)) {
            yield* call(on, 'lookup', at)
            throw systemError('EINVAL', { syscall: 'readlink', path: text })
          }
          return nameAs(yield* call(on, 'readlink', at), encoding)
        },
        'oldPath',
      )
    },
    realpath(path: NodePath, given?: unknown) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      return onUsed('realpath', path, function* (at) {
        return nameAs(yield* call(on, 'realpath', at), encoding)
      })
    },
    rename: (from: NodePath, to: NodePath) =>
      onTwo('rename', from, to, ['oldPath', 'newPath'], function* (source, target) {
        const failing = { syscall: 'rename', path: source.shown, dest: target.shown }
        const at = yield* itself(on, source.text, 'rename')
        const goal = named(target, 'rename')
        if (endsInDots(source.text) === '.' || endsInDots(target.text) === '.') {
          yield* call(on, 'lookup', endsInDots(source.text) === '.' ? at : dirname(at))
          yield* call(on, 'lookup', endsInDots(target.text) === '.' ? goal : dirname(goal))
          throw systemError('EBUSY', failing)
        }
        if (asksForDirectory(target.text)) {
          const moved = yield* call(on, 'lookup', at, { follow: false })
          if (moved.kind !== 'directory') throw systemError('ENOTDIR', failing)
          if ((yield* statIfAny(on, goal, { follow: false }))?.kind === 'symlink') throw systemError('ENOTDIR', failing)
        }
        yield* open.renaming(at, goal, () => call(on, 'rename', at, goal))
      }),
    rm(path: NodePath, given?: unknown): Steps<void> {
      const target = system.given(path)
      const { recursive, force } = parseRemoveOptions(given)
      return asCall({ syscall: recursive ? 'rm' : 'lstat', path: target.shown }, function* () {
        const at = named(target, 'lstat')
        const stat = yield* lookupToRemove(target, recursive, force)
        if (stat === undefined) return
        if (stat.kind === 'directory' && !recursive) {
          throw ownError('ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${target.shown}`, {
            errno: 21,
            syscall: 'rm',
            path: target.shown,
          })
        }
        yield* open.removing(at, () => removed(at, { recursive, force }))
      })
    },
    rmdir(path: NodePath, given?: unknown): Steps<void> {
      const target = system.given(path)
      const { recursive } = parseRemoveOptions(given)
      return asCall({ syscall: 'rmdir', path: target.shown }, function* () {
        const at = yield* itself(on, target.text, 'rmdir')
        const dots = endsInDots(target.text)
        if (dots === '.' && (yield* call(on, 'lookup', at)).kind === 'directory') {
          throw systemError('EINVAL', { syscall: 'rmdir', path: target.shown })
        }
        if (!recursive) {
          yield* call(on, 'remove', at, 'directory')
          return
        }
        const { kind } = yield* call(on, 'lookup', at, { follow: false })
        if (kind !== 'directory') throw systemError('ENOTDIR', { syscall: 'rmdir', path: target.shown })
        yield* open.removing(at, () => removed(at, { recursive, force: false }))
      })
    },
    statfs(path: NodePath, given?: unknown): Steps<NodeStatFs> {
      const { bigint = false } = optionsOf<{ bigint: boolean }>(given, false)
      return onUsed('statfs', path, function* (at) {
        yield* call(on, 'lookup', at)
        return statFs(yield* later(() => system.usage()), bigint)
      })
    },
    symlink(target: NodePath, path: NodePath, type?: string | null) {
      const steps = onTwo('symlink', target, path, ['target', 'path'], function* (source, goal) {
        const at = named(goal, 'symlink')
        if (asksForDirectory(goal.text) && (yield* statIfAny(on, at, { follow: false })) === undefined) {
          throw systemError('ENOENT', { syscall: 'symlink', path: source.shown, dest: goal.shown })
        }
        yield* call(on, 'symlink', source.shown, at)
      })
      checkLinkType(type)
      return steps
    },
    truncate(path: NodePath | number, length?: number | null): Steps<void> {
      if (typeof path === 'number') {
        const bytes = checkInteger('len', length === undefined ? 0 : length)
        return asCall({ syscall: 'ftruncate' }, () => truncated(open.get(path, 'ftruncate'), Math.max(0, bytes), 'ftruncate'))
      }
      const given = system.given(path)
      return asCall({ syscall: 'open', path: given.shown }, () =>
        withOpen(given, openMode('r+'), 0o666, function* (file) {
          const bytes = checkInteger('len', length === undefined ? 0 : length)
          yield* truncated(file, Math.max(0, bytes), 'ftruncate')
        }),
      )
    },
    unlink: (path: NodePath) =>
      onNamed('unlink', path, function* (at, { shown, text }) {
        const stat = yield* call(on, 'lookup', at, { follow: false })
        const failing = { syscall: 'unlink', path: shown }
        if (asksForDirectory(text)) throw systemError(stat.kind === 'directory' ? 'EISDIR' : 'ENOTDIR', failing)
        yield* open.removing(at, () => call(on, 'remove', at, 'file'))
      }),
    writeFile: (path: NodePath | number, data: unknown, options?: unknown) => put(path, data, options, 'w'),
  }

  function* truncated(file: Descriptor, length: number, syscall: string): Steps<void> {
    if (!file.mode.writes) throw systemError('EINVAL', { syscall })
    yield* open.truncate(file.node, length)
  }

  function* lookupToRemove(given: GivenPath, isRecursive: boolean, isForced: boolean): Steps<Stat | undefined> {
    try {
      const path = yield* used(on, given, 'lstat')
      const stat = yield* call(on, 'lookup', path, { follow: false })
      if (stat.kind !== 'symlink' || !asksForDirectory(given.text)) return stat
      // 'link/' is the directory, which cannot be removed by this name.
      const target = yield* call(on, 'lookup', path)
      if (!isRecursive) return target
      throw systemError('ENOTDIR', { syscall: 'rm', path: given.shown })
    } catch (error) {
      if (isForced && isVfsError(error, 'ENOENT')) return undefined
      if (isVfsError(error)) throw systemError(error.code, { syscall: 'lstat', path: given.shown }, error)
      throw error
    }
  }

  /** One commit if the filesystem is asynchronous, so that no intermediate state is visible. */
  function* removed(path: VfsPath, options: { readonly recursive: boolean; readonly force: boolean }): Steps<void> {
    if (on.sync === undefined) yield* later(() => system.vfs.rm(path, options))
    else yield* removeTree(on, path, options)
  }

  /** Returns the first directory that was created. Other writers may create some of them at the same time. */
  function* makeAll(path: VfsPath, mode: number): Steps<string | undefined> {
    const missing: VfsPath[] = []
    for (let directory = path; ; directory = dirname(directory)) {
      const stat = yield* statIfAny(on, directory)
      if (stat?.kind === 'directory') break
      if (stat !== undefined) throw systemError(directory === path ? 'EEXIST' : 'ENOTDIR', { syscall: 'mkdir', path })
      missing.push(directory)
      if (directory === '/') break
    }
    let first: string | undefined
    for (const directory of missing.toReversed()) {
      try {
        yield* call(on, 'mkdir', directory, { mode })
        first ??= directory
      } catch (error) {
        // A dangling symlink exists too, and no directory can be created in its place.
        if (!isVfsError(error, 'EEXIST')) throw error
        const stat = yield* statIfAny(on, directory)
        if (stat === undefined) throw systemError('ENOENT', { syscall: 'mkdir', path }, error)
        if (stat.kind !== 'directory') throw error
      }
    }
    return first
  }
}

/** EPERM for another owner if owners are not stored: the call must not pretend to have stored one. */
export function* refuseOwners(system: NodeSystem, path: VfsPath, stat: Stat, given: Attributes, failing: NodeCall): Steps<void> {
  const { uid = stat.uid ?? 0, gid = stat.gid ?? 0 } = given
  if (uid === (stat.uid ?? 0) && gid === (stat.gid ?? 0)) return
  if ((yield* system.caps(path)).owners !== true) throw systemError('EPERM', failing)
}

function isUnchanged(owner: number): boolean {
  return owner === -1 || owner === 2 ** 32 - 1
}

function times(atime: unknown, mtime: unknown): Attributes {
  return { atimeMs: parseTime(atime, 'time'), mtimeMs: parseTime(mtime, 'time') }
}

/** Three bits. Node words these two errors differently from its others. */
function smallMode(mode: unknown): number {
  if (mode === undefined || mode === null) return 0
  if (typeof mode !== 'number') {
    throw Object.assign(new TypeError('mode must be int32 or null/undefined'), { code: 'ERR_INVALID_ARG_TYPE' })
  }
  if (mode < 0 || mode > 7)
    throw Object.assign(new RangeError('mode is out of range: >= 0 && <= 7'), { code: 'ERR_OUT_OF_RANGE' })
  return Math.trunc(mode)
}

function parseRemoveOptions(given: unknown): RemoveOptions {
  const { recursive = false, force = false, maxRetries = 0, retryDelay = 100 } = optionsOf<RemoveOptions>(given, false)
  if (given !== undefined && (typeof given !== 'object' || given === null)) throw invalidType('options', 'of type object', given)
  checkBoolean('options.force', force)
  checkBoolean('options.recursive', recursive)
  checkInteger('options.retryDelay', retryDelay, 0, 2 ** 31 - 1)
  checkInteger('options.maxRetries', maxRetries, 0, 2 ** 32 - 1)
  return { recursive, force, maxRetries, retryDelay }
}

function checkLinkType(type: unknown): void {
  if (typeof type !== 'string' || type === 'dir' || type === 'file' || type === 'junction') return
  throw Object.assign(new Error(`Symlink type must be one of "dir", "file", or "junction". Received ${JSON.stringify(type)}`), {
    code: 'ERR_FS_INVALID_SYMLINK_TYPE',
  })
}

function randomCharacters(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count))
  return Array.from(bytes, byte => temporaryCharacters.charAt(byte % temporaryCharacters.length)).join('')
}
