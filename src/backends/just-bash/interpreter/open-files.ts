// Files that a script holds open. What is written to one is kept here and becomes one change of the filesystem when the file is closed, or
// earlier when somebody of the same script looks at it: a redirection of a whole loop is one commit, and an ended script leaves either all
// that was there before or all that it wrote.

import type { Awaitable, FileEntry, FileStat, ShellFiles } from '../../../shell/files.ts'
import { joinBytes } from '../../../core/bytes.ts'
import { refuseReading, refuseWriting, type OpenFile } from './descriptors.ts'

/** Content that is not yet in the filesystem. */
class Unsaved {
  /** Where it belongs; changes when the file is renamed. `undefined`: the file was removed. */
  path: string | undefined
  parts: Uint8Array[] = []
  sizeBytes = 0
  /** What is here replaces the file; else it is appended. */
  replaces: boolean
  isDirty: boolean
  mode: number | undefined
  users = 0

  constructor(path: string, replaces: boolean, mode: number | undefined) {
    this.path = path
    this.replaces = replaces
    this.isDirty = replaces
    this.mode = mode
  }
}

/** As much is kept before it is written, so that a script may write more than fits into memory. */
const maxUnsavedBytes = 8 * 1024 * 1024

/** The files of one run, as all its shells and commands see them. */
export class OpenFiles implements ShellFiles {
  readonly #files: ShellFiles
  readonly #unsaved = new Map<string, Unsaved>()
  /** Files that are open for reading and whose content is not loaded yet. */
  readonly #unread = new Set<FileReader>()

  constructor(files: ShellFiles) {
    this.#files = files
  }

  // -- opening

