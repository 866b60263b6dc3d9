// A `Vfs` for libraries that take Node's `fs`: the same calls, results and failures, over whatever filesystem lies below. It needs
// neither Node nor its types, so that such a library runs in a page. Held against Node's own in node-facade.test.ts.

import { isVfsError } from '../../error.ts'
import type { Vfs } from '../../vfs.ts'
import { constants } from './constants.ts'
import { copyPath, type CopyOptions } from './copy.ts'
import { NodeDir, readDirectory, type ReaddirOptions, type ReaddirResult } from './directory.ts'
import { bytesOf, decoded, encoded, type NodeData } from './encodings.ts'
import { abortError, argumentError, asNode, nodeError, ownError, systemError } from './errors.ts'
import { milliseconds, NodeFileHandle } from './file-handle.ts'
import { type OpenMode, openMode } from './flags.ts'
import { absolute, type NodePath, pathText } from './paths.ts'
import { NodeDirent, NodeStats } from './stats.ts'
import type { Encoding, EncodingName, NameOptions, NodeFs, NodeFsPromises, ReadFileOptions, WriteFileOptions } from './types.ts'
import { watchPath, type WatchEvent, type WatchFileOptions } from './watch.ts'

/** Options of `toNodeFs`. */
export interface NodeFsOptions {
  /** What relative paths begin at; default '/'. */
  readonly workingDirectory?: string
  /** Bits that new files and directories do not get; default 0o022. */
  readonly umask?: number
}

const temporaryCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const maxTemporaryAttempts = 32
let lastDescriptor = 2

/**
 * `vfs` in the shape of `node:fs/promises`. Calls reject with Node's error (`code`, `errno`, `syscall`, `path`, `dest`), never throw.
 * What a filesystem of ours does not have is not there either: owners, `statfs`, streams, descriptors as numbers.
 */
