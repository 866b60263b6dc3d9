// The files as a command of a shell sees them. The filesystem facade implements this interface. The worker of a shell has another
// implementation, which is synchronous if threads share memory. Every result must therefore be awaited, but none is always a promise.

export type Awaitable<T> = T | Promise<T>

export type FileKind = 'file' | 'directory' | 'symlink'

export interface FileStat {
  readonly kind: FileKind
  readonly sizeBytes: number
  /** Permission bits only (`0o777`). */
  readonly mode: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Missing while it is that of the last modification. */
  readonly atimeMs?: number | undefined
  readonly ino: number
  readonly nlink: number
  /** Set for a character device, which has the kind of a file. */
  readonly device?: DeviceNumbers | undefined
  /** Set for a pipe, which has the kind of a file too. */
  readonly isPipe?: boolean | undefined
}

export type DeviceNumbers = readonly [major: number, minor: number]

export interface FileEntry {
  readonly name: string
  readonly kind: FileKind
}

/**
 * Paths are absolute. Every change is checked against the policy, synchronized with those of the tools, and attributed to the
 * command. An error has a `code` such as `ENOENT`.
 */
export interface ShellFiles {
  readFile(path: string, range?: { readonly start?: number; readonly end?: number }): Awaitable<Uint8Array>
  /** Replaces the content atomically, or appends to it. The mode of an existing file does not change. */
  writeFile(
    path: string,
    data: Uint8Array,
    options?: { readonly append?: boolean; readonly mode?: number; readonly create?: 'if-missing' | 'exclusive' | 'never' },
  ): Awaitable<unknown>
  /** Follows symlinks. */
  stat(path: string): Awaitable<FileStat>
  lstat(path: string): Awaitable<FileStat>
  exists(path: string): Awaitable<boolean>
  /** Sorted by name. */
  readdir(path: string): Awaitable<readonly FileEntry[]>
  mkdir(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): Awaitable<void>
  rm(
    path: string,
    options?: { readonly recursive?: boolean; readonly force?: boolean; readonly emptyDirectory?: boolean },
  ): Awaitable<void>
  rename(from: string, to: string): Awaitable<void>
  link(existing: string, path: string): Awaitable<void>
  symlink(target: string, path: string): Awaitable<void>
  readlink(path: string): Awaitable<string>
  realpath(path: string): Awaitable<string>
  chmod(path: string, mode: number): Awaitable<void>
  utimes(path: string, mtimeMs: number, atimeMs?: number): Awaitable<void>
}

/** Resolves `path` from `cwd` without accessing files. An empty path stays empty. The operation that receives the path validates it. */
export function resolveFrom(cwd: string, path: string): string {
  if (path === '') return ''
  const kept: string[] = []
  for (const name of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return `/${kept.join('/')}`
}