  /** For reading. */
  async openForReading(path: string): Promise<OpenFile> {
    await this.#save(path)
    const { kind } = await this.#files.stat(path)
    if (kind === 'directory') return new DirectoryFile(path)
    const reader = new FileReader(path, this, () => this.#unread.delete(reader))
    this.#unread.add(reader)
    return reader
  }

  /** For writing. Throws what the filesystem would: a directory that is missing, a file that may not be written. */
  async openForWriting(path: string, how: 'truncate' | 'append' | 'exclusive', newMode: number): Promise<OpenFile> {
    const { target, found } = this.#unsaved.has(path) ? { target: path } : await this.#targetOf(path)
    const known = this.#unsaved.get(target)
    if (known !== undefined) {
      if (how === 'exclusive') throw existsError(path)
      if (how === 'truncate') this.#truncate(known)
      known.users += 1
      return new FileWriter(target, known, this, how === 'append')
    }
    if (found?.kind === 'directory') throw errno('EISDIR', 'illegal operation on a directory', path)
    if (found !== undefined && how === 'exclusive') throw existsError(path)
    if (found === undefined) await this.#checkParent(target)
    else if (how === 'truncate') await this.#loadReadersOf(target)
    const mode = found === undefined ? newMode : undefined
    const unsaved = new Unsaved(target, how !== 'append', mode)
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
    unsaved.parts = []
    unsaved.sizeBytes = 0
    unsaved.replaces = true
    unsaved.isDirty = true
  }

  async #checkParent(path: string): Promise<void> {
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    const { kind } = await this.#files.stat(parent)
    if (kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
  }

  /** The path behind symlinks, and what is there. A link that leads to nothing stands for itself. */
  async #targetOf(path: string): Promise<{ readonly target: string; readonly found: FileStat | undefined }> {
    try {
      const found = await this.#files.lstat(path)
      if (found.kind !== 'symlink') return { target: path, found }
      const target = await this.#files.realpath(path)
      return { target, found: await this.#files.stat(target) }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { target: path, found: undefined }
      throw error
    }
  }

  // -- writing

  async append(unsaved: Unsaved, bytes: Uint8Array): Promise<void> {
    unsaved.parts.push(bytes.slice())
    unsaved.sizeBytes += bytes.length
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
    // What comes later is added to what is there now.
    unsaved.replaces = false
    unsaved.mode = undefined
    await this.#files.writeFile(unsaved.path, bytes, { append: !replaces, ...(mode === undefined ? {} : { mode }) })
  }

  /** Everything that is open becomes visible to others: before the script waits. */
  async saveAll(): Promise<void> {
    for (const unsaved of this.#unsaved.values()) await this.#write(unsaved)
  }

  #save(path: string): Awaitable<void> {
    if (this.#unsaved.size === 0) return
    const unsaved = this.#unsaved.get(path)
    return unsaved === undefined ? this.#saveThrough(path) : this.#write(unsaved)
  }

  /** Another name for an open file: only a link can be one. */
  async #saveThrough(path: string): Promise<void> {
    if (![...this.#unsaved.values()].some(({ isDirty }) => isDirty)) return
    try {
      const real = await this.#files.realpath(path)
      const unsaved = real === path ? undefined : this.#unsaved.get(real)
      if (unsaved !== undefined) await this.#write(unsaved)
    } catch {
      // Nothing is there: whoever asked hears of it.
    }
  }

  async #saveBelow(path: string): Promise<void> {
    if (this.#unsaved.size === 0) return
    const prefix = path === '/' ? '/' : `${path}/`
    for (const unsaved of this.#unsaved.values())
      if (unsaved.path === path || unsaved.path?.startsWith(prefix) === true) await this.#write(unsaved)
  }

  /** Readers keep the content that was there when it is replaced or removed. */
  async #loadReadersOf(path: string): Promise<void> {
    if (this.#unread.size === 0) return
    for (const reader of [...this.#unread]) if (reader.path === path || reader.path.startsWith(`${path}/`)) await reader.load()
  }

  // -- what commands do to the files

  readFile(path: string, range?: { readonly start?: number; readonly end?: number }): Awaitable<Uint8Array> {
    if (this.#unsaved.size === 0) return this.#files.readFile(path, range)
    return this.#after(this.#save(path), () => this.#files.readFile(path, range))
  }

  async writeFile(path: string, data: Uint8Array, options: Parameters<ShellFiles['writeFile']>[2] = {}): Promise<unknown> {
    await this.#save(path)
    if (options.append !== true) await this.#loadReadersOf(path)
    return this.#files.writeFile(path, data, options)
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
    await this.#loadReadersOf(path)
    await this.#saveBelow(path)
    await this.#files.rm(path, options)
    for (const [key, unsaved] of this.#unsaved) {
      if (key !== path && !key.startsWith(`${path}/`)) continue
      // Whoever still writes to it writes to nobody.
      unsaved.path = undefined
      this.#unsaved.delete(key)
    }
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#loadReadersOf(from)
    await this.#loadReadersOf(to)
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

  async utimes(path: string, mtimeMs: number): Promise<void> {
    await this.#save(path)
    await this.#files.utimes(path, mtimeMs)
  }

  #after<T>(first: Awaitable<void>, then: () => Awaitable<T>): Awaitable<T> {
    return first instanceof Promise ? first.then(then) : then()
  }
}

class FileReader implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = false
  readonly path: string
  readonly #files: OpenFiles
  readonly #onLoaded: () => void
  #content: Uint8Array | undefined
  #position = 0

  constructor(path: string, files: OpenFiles, onLoaded: () => void) {
    this.path = path
    this.#files = files
    this.#onLoaded = onLoaded
  }

  async load(): Promise<Uint8Array> {
    this.#content ??= await this.#files.readFile(this.path)
    this.#onLoaded()
    return this.#content
  }

  read(): Awaitable<Uint8Array | undefined> {
    return this.#content === undefined ? this.load().then(content => this.#rest(content)) : this.#rest(this.#content)
  }

  #rest(content: Uint8Array): Uint8Array | undefined {
    const rest = content.subarray(this.#position)
    this.#position = content.length
    return rest.length === 0 ? undefined : rest
  }

  unread(bytes: Uint8Array): void {
    // Only what was read last is ever put back.
    this.#position -= bytes.length
  }

  write = refuseWriting

  close(): void {
    this.#onLoaded()
  }
}

class FileWriter implements OpenFile {
  readonly kind = 'file'
  readonly canRead = false
  readonly canWrite = true
  readonly path: string
  readonly isAppending: boolean
  readonly #unsaved: Unsaved
  readonly #files: OpenFiles

  constructor(path: string, unsaved: Unsaved, files: OpenFiles, isAppending: boolean) {
    this.path = path
    this.#unsaved = unsaved
    this.#files = files
    this.isAppending = isAppending
  }

  read = refuseReading

  unread(): void {
    // Nothing was read.
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#files.append(this.#unsaved, bytes)
  }

  close(): Promise<void> {
    return this.#files.release(this.#unsaved)
  }
}

/** `<>`: one place for reading and writing. Rare, so it works on the whole file each time. */
class BothWaysFile implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = true
  readonly path: string
  readonly #files: OpenFiles
  #position = 0

  constructor(path: string, files: OpenFiles) {
    this.path = path
    this.#files = files
  }

  async read(): Promise<Uint8Array | undefined> {
    const rest = (await this.#files.readFile(this.path)).subarray(this.#position)
    this.#position += rest.length
    return rest.length === 0 ? undefined : rest
  }

  unread(bytes: Uint8Array): void {
    this.#position -= bytes.length
  }

  async write(bytes: Uint8Array): Promise<void> {
    const content = await this.#files.readFile(this.path)
    const all = new Uint8Array(Math.max(content.length, this.#position + bytes.length))
    all.set(content)
    all.set(bytes, this.#position)
    this.#position += bytes.length
    await this.#files.writeFile(this.path, all)
  }

  close(): void {
    // Everything is written already.
  }
}

class DirectoryFile implements OpenFile {
  readonly kind = 'file'
  readonly canRead = true
  readonly canWrite = false
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  read(): never {
    throw errno('EISDIR', 'illegal operation on a directory', this.path)
  }

  unread(): void {
    // Nothing was read.
  }

  write = refuseWriting

  close(): void {
    // It holds nothing.
  }
}

export function errno(code: string, reason: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${reason}, '${path}'`), { code, path })
}

function existsError(path: string): Error {
  return errno('EEXIST', 'file already exists', path)
}

/** The errno name of a failed operation. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  EINVAL: 'Invalid argument',
  EBADF: 'Bad file descriptor',
  EROFS: 'Read-only file system',
  EXDEV: 'Invalid cross-device link',
  ENOSPC: 'No space left on device',
}

/** What went wrong, in the words of a Unix program; what the workspace adds (a policy's reason) is kept. */
export function reasonOf(error: unknown): string {
  const known = reasons[codeOf(error) ?? '']
  const message = error instanceof Error ? error.message : String(error)
  const hint = / \(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(message)?.[1]
  if (known === undefined) return message
  return hint === undefined ? known : `${known} (${hint})`
}
