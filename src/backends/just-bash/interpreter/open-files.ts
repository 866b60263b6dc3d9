// Open files of a script. Written content is buffered, and becomes one change of the filesystem when the file is closed, or
// earlier if the same script reads the file. A redirection of a whole loop is therefore one change, and an interrupted script
// leaves either the old or the new content complete.

import { resolveFrom, type Awaitable, type FileEntry, type FileStat, type ShellFiles } from '../../../shell/files.ts'
import { joinBytes } from '../../../core/bytes.ts'
import type { OpenFile } from './descriptors.ts'
import { codeOf, errno } from '../errno.ts'
import type { ScriptFiles } from '../places.ts'
import { BothWaysFile, DirectoryFile, FileReader, FileWriter } from './file-descriptions.ts'

/** Buffered content that is not yet in the filesystem. */
export class Unsaved {
  /** The current path of the file. `undefined` if the file was removed. */
  path: string | undefined
  parts: Uint8Array[] = []
  sizeBytes = 0
  /** The length of the whole file, including the saved part. */
  lengthBytes: number
  /** Whether the content replaces the file. Otherwise it is appended. */
  replaces: boolean
  isDirty: boolean
  mode: number | undefined
  users = 0

  constructor(path: string, replaces: boolean, lengthBytes: number, mode: number | undefined) {
    this.path = path
    this.replaces = replaces
    this.lengthBytes = lengthBytes
    this.isDirty = replaces
    this.mode = mode
  }
}

/** Above this size buffered content is written early, so that a script can write more than fits into memory. */
const maxUnsavedBytes = 8 * 1024 * 1024

/** The files of one run, shared by all its shells and commands. */
export class OpenFiles implements ShellFiles {
  readonly #files: ScriptFiles
  readonly #unsaved = new Map<string, Unsaved>()
  /** Files that are open for reading. A removed file is not in the set because its content cannot change. */
  readonly #readers = new Set<FileReader>()

  constructor(files: ScriptFiles) {
    this.#files = files
  }

  // Opening files