export function toNodeFs(vfs: Vfs, options: NodeFsOptions = {}): NodeFs {
  const { workingDirectory = '/', umask = 0o022 } = options
  const at = (text: string): string => absolute(text, workingDirectory)

  /** Runs one call on one path. `act` gets it as the filesystem wants it, and as it was given. */
  const on = async <T>(syscall: string, path: NodePath, act: (path: string, shown: string) => Promise<T>): Promise<T> => {
    const shown = pathText(path)
    return asNode({ syscall, path: shown }, () => act(at(shown), shown))
  }

  const onTwo = async (
    syscall: string,
    from: NodePath,
    to: NodePath,
    act: (from: string, to: string) => Promise<void>,
  ): Promise<void> => {
    const call = { syscall, path: pathText(from), dest: pathText(to) }
    await asNode(call, () => act(at(call.path), at(call.dest)))
  }

  const put = async (
    path: NodePath | NodeFileHandle,
    data: NodeData,
    given: WriteFileOptions | undefined,
    flag: string,
  ): Promise<void> => {
    const settings = typeof given === 'object' && given !== null ? given : { encoding: given ?? null }
    checkAbort(settings.signal)
    const bytes = await bytesOf(data, settings.encoding)
    if (path instanceof NodeFileHandle) return path.writeFile(bytes)
    const mode = openMode(settings.flag ?? flag)
    await on('open', path, async (text, shown) => {
      if (mode.creates && (mode.truncates || mode.appends)) {
        await vfs.writeFile(text, bytes, {
          mode: (settings.mode ?? 0o666) & ~umask,
          append: mode.appends,
          create: mode.isExclusive ? 'exclusive' : 'if-missing',
        })
        return
      }
      const handle = await openFile(text, shown, mode, settings.mode)
      await handle.writeFile(bytes)
      await handle.close()
    })
  }

  const openFile = async (path: string, shown: string, mode: OpenMode, permissions = 0o666): Promise<NodeFileHandle> => {
    const call = { syscall: 'open', path: shown }
    if (mode.creates || mode.truncates) {
      const isThere = await vfs.exists(path)
      if (isThere && mode.writes && (await vfs.stat(path)).kind === 'directory') throw systemError('EISDIR', call)
      const create = mode.isExclusive ? 'exclusive' : mode.creates ? 'if-missing' : 'never'
      // Appending nothing makes what is missing and leaves the rest as it is.
      if (!isThere || mode.truncates || mode.isExclusive) {
        await vfs.writeFile(path, new Uint8Array(), { create, append: !mode.truncates, mode: permissions & ~umask })
      }
    }
    const { kind } = await vfs.stat(path)
    if (kind === 'directory' && mode.writes) throw systemError('EISDIR', call)
    const { transactions } = await vfs.caps(path)
    return new NodeFileHandle({
      vfs,
      path: await vfs.realpath(path),
      mode,
      descriptor: ++lastDescriptor,
      hasRevisions: transactions,
    })
  }

  const named = (name: string, given: NameOptions | undefined): string | Uint8Array => {
    const encoding = typeof given === 'object' && given !== null ? given.encoding : given
    return encoding === 'buffer' ? encoded(name, 'utf8') : decoded(encoded(name, 'utf8'), encoding ?? 'utf8')
  }

  // Written out: git asks for two stats of each file, and each promise on the way costs as much as the stat.
  const statWith = async (
    syscall: 'stat' | 'lstat',
    path: NodePath,
    given?: { readonly bigint?: boolean },
  ): Promise<NodeStats> => {
    if (given?.bigint === true) {
      throw argumentError(
        'ERR_INVALID_ARG_VALUE',
        "The property 'options.bigint' must be false: sizes and times are numbers here",
      )
    }
    const shown = pathText(path)
    try {
      return new NodeStats(await vfs[syscall](at(shown)))
    } catch (error) {
      throw nodeError({ syscall, path: shown }, error)
    }
  }

  async function readFile(
    path: NodePath | NodeFileHandle,
    options: EncodingName | { readonly encoding: EncodingName },
  ): Promise<string>
  async function readFile(path: NodePath | NodeFileHandle, options?: ReadFileOptions): Promise<Uint8Array | string>
  async function readFile(path: NodePath | NodeFileHandle, options?: ReadFileOptions): Promise<Uint8Array | string> {
    const settings = typeof options === 'object' && options !== null ? options : { encoding: options ?? null }
    checkAbort(settings.signal)
    if (path instanceof NodeFileHandle) return path.readFile(settings.encoding ?? null)
    const shown = pathText(path)
    try {
      return decoded(await vfs.readFile(at(shown)), settings.encoding)
    } catch (error) {
      if (!isVfsError(error)) throw error
      // Node has opened a directory before it finds that it cannot read it, and then names no path.
      throw systemError(error.code, error.code === 'EISDIR' ? { syscall: 'read' } : { syscall: 'open', path: shown }, error)
    }
  }

  async function readdir(path: NodePath, options: ReaddirOptions & { readonly withFileTypes: true }): Promise<NodeDirent[]>
  async function readdir(
    path: NodePath,
    options?: 'utf8' | { readonly encoding?: 'utf8'; readonly recursive?: boolean },
  ): Promise<string[]>
  async function readdir(path: NodePath, options?: Encoding | ReaddirOptions): Promise<ReaddirResult>
  async function readdir(path: NodePath, options?: Encoding | ReaddirOptions): Promise<ReaddirResult> {
    const settings = typeof options === 'object' && options !== null ? options : { encoding: options ?? null }
    return on('scandir', path, (text, shown) => readDirectory(vfs, text, shown, settings))
  }

  const promises: NodeFsPromises = {
    constants,
    access: (path, mode = constants.F_OK) =>
      on('access', path, async (text, shown) => {
        const stat = await vfs.stat(text)
        if ((mode & constants.W_OK) !== 0 && (await vfs.caps(text)).readonly)
          throw systemError('EROFS', { syscall: 'access', path: shown })
        if ((mode & constants.X_OK) !== 0 && stat.kind === 'file' && (stat.mode & 0o111) === 0) {
          throw systemError('EACCES', { syscall: 'access', path: shown })
        }
      }),
    appendFile: (path, data, given) => put(path, data, given, 'a'),
    chmod: (path, mode) => on('chmod', path, text => vfs.chmod(text, mode)),
    copyFile: (from, to, mode = 0) =>
      onTwo('copyfile', from, to, async (source, target) => {
        const stat = await vfs.stat(source)
        const bytes = await vfs.readFile(source)
        const isExclusive = (mode & constants.COPYFILE_EXCL) !== 0
        await vfs.writeFile(target, bytes, { mode: stat.mode, create: isExclusive ? 'exclusive' : 'if-missing' })
      }),
    cp: (from, to, given = {}) => onTwo('cp', from, to, (source, target) => copyPath(vfs, source, target, given)),
    link: (existing, path) => onTwo('link', existing, path, (source, target) => vfs.link(source, target)),
    lstat: (path, given) => statWith('lstat', path, given),
    mkdir: async (path, given = {}) => {
      const { recursive = false, mode = 0o777 } = typeof given === 'number' ? { mode: given } : given
      return on('mkdir', path, async text => {
        const first = recursive ? await firstMissing(vfs, text) : undefined
        await vfs.mkdir(text, { recursive, mode: mode & ~umask })
        return first
      })
    },
    mkdtemp: async prefix => {
      const text = pathText(prefix)
      return asNode({ syscall: 'mkdtemp', path: `${text}XXXXXX` }, async () => {
        for (let attempt = 1; ; attempt++) {
          const path = `${text}${randomCharacters(6)}`
          try {
            await vfs.mkdir(at(path), { mode: 0o700 })
            return path
          } catch (error) {
            if (!isVfsError(error, 'EEXIST') || attempt >= maxTemporaryAttempts) throw error
          }
        }
      })
    },
    open: async (path, flags = 'r', mode = 0o666) => {
      const parsed = openMode(flags)
      return on('open', path, (text, shown) => openFile(text, shown, parsed, mode))
    },
    opendir: async (path, given = {}) =>
      on('opendir', path, (text, shown) => NodeDir.open(vfs, text, shown, given.recursive === true)),
    readFile,
    readdir,
    readlink: async (path, given) => on('readlink', path, async text => named(await vfs.readlink(text), given)),
    realpath: async (path, given) => on('realpath', path, async text => named(await vfs.realpath(text), given)),
    rename: (from, to) => onTwo('rename', from, to, (source, target) => vfs.rename(source, target)),
    rm: async (path, given = {}) => {
      const { recursive = false, force = false } = given
      const shown = pathText(path)
      await on('lstat', path, async text => {
        if (!recursive && (await isDirectory(vfs, text, force))) {
          throw ownError('ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${shown}`, {
            errno: 21,
            syscall: 'rm',
            path: shown,
          })
        }
        await vfs.rm(text, { recursive, force })
      })
    },
    rmdir: path => on('rmdir', path, text => vfs.rm(text, { emptyDirectory: true })),
    stat: (path, given) => statWith('stat', path, given),
    symlink: async (target, path) => onTwo('symlink', target, path, (_from, to) => vfs.symlink(pathText(target), to)),
    truncate: (path, length = 0) =>
      on('open', path, async (text, shown) => {
        const handle = await openFile(text, shown, openMode('r+'))
        await handle.truncate(length)
        await handle.close()
      }),
    unlink: path => on('unlink', path, text => vfs.rm(text)),
    utimes: (path, _atime, mtime) => on('utime', path, text => vfs.utimes(text, milliseconds(mtime))),
    watch: (path, given = {}) => watchPath(vfs, at(pathText(path)), pathText(path), given),
    writeFile: (path, data, given) => put(path, data, given, 'w'),
  }
  return { ...promises, promises }
}

function checkAbort(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}

async function isDirectory(vfs: Vfs, path: string, isMissingFine: boolean): Promise<boolean> {
  try {
    return (await vfs.lstat(path)).kind === 'directory'
  } catch (error) {
    if (isMissingFine && isVfsError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

/** What `mkdir -p` would make first. A path has at most 2,048 names, and each turn takes one away. */
async function firstMissing(vfs: Vfs, path: string): Promise<string | undefined> {
  let first: string | undefined
  for (let current = path.replace(/\/+$/, ''); current !== ''; current = current.slice(0, current.lastIndexOf('/'))) {
    if (await vfs.exists(current)) break
    first = current
  }
  return first
}

function randomCharacters(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count))
  return Array.from(bytes, byte => temporaryCharacters.charAt(byte % temporaryCharacters.length)).join('')
}

export type { NodeFs, NodeFsPromises } from './types.ts'
export type { CopyOptions, NodeData, NodePath, OpenMode, ReaddirOptions, ReaddirResult, WatchEvent, WatchFileOptions }
export { NodeDir, NodeDirent, NodeFileHandle, NodeStats }
export type { NodeFsError } from './errors.ts'
