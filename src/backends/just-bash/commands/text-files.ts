// The filesystem interface of commands that work on whole inputs: content is bytes, or text in a named encoding.

import type { DeviceNumbers } from '../../../shell/files.ts'
import type { ByteEncoding } from '../../../vfs/facades/byte-encodings.ts'

export interface CommandStat {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly ctime: Date
  readonly atime: Date
  readonly dev: number
  readonly ino: number
  readonly nlink: number
  readonly device: DeviceNumbers | undefined
  readonly isPipe: boolean | undefined
}

interface CommandEntry {
  readonly name: string
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

type Encoding = { readonly encoding?: ByteEncoding | null } | ByteEncoding
type WriteEncoding = { readonly encoding?: ByteEncoding } | ByteEncoding

export interface CommandFiles {
  readFile(path: string, options?: Encoding): Promise<string>
  readFileBuffer(path: string): Promise<Uint8Array>
  writeFile(path: string, content: string | Uint8Array, options?: WriteEncoding): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<CommandStat>
  lstat(path: string): Promise<CommandStat>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  readdir(path: string): Promise<string[]>
  readdirWithFileTypes(path: string): Promise<CommandEntry[]>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  resolvePath(base: string, path: string): string
  chmod(path: string, mode: number): Promise<void>
  symlink(target: string, path: string): Promise<void>
  link(existing: string, path: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  utimes(path: string, atime: Date, mtime: Date): Promise<void>
}
