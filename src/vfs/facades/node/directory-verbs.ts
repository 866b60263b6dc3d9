// Functions that create, list and remove directories.

import { dirname, type VfsPath } from '../../../core/path.ts'
import type { Stat } from '../../backend.ts'
import { statIfAny } from '../../derived/exists.ts'
import { removeTree } from '../../derived/remove-tree.ts'
import { isVfsError } from '../../error.ts'
import { asksForDirectory, vfsPath } from '../../input.ts'
import { call, later, type Steps } from '../../steps.ts'
import { itself } from '../../verbs.ts'
import { checkBoolean, checkInteger, invalidType, optionsOf, parseMode, isBytes } from './arguments.ts'
import { listed, NodeDir, readDirectory, type ReaddirOptions, type ReaddirResult } from './directory.ts'
import { checkEncoding } from './encodings.ts'
import { nodeError, removeError, systemError } from './errors.ts'
import type { NameOptions } from './name-verbs.ts'
import { parseRemoveOptions } from './options.ts'
import type { NodePath } from './paths.ts'
import { warn } from './platform.ts'
import { asCall, checkDirectory, type GivenPath, lastDots, named, used } from './system.ts'
import type { VerbContext } from './verb-context.ts'

const temporaryCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const maxTemporaryAttempts = 32
/** Linux ignores the bits for set-user-ID and set-group-ID of a new directory. */
const directoryBits = 0o1777

export interface DirectoryVerbs {
  mkdir(path: NodePath, options?: unknown): Steps<string | undefined>
  mkdtemp(prefix: NodePath, options?: unknown): Steps<string | Uint8Array>
  opendir(path: NodePath, options?: unknown): Steps<NodeDir>
  readdir(path: NodePath, options?: unknown): Steps<ReaddirResult>
  rm(path: NodePath, options?: unknown): Steps<void>
  rmdir(path: NodePath, options?: unknown): Steps<void>
}

