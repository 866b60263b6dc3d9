// The operations that tools use, over the primitives of a backend or of a transaction.

import type { OptionNames } from '../core/argument.ts'
import type { VfsPath } from '../core/path.ts'
import { defined, isRecord } from '../core/record.ts'
import type { ReadRange, VfsSync, WriteOptions } from './backend.ts'
import { makeDirectories } from './derived/make-directories.ts'
import { removeTree } from './derived/remove-tree.ts'
import { statIfAny } from './derived/exists.ts'
import { ContentElsewhere } from './elsewhere.ts'
import { isVfsError, VfsError } from './error.ts'
import { asksForDirectory, contentOf, decodeText, need, needOptions, vfsPath } from './input.ts'
import type { Waiting } from './port.ts'
import { call, type Primitives, primitivesOf, run, runNow, runWaiting, type Steps } from './steps.ts'
import type { BatchFs, VfsSnapshot } from './vfs.ts'

type ReadVerbs = Omit<VfsSnapshot, 'seq' | 'sync' | 'diff' | 'dispose'>

/** On an asynchronous backend, a file may be written between the lookup and the read. */
const maxReadAttempts = 5

// Made once: these functions are called for each of thousands of files.
const rangeNames: OptionNames<ReadRange> = { start: 1, end: 1 }
const writeNames: OptionNames<WriteOptions> = { mode: 1, create: 1, ifRev: 1, append: 1, transfer: 1, parents: 1 }

export function readVerbs(on: Primitives): ReadVerbs {
  return {
    readFile: (path, range) =>
      used(on, path, 'open', (fs, at) => {
        needOptions(range, 'open', rangeNames, 'the range must be an object; readText returns text')
        return fs.read(at, range)
      }),
    readText: async path => decodeText(await used(on, path, 'open', (fs, at) => fs.read(at)), path),
    read: path =>
      go(on, function* () {
        const at = yield* existing(on, path, 'open')
        for (let attempt = 0; attempt < maxReadAttempts; attempt++) {
          const { rev } = yield* call(on, 'lookup', at)
          const bytes = yield* call(on, 'read', at)
          if ((yield* call(on, 'lookup', at)).rev === rev) return { text: decodeText(bytes, path), rev }
        }
        throw new VfsError('ESTALE', 'open', { path, hint: 'it changed during every attempt to read it; try again later' })
      }),
    stat: (path, given?: object) => used(on, path, 'stat', (fs, at) => fs.lookup(at), given),
    lstat: (path, given?: object) =>
      used(on, path, 'lstat', (fs, at) => fs.lookup(at, asksForDirectory(path) ? following : notFollowing), given),
    readdir: (path, given?: object) => used(on, path, 'scandir', (fs, at) => fs.list(at), given),
    readlink: path =>
      go(on, function* () {
        return yield* call(on, 'readlink', yield* itself(on, path, 'readlink'))
      }),
    exists: path =>
      go(on, function* () {
        try {
          yield* call(on, 'lookup', yield* existing(on, path, 'stat'))
          return true
        } catch (error) {
          // If the path leads nowhere, nothing exists there.
          if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENAMETOOLONG')) return false
          throw error
        }
      }),
  }
}