  async openForReading(path: string): Promise<OpenFile> {
    await this.#save(path)
    const { kind } = await this.#files.stat(path)
    if (kind === 'directory') return new DirectoryFile(path)
    const reader = new FileReader(path, this, () => this.#readers.delete(reader))
    this.#readers.add(reader)
    return reader
  }

  /** Opens a file for writing. Throws the error of the filesystem, for example for a missing directory. */
  async openForWriting(path: string, how: 'truncate' | 'append' | 'exclusive', newMode: number): Promise<OpenFile> {
    const isOpen = this.#unsaved.has(path)
    // Whether a file exists must be current if it must not.
    const place = isOpen || how === 'exclusive' ? 'unknown' : ((await this.#files.placeOf?.(path)) ?? 'unknown')
    const isFree = place === 'free'
    const { target, found } =
      isOpen || isFree ? { target: path } : place === 'unknown' ? await this.#targetOf(path) : { target: path, found: place }
    const known = this.#unsaved.get(target)
    if (known !== undefined) {
      if (how === 'exclusive') throw existsError(path)
      if (how === 'truncate') this.#truncate(known)
      known.users += 1
      return new FileWriter(target, known, this, how === 'append')
    }
    if (found?.kind === 'directory') throw errno('EISDIR', 'illegal operation on a directory', path)
    if (found !== undefined && how === 'exclusive') throw existsError(path)
    if (found === undefined && !isFree) await this.#checkParent(target)
    else if (how === 'truncate') this.#reloadReadersOf(target)
    const mode = found === undefined ? newMode : undefined
    const unsaved = new Unsaved(target, how !== 'append', how === 'append' ? (found?.sizeBytes ?? 0) : 0, mode)
    if (found === undefined) unsaved.isDirty = true
    unsaved.users = 1
    this.#unsaved.set(target, unsaved)
    return new FileWriter(target, unsaved, this, how === 'append')
  }

  async openForBoth(path: string, newMode: number): Promise<OpenFile> {
    await this.#save(path)
    const { target, found } = await this.#targetOf(path)
    if (found?.kind === 'directory') throw errno('EISDIR', 'illegal operation on a directory', path)
    if (found === undefined) await this.#files.writeFile(target, new Uint8Array(), { mode: newMode })
    return new BothWaysFile(target, this)
  }

  #truncate(unsaved: Unsaved): void {
    this.#reloadReadersOf(unsaved.path)
    unsaved.parts = []
    unsaved.sizeBytes = 0
    unsaved.lengthBytes = 0
    unsaved.replaces = true
    unsaved.isDirty = true
  }

  async #checkParent(path: string): Promise<void> {
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    const { kind } = await this.#files.stat(parent)
    if (kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
  }

  /** Resolves symbolic links and returns the target with its status, which a dangling link has not. */
  async #targetOf(path: string): Promise<{ readonly target: string; readonly found: FileStat | undefined }> {
    let isLink = false
    try {
      const found = await this.#files.lstat(path)
      if (found.kind !== 'symlink') return { target: path, found }
      isLink = true
      const target = await this.#files.realpath(path)
      return { target, found: await this.#files.stat(target) }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      if (!isLink) return { target: path, found: undefined }
      const directory = await this.#files.realpath(path.slice(0, path.lastIndexOf('/')) || '/')
      return this.#targetOf(resolveFrom(directory, await this.#files.readlink(path)))
    }
  }

  // Writing

  async append(unsaved: Unsaved, bytes: Uint8Array): Promise<void> {
    this.#reloadReadersOf(unsaved.path)
    unsaved.parts.push(bytes.slice())
    unsaved.sizeBytes += bytes.length
    unsaved.lengthBytes += bytes.length
    unsaved.isDirty = true
    if (unsaved.sizeBytes > maxUnsavedBytes) await this.#write(unsaved)
  }

  /** Two descriptors that opened the same file have separate positions, so one can overwrite the content of the other. */
  async writeAt(unsaved: Unsaved, position: number, bytes: Uint8Array): Promise<void> {
    if (position === unsaved.lengthBytes) return this.append(unsaved, bytes)
    if (unsaved.path === undefined) return
    this.#reloadReadersOf(unsaved.path)
    const saved = unsaved.replaces ? new Uint8Array() : await this.#files.readFile(unsaved.path)
    const before = joinBytes([saved, ...unsaved.parts], saved.length + unsaved.sizeBytes)
    const all = new Uint8Array(Math.max(before.length, position + bytes.length))
    all.set(before)
    all.set(bytes, position)
    unsaved.parts = [all]
    unsaved.sizeBytes = all.length
    unsaved.lengthBytes = all.length
    unsaved.replaces = true
    unsaved.isDirty = true
    if (unsaved.sizeBytes > maxUnsavedBytes) await this.#write(unsaved)
  }

  async release(unsaved: Unsaved): Promise<void> {
    unsaved.users -= 1
    if (unsaved.users > 0) return
    await this.#write(unsaved)
    if (unsaved.path !== undefined && this.#unsaved.get(unsaved.path) === unsaved) this.#unsaved.delete(unsaved.path)
  }

  async #write(unsaved: Unsaved): Promise<void> {
    if (!unsaved.isDirty || unsaved.path === undefined) return
    const bytes = joinBytes(unsaved.parts, unsaved.sizeBytes)
    const { mode, replaces } = unsaved
    unsaved.parts = []
    unsaved.sizeBytes = 0
    unsaved.isDirty = false
    // Content that is written later is appended.
    unsaved.replaces = false
    unsaved.mode = undefined
    await this.#files.writeFile(unsaved.path, bytes, { append: !replaces, ...(mode === undefined ? {} : { mode }) })
  }

  /** Saves all open files, so that other processes can read them while the script waits. */
  async saveAll(): Promise<void> {
    for (const unsaved of this.#unsaved.values()) await this.#write(unsaved)
  }

  #save(path: string): Awaitable<void> {
    if (this.#unsaved.size === 0) return
    const unsaved = this.#unsaved.get(path)
    return unsaved === undefined ? this.#saveThrough(path) : this.#write(unsaved)
  }

  /** Saves the open file to which a symbolic link at `path` refers. */
  async #saveThrough(path: string): Promise<void> {
    if (![...this.#unsaved.values()].some(({ isDirty }) => isDirty)) return
    try {
      const real = await this.#files.realpath(path)
      const unsaved = real === path ? undefined : this.#unsaved.get(real)
      if (unsaved !== undefined) await this.#write(unsaved)
    } catch {
      // The path does not exist. The caller reports that.
    }
  }

  async #saveBelow(path: string): Promise<void> {
    if (this.#unsaved.size === 0) return
    const prefix = path === '/' ? '/' : `${path}/`
    for (const unsaved of this.#unsaved.values())
      if (unsaved.path === path || unsaved.path?.startsWith(prefix) === true) await this.#write(unsaved)
  }

  /** Loads the content for readers before another file takes the path: they keep the old content. */
  async #loadReadersOf(path: string): Promise<void> {
    if (this.#readers.size === 0) return
    for (const reader of [...this.#readers]) if (reader.path === path || reader.path.startsWith(`${path}/`)) await reader.load()
  }

  /** Detaches the readers of a file that is removed, so that later writes to its path do not reach them. */
  async #fixReadersOf(path: string): Promise<void> {
    await this.#loadReadersOf(path)
    for (const reader of [...this.#readers])
      if (reader.path === path || reader.path.startsWith(`${path}/`)) this.#readers.delete(reader)
  }

  /** Makes readers load the file again after a write, so that they see the new content from their position on. */
  #reloadReadersOf(path: string | undefined): void {
    if (this.#readers.size === 0) return
    for (const reader of this.#readers) if (reader.path === path) reader.forget()
  }

  // File operations of commands

  readFile(path: string, range?: { readonly start?: number; readonly end?: number }): Awaitable<Uint8Array> {
    if (this.#unsaved.size === 0) return this.#files.readFile(path, range)
    return this.#after(this.#save(path), () => this.#files.readFile(path, range))
  }

  async writeFile(path: string, data: Uint8Array, options: Parameters<ShellFiles['writeFile']>[2] = {}): Promise<unknown> {
    await this.#save(path)
    if (options.append !== true) await this.#loadReadersOf(path)
    const written = await this.#files.writeFile(path, data, options)
    const open = this.#unsaved.get(path)
    if (open !== undefined) open.lengthBytes = data.length + (options.append === true ? open.lengthBytes : 0)
    return written
  }

  stat(path: string): Awaitable<FileStat> {
    if (this.#unsaved.size === 0) return this.#files.stat(path)
    return this.#after(this.#save(path), () => this.#files.stat(path))
  }

  lstat(path: string): Awaitable<FileStat> {
    if (this.#unsaved.size === 0) return this.#files.lstat(path)
    return this.#after(this.#save(path), () => this.#files.lstat(path))
  }

  exists(path: string): Awaitable<boolean> {
    return this.#unsaved.has(path) || this.#files.exists(path)
  }

  readdir(path: string): Awaitable<readonly FileEntry[]> {
    if (this.#unsaved.size === 0) return this.#files.readdir(path)
    return this.#after(this.#saveBelow(path), () => this.#files.readdir(path))
  }

  mkdir(path: string, options?: Parameters<ShellFiles['mkdir']>[1]): Awaitable<void> {
    return this.#files.mkdir(path, options)
  }

  async rm(path: string, options?: Parameters<ShellFiles['rm']>[1]): Promise<void> {
    await this.#fixReadersOf(path)
    await this.#saveBelow(path)
    await this.#files.rm(path, options)
    for (const [key, unsaved] of this.#unsaved) {
      if (key !== path && !key.startsWith(`${path}/`)) continue
      // The file has been removed, so further writes are discarded.
      unsaved.path = undefined
      this.#unsaved.delete(key)
    }
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#fixReadersOf(from)
    await this.#fixReadersOf(to)
    await this.#saveBelow(from)
    await this.#saveBelow(to)
    await this.#files.rename(from, to)
    const replaced = this.#unsaved.get(to)
    if (replaced !== undefined) {
      replaced.path = undefined
      this.#unsaved.delete(to)
    }
    for (const [key, unsaved] of [...this.#unsaved]) {
      if (key !== from && !key.startsWith(`${from}/`)) continue
      this.#unsaved.delete(key)
      unsaved.path = to + key.slice(from.length)
      this.#unsaved.set(unsaved.path, unsaved)
    }
  }

  async link(existing: string, path: string): Promise<void> {
    await this.#save(existing)
    await this.#files.link(existing, path)
  }

  symlink(target: string, path: string): Awaitable<void> {
    return this.#files.symlink(target, path)
  }

  readlink(path: string): Awaitable<string> {
    return this.#files.readlink(path)
  }

  realpath(path: string): Awaitable<string> {
    return this.#after(this.#save(path), () => this.#files.realpath(path))
  }

  async chmod(path: string, mode: number): Promise<void> {
    await this.#save(path)
    await this.#files.chmod(path, mode)
  }

  async utimes(path: string, mtimeMs: number, atimeMs?: number): Promise<void> {
    await this.#save(path)
    await this.#files.utimes(path, mtimeMs, atimeMs)
  }

  #after<T>(first: Awaitable<void>, then: () => Awaitable<T>): Awaitable<T> {
    return first instanceof Promise ? first.then(then) : then()
  }
}

function existsError(path: string): Error {
  return errno('EEXIST', 'file already exists', path)
}