export function directoryVerbs(context: VerbContext): DirectoryVerbs {
  const { system } = context
  const { on, open, rights, umask } = system

  return {
    mkdir(path, given) {
      const target = system.given(path)
      const settings =
        typeof given === 'object' && given !== null
          ? (given as { recursive?: unknown; mode?: unknown })
          : { mode: typeof given === 'number' || typeof given === 'string' ? given : undefined }
      const isRecursive = settings.recursive === undefined ? false : checkBoolean('options.recursive', settings.recursive)
      // Only Node's promise function accepts null for a missing mode.
      if (settings.mode === null && context.takesDescriptors) throw invalidType('mode', 'of type number', undefined)
      const mode = parseMode(settings.mode, 'mode', 0o777) & ~umask & directoryBits
      return asCall({ syscall: 'mkdir', path: target.shown }, function* () {
        const at = yield* isRecursive ? namedInMissing(target) : named(system, target, 'mkdir')
        if (isRecursive) {
          const first = yield* makeAll(at, mode, target)
          return first === undefined ? undefined : asGiven(target.text, first)
        }
        yield* lastDots(system, target, 'mkdir')
        yield* make(at, mode, 'mkdir')
        return undefined
      })
    },
    mkdtemp(prefix, given) {
      const { encoding } = optionsOf<NameOptions>(given)
      checkEncoding(encoding)
      const { shown, text } = system.given(prefix, 'prefix')
      if (text.endsWith('X'))
        warn('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html')
      return makeTemporary(1)

      function* makeTemporary(attempt: number): Steps<string | Uint8Array> {
        const added = randomCharacters(6)
        // The errors of Node's asynchronous functions name the directory that they tried to create.
        const failing = { syscall: 'mkdtemp', path: shown + (context.isSynchronous ? 'XXXXXX' : added) }
        try {
          yield* make(yield* named(system, { shown, text: text + added }, 'mkdtemp'), 0o700, 'mkdtemp')
          return context.nameAs(shown + added, encoding)
        } catch (error) {
          if (!isVfsError(error, 'EEXIST') || attempt >= maxTemporaryAttempts) throw nodeError(failing, error)
        }
        return yield* makeTemporary(attempt + 1)
      }
    },
    opendir(path, given) {
      const options = optionsOf<{ encoding: string | null; recursive: boolean; bufferSize: number }>(given)
      const { encoding, recursive = false } = options
      checkEncoding(encoding)
      return context.onUsed('opendir', path, function* (at, { shown }) {
        yield* rights.list(at, 'opendir')
        const depth = recursive ? 'all levels' : 'one level'
        const entries = yield* listed(system, 'opendir', at, shown, depth, name => context.nameAs(name, encoding))
        if ('bufferSize' in options) checkInteger('options.bufferSize', options.bufferSize, 1, 2 ** 32 - 1)
        return new NodeDir(entries, isBytes(path) ? path : shown, options.bufferSize ?? 32)
      })
    },
    readdir(path, given) {
      const options = optionsOf<ReaddirOptions>(given)
      checkEncoding(options.encoding)
      // Node's promise function accepts any value.
      if (context.takesDescriptors) checkBoolean('options.recursive', options.recursive ?? false)
      const recursive = Boolean(options.recursive)
      return context.onUsed('scandir', path, function* (at, { shown }) {
        yield* rights.list(at, 'scandir')
        const parent = isBytes(path) ? path : undefined
        return yield* readDirectory(system, at, shown, { ...options, recursive, parent }, bytes => system.bytes(bytes))
      })
    },
    rm(path, given) {
      const target = system.given(path)
      const { recursive, force } = parseRemoveOptions(given)
      // Node calls `lstat` first, except that its synchronous function with both options calls `unlink` at once.
      const looking = { syscall: recursive && force && context.isSynchronous ? 'unlink' : 'lstat', path: target.shown }
      return asCall({ syscall: recursive ? 'rm' : 'lstat', path: target.shown }, function* () {
        const stat = yield* asCall(looking, () => lookupToRemove(target, recursive, force))
        if (stat === undefined) return
        const at = yield* named(system, target, 'lstat')
        if (stat.kind === 'directory' && !recursive) throw removeError(target.shown)
        if (stat.kind === 'directory') yield* rights.removeAll(at, stat, 'rm')
        else {
          yield* asCall({ syscall: recursive ? 'rm' : 'unlink', path: target.shown }, () => rights.remove(at, stat, 'unlink'))
        }
        yield* open.removing(at, () => removed(at, { recursive, force }))
      })
    },
    rmdir(path, given) {
      const target = system.given(path)
      const { recursive } = parseRemoveOptions(given, false)
      if (recursive) {
        const advice = 'Use fs.rm(path, { recursive: true }) instead'
        warn(`In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. ${advice}`, 'DEP0147')
      }
      return asCall({ syscall: 'rmdir', path: target.shown }, function* () {
        const at = yield* named(system, target, 'rmdir')
        const dots = yield* lastDots(system, target, 'rmdir')
        if (dots === '.' || (dots === '..' && recursive)) throw dotsNotRemoved(dots, target)
        // Node's functions look up the name itself first; the promise function follows a link, and then removes the link.
        const isLink = recursive && (yield* lookupToRemoveAll(target, at)) === 'symlink'
        // Node's asynchronous functions treat ENOTDIR as success, because nothing is left to remove.
        if (isLink && asksForDirectory(target.text) && !context.isSynchronous) return
        if (isLink && (context.takesDescriptors || asksForDirectory(target.text)))
          throw systemError('ENOTDIR', { syscall: 'rmdir', path: target.shown })
        if (rights.user !== undefined && dots === undefined) {
          const stat = yield* statIfAny(on, at, { follow: false })
          if (stat !== undefined) yield* recursive ? rights.removeAll(at, stat, 'rmdir') : rights.remove(at, stat, 'rmdir')
        }
        if (!recursive) {
          yield* itself(on, target.text, 'rmdir')
          yield* open.removing(at, () => call(on, 'remove', at, 'directory'))
          return
        }
        yield* open.removing(at, () => removed(at, { recursive, force: false }))
      })
    },
  }

  /** Like `named`, for a name whose directory may be missing. */
  function* namedInMissing(given: GivenPath): Steps<VfsPath> {
    try {
      return yield* named(system, given, 'mkdir')
    } catch (error) {
      if (!isVfsError(error, 'ENOENT')) throw error
      return vfsPath(given.text, 'mkdir')
    }
  }

  function* make(path: VfsPath, mode: number, syscall: string): Steps<void> {
    const create = (granted: number): Steps<void> => call(on, 'mkdir', path, { mode: granted })
    if (rights.user === undefined || (yield* statIfAny(on, path, { follow: false })) !== undefined) yield* create(mode)
    else yield* context.creating(path, 'directory', mode, syscall, create)
  }

  /** The kind of the entry at `at`: a directory, or a link that may lead to one. */
  function* lookupToRemoveAll(given: GivenPath, at: VfsPath): Steps<Stat['kind']> {
    const isPromise = !context.takesDescriptors
    const follow = isPromise || asksForDirectory(given.text)
    const { kind } = yield* asCall({ syscall: isPromise ? 'stat' : 'lstat', path: given.shown }, function* () {
      if (asksForDirectory(given.text)) yield* checkDirectory(on, at, 'lstat')
      return yield* call(on, 'lookup', at, { follow })
    })
    const stat = yield* call(on, 'lookup', at, { follow: false })
    if (kind !== 'directory' && (follow || kind !== 'symlink'))
      throw systemError('ENOTDIR', { syscall: 'rmdir', path: given.shown })
    return stat.kind
  }

  function* lookupToRemove(given: GivenPath, isRecursive: boolean, isForced: boolean): Steps<Stat | undefined> {
    try {
      const path = yield* used(system, given, 'lstat', false)
      const dots = isRecursive ? yield* lastDots(system, given, 'lstat') : undefined
      if (dots !== undefined) throw dotsNotRemoved(dots, given)
      const stat = yield* call(on, 'lookup', path, { follow: false })
      if (stat.kind !== 'symlink' || !asksForDirectory(given.text)) return stat
      // 'link/' is the directory, which cannot be removed by this name.
      const target = yield* call(on, 'lookup', path)
      if (!isRecursive) return target
      // Node's asynchronous functions treat ENOTDIR as success, because nothing is left to remove.
      if (!context.isSynchronous) return undefined
      throw systemError('ENOTDIR', { syscall: 'rmdir', path: given.shown })
    } catch (error) {
      if (isForced && isVfsError(error, 'ENOENT')) return undefined
      throw error
    }
  }

  /** One commit if the filesystem is asynchronous, so that no intermediate state is visible. */
  function* removed(path: VfsPath, options: { readonly recursive: boolean; readonly force: boolean }): Steps<void> {
    if (on.sync === undefined) yield* later(() => system.vfs.rm(path, options))
    else yield* removeTree(on, path, options)
  }

  /** Returns the first directory that was created. Other writers may create some of them at the same time. */
  function* makeAll(path: VfsPath, mode: number, { shown, text }: GivenPath): Steps<VfsPath | undefined> {
    const failing = { syscall: 'mkdir', path: shown }
    const missing: VfsPath[] = []
    for (let directory = path; ; directory = dirname(directory)) {
      const stat = yield* statIfAny(on, directory)
      if (stat?.kind === 'directory') break
      if (stat !== undefined) {
        const isThere = directory === path && !asksForDirectory(text)
        throw systemError(isThere ? 'EEXIST' : 'ENOTDIR', failing)
      }
      missing.push(directory)
      if (directory === '/') break
    }
    let first: VfsPath | undefined
    for (const directory of missing.toReversed()) {
      try {
        // The directory that was just created may not allow searching, and the path may lead back out of it.
        yield* rights.search(directory, false, 'mkdir')
        yield* make(directory, mode, 'mkdir')
        first ??= directory
      } catch (error) {
        // A dangling symlink exists too, and no directory can be created in its place.
        if (!isVfsError(error, 'EEXIST')) throw error
        const stat = yield* statIfAny(on, directory)
        if (stat === undefined) {
          // Node's asynchronous functions fail at the link when they create the directory below it.
          const isAbove = directory !== path && !context.isSynchronous
          throw isAbove
            ? systemError('ENOTDIR', { syscall: 'mkdir', path: asGiven(text, directory) }, error)
            : systemError('ENOENT', failing, error)
        }
        if (stat.kind !== 'directory') throw error
      }
    }
    if (first !== undefined && text.endsWith('/.')) yield* rights.enter(path, 'mkdir')
    return first
  }
}

/**
 * As Linux refuses such names. With '..' Node would remove entries in the order of the disk until it meets the directory that the path leads
 * through.
 */
function dotsNotRemoved(dots: '.' | '..', { shown }: GivenPath): Error {
  return systemError(dots === '.' ? 'EINVAL' : 'ENOTEMPTY', { syscall: 'rmdir', path: shown })
}

/** The beginning of `text` that names `path`, with the slashes that it was given. */
function asGiven(text: string, path: VfsPath): string {
  for (let start = text; start !== ''; start = start.slice(0, start.lastIndexOf('/'))) {
    if (!start.endsWith('/.') && vfsPath(start, 'mkdir') === path) return start
  }
  return path
}

function randomCharacters(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count))
  return Array.from(bytes, byte => temporaryCharacters.charAt(byte % temporaryCharacters.length)).join('')
}
