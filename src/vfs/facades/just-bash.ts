// The workspace's files as the filesystem that just-bash asks for, so that its commands and the tools see the same bytes. The interface is
// just-bash's `IFileSystem` (3.4.2), repeated here so that the facade does not load the shell.

import { rootPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { walkSync } from '../derived/walk.ts'
import { isVfsError } from '../error.ts'
import type { Vfs } from '../vfs.ts'
import { type ByteEncoding, bytesToText, textToBytes } from './byte-encodings.ts'

export interface JustBashStat {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly dev: number
  readonly ino: number
}

export interface JustBashDirent {
  readonly name: string
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

type Encoding = { readonly encoding?: ByteEncoding | null } | ByteEncoding
type WriteEncoding = { readonly encoding?: ByteEncoding } | ByteEncoding

export interface JustBashFs {
  readFile(path: string, options?: Encoding): Promise<string>
  readFileBuffer(path: string): Promise<Uint8Array>
  writeFile(path: string, content: string | Uint8Array, options?: WriteEncoding): Promise<void>
  appendFile(path: string, content: string | Uint8Array, options?: WriteEncoding): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<JustBashStat>
  lstat(path: string): Promise<JustBashStat>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  readdir(path: string): Promise<string[]>
  readdirWithFileTypes(path: string): Promise<JustBashDirent[]>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  cp(from: string, to: string, options?: { readonly recursive?: boolean }): Promise<void>
  mv(from: string, to: string): Promise<void>
  resolvePath(base: string, path: string): string
  getAllPaths(): string[]
  chmod(path: string, mode: number): Promise<void>
  symlink(target: string, path: string): Promise<void>
  link(existing: string, path: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  utimes(path: string, atime: Date, mtime: Date): Promise<void>
}

/** Many scripts redirect to it, and just-bash looks for it in the filesystem. It is not a file of the workspace, so it is not stored. */
const nullDevice = '/dev/null'
const nullDeviceStat: JustBashStat = {
  isFile: true,
  isDirectory: false,
  isSymbolicLink: false,
  mode: 0o666,
  size: 0,
  mtime: new Date(0),
  dev: 0,
  ino: 1,
}

/**
 * Every error is a `VfsError`: just-bash's commands look for the code in the message, and find it there. Writing into a missing directory
 * fails with ENOENT, as in a real shell. `getAllPaths` returns nothing if the filesystem is not synchronous; then just-bash lists
 * directories instead.
 */
export function toJustBashFs(vfs: Vfs): JustBashFs {
  const write = async (
    path: string,
    content: string | Uint8Array,
    options: WriteEncoding | undefined,
    append: boolean,
  ): Promise<void> => {
    if (path === nullDevice) return
    const bytes = typeof content === 'string' ? textToBytes(content, encodingOf(options)) : content
    await vfs.writeFile(path, bytes, { append })
  }
  const read = async (path: string): Promise<Uint8Array> => (path === nullDevice ? new Uint8Array() : vfs.readFile(path))
  return {
    readFile: async (path, options) => bytesToText(await read(path), encodingOf(options)),
    readFileBuffer: read,
    writeFile: (path, content, options) => write(path, content, options, false),
    appendFile: (path, content, options) => write(path, content, options, true),
    exists: async path => path === nullDevice || vfs.exists(path),
    stat: async path => (path === nullDevice ? nullDeviceStat : statFor(await vfs.stat(path))),
    lstat: async path => (path === nullDevice ? nullDeviceStat : statFor(await vfs.lstat(path))),
    mkdir: (path, options) => vfs.mkdir(path, options),
    readdir: async path => (await vfs.readdir(path)).map(entry => entry.name),
    readdirWithFileTypes: async path => (await vfs.readdir(path)).map(({ name, kind }) => ({ name, ...kindFlags(kind) })),
    rm: (path, options) => remove(vfs, path, options),
    cp: (from, to, options) => vfs.copy(from, to, options),
    mv: (from, to) => move(vfs, from, to),
    resolvePath: resolveShellPath,
    getAllPaths: () =>
      vfs.sync === undefined ? [] : [rootPath, ...Array.from(walkSync(vfs.sync, rootPath), entry => entry.path)],
    chmod: (path, mode) => vfs.chmod(path, mode),
    symlink: (target, path) => vfs.symlink(target, path),
    link: (existing, path) => vfs.link(existing, path),
    readlink: path => vfs.readlink(path),
    realpath: path => vfs.realpath(path),
    utimes: (path, _atime, mtime) => vfs.utimes(path, mtime.getTime()),
  }
}

/** Normalizes by name alone, including `..`, as just-bash expects. It checks nothing: the operation that receives the path does. */
export function resolveShellPath(base: string, path: string): string {
  const kept: string[] = []
  for (const name of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return `/${kept.join('/')}`
}

function encodingOf(options: Encoding | undefined): ByteEncoding {
  return (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
}

function kindFlags(kind: Stat['kind']): Omit<JustBashDirent, 'name'> {
  return { isFile: kind === 'file', isDirectory: kind === 'directory', isSymbolicLink: kind === 'symlink' }
}

function statFor({ kind, mode, sizeBytes, mtimeMs, ino }: Stat): JustBashStat {
  return { ...kindFlags(kind), mode, size: sizeBytes, mtime: new Date(mtimeMs), dev: 1, ino }
}

/** just-bash calls `rm` of an empty directory, not recursive, for `rmdir`. */
async function remove(
  vfs: Vfs,
  path: string,
  options: { readonly recursive?: boolean; readonly force?: boolean } = {},
): Promise<void> {
  const isRmdir = options.recursive !== true && (await isDirectory(vfs, path))
  await vfs.rm(path, isRmdir ? { emptyDirectory: true } : options)
}

async function isDirectory(vfs: Vfs, path: string): Promise<boolean> {
  try {
    return (await vfs.lstat(path)).kind === 'directory'
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

/** `mv`: a rename. Between two filesystems it is a copy, and the original is removed once the copy is complete. */
async function move(vfs: Vfs, from: string, to: string): Promise<void> {
  try {
    await vfs.rename(from, to)
  } catch (error) {
    if (!isVfsError(error, 'EXDEV')) throw error
    await vfs.copy(from, to, { recursive: true })
    await vfs.rm(from, { recursive: true })
  }
}