export function verbs(on: Primitives): BatchFs {
  const changing: Omit<BatchFs, keyof ReadVerbs> = {
    async writeFile(path, data, options) {
      const checked = vfsPath(path, 'open')
      const bytes = contentOf(data, path)
      needOptions(options, 'open', writeNames)
      if (asksForDirectory(path))
        throw new VfsError('EISDIR', 'open', { path, hint: "a path that ends in '/' means a directory" })
      return primitivesOf(on).write(checked, bytes, options)
    },
    mkdir: (path, given = {}) =>
      go(on, function* () {
        needOptions(given, 'mkdir', { recursive: 1, mode: 1 })
        const { recursive, ...options } = given
        const checked = vfsPath(path, 'mkdir')
        if (recursive === true) yield* makeDirectories(on, checked, options)
        else yield* call(on, 'mkdir', checked, options)
      }),
    rm: (path, options) =>
      go(on, function* () {
        yield* removeTree(on, yield* itself(on, path, 'rm'), options)
      }),
    rename: (from, to) =>
      go(on, function* () {
        const source = yield* itself(on, from, 'rename')
        yield* call(on, 'rename', source, yield* targetOfRename(on, source, to))
      }),
    symlink: (target, path) =>
      go(on, function* () {
        yield* call(on, 'symlink', target, yield* itself(on, path, 'symlink'))
      }),
    realpath: path =>
      go(on, function* () {
        return yield* call(on, 'realpath', yield* existing(on, path, 'realpath'))
      }),
    chmod: (path, mode) =>
      go(on, function* () {
        need('number', mode, 'chmod')
        yield* call(on, 'setattr', yield* existing(on, path, 'chmod'), { mode })
      }),
    utimes: (path, mtimeMs, atimeMs) =>
      go(on, function* () {
        need('number', mtimeMs, 'utime')
        if (atimeMs !== undefined) need('number', atimeMs, 'utime')
        yield* call(on, 'setattr', yield* existing(on, path, 'utime'), defined({ mtimeMs, atimeMs }))
      }),
  }
  // Not a spread, which takes several times as long: every tool call makes one.
  return Object.assign(readVerbs(on), changing)
}

/**
 * One primitive on a path whose symlinks are followed. These are called for each of thousands of files, so they do not use steps, which
 * only operations with several primitives need.
 */
async function used<T>(
  on: Primitives,
  text: string,
  syscall: string,
  act: (fs: VfsSync | Waiting, path: VfsPath) => T | Promise<T>,
  given?: object,
): Promise<T> {
  // An index, as in `paths.map(fs.stat)`, is no mistake.
  if (isRecord(given)) needOptions(given, syscall, {})
  const fs = primitivesOf(on)
  if (!asksForDirectory(text)) {
    const path = vfsPath(text, syscall)
    try {
      return act(fs, path)
    } catch (error) {
      if (!(error instanceof ContentElsewhere)) throw error
      await error.load()
      return act(fs, path)
    }
  }
  return act(fs, on.sync === undefined ? await runWaiting(existing(on, text, syscall)) : runNow(existing(on, text, syscall)))
}

const following = { follow: true } as const
const notFollowing = { follow: false } as const

function go<T>(on: Primitives, steps: () => Steps<T>): Promise<T> {
  return run(on, steps())
}

/** Resolves a path whose symlinks are followed. 'x/' is 'x', provided that x is a directory. */
export function* existing(on: Primitives, text: string, syscall: string): Steps<VfsPath> {
  const path = vfsPath(text, syscall)
  if (asksForDirectory(text)) {
    const stat = yield* statIfAny(on, path)
    if (stat !== undefined && stat.kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path: text })
  }
  return path
}

/** Resolves a name that is itself changed. 'link/' is refused: it means the directory behind the link, which has another name. */
export function* itself(on: Primitives, text: string, syscall: string): Steps<VfsPath> {
  const path = vfsPath(text, syscall)
  if (asksForDirectory(text)) {
    const stat = yield* statIfAny(on, path, { follow: false })
    if (stat !== undefined && stat.kind !== 'directory')
      throw new VfsError('ENOTDIR', syscall, { path: text, hint: "leave out the '/' at the end" })
  }
  return path
}

function* targetOfRename(on: Primitives, source: VfsPath, text: string): Steps<VfsPath> {
  const target = yield* itself(on, text, 'rename')
  if (asksForDirectory(text) && (yield* statIfAny(on, source, { follow: false }))?.kind !== 'directory')
    throw new VfsError('ENOTDIR', 'rename', { path: source, dest: text, hint: "leave out the '/' at the end" })
  return target
}
