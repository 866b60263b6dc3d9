// The filesystem that the interpreter calls, as plain types of ours: nothing that leaves this room names just-bash.
// Shapes: just-bash 3.4 IFileSystem.

export interface ShellStat {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly dev?: number | bigint
  readonly ino?: number | bigint
}

export interface ShellDirent {
  readonly name: string
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

type TextEncoding = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1'
export type ReadEncoding = { readonly encoding?: TextEncoding | null } | TextEncoding
export type WriteEncoding = { readonly encoding?: TextEncoding } | TextEncoding

/** Paths are absolute; errors are `Error`s whose message starts with an errno name. */
export interface ShellFs {
  readFile(path: string, options?: ReadEncoding): Promise<string>
  readFileBuffer(path: string): Promise<Uint8Array>
  /** Text in `binary` or `latin1` holds one byte in each character. */
  writeFile(path: string, content: string | Uint8Array, options?: WriteEncoding): Promise<void>
  appendFile(path: string, content: string | Uint8Array, options?: WriteEncoding): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<ShellStat>
  lstat(path: string): Promise<ShellStat>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  readdir(path: string): Promise<string[]>
  readdirWithFileTypes(path: string): Promise<ShellDirent[]>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  cp(from: string, to: string, options?: { readonly recursive?: boolean }): Promise<void>
  mv(from: string, to: string): Promise<void>
  resolvePath(base: string, path: string): string
  /** Every path there is, or none: the interpreter can do without. */
  getAllPaths(): string[]
  chmod(path: string, mode: number): Promise<void>
  symlink(target: string, path: string): Promise<void>
  link(existing: string, path: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  utimes(path: string, atime: Date, mtime: Date): Promise<void>
}
