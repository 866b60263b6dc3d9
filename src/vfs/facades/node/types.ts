// The part of `node:fs/promises` that the facade has, written down here so that nobody needs Node's types to use it.

import type { constants } from './constants.ts'
import type { CopyOptions } from './copy.ts'
import type { NodeDir, ReaddirOptions, ReaddirResult } from './directory.ts'
import type { NodeData } from './encodings.ts'
import type { NodeFileHandle } from './file-handle.ts'
import type { NodePath } from './paths.ts'
import type { NodeDirent, NodeStats } from './stats.ts'
import type { WatchEvent, WatchFileOptions } from './watch.ts'

export type Encoding = string | null
export type ReadFileOptions =
  | Encoding
  | { readonly encoding?: Encoding; readonly flag?: string | number; readonly signal?: AbortSignal }
export type WriteFileOptions =
  | Encoding
  | { readonly encoding?: Encoding; readonly mode?: number; readonly flag?: string | number; readonly signal?: AbortSignal }
export type NameOptions = Encoding | { readonly encoding?: Encoding }
export type MkdirOptions = number | { readonly recursive?: boolean; readonly mode?: number }

/** The part of `node:fs/promises` that is here. Text without an encoding is a `Uint8Array` where Node gives a `Buffer`. */
export interface NodeFsPromises {
  readonly constants: typeof constants
  readonly access: (path: NodePath, mode?: number) => Promise<void>
  readonly appendFile: (path: NodePath | NodeFileHandle, data: NodeData, options?: WriteFileOptions) => Promise<void>
  readonly chmod: (path: NodePath, mode: number) => Promise<void>
  readonly copyFile: (from: NodePath, to: NodePath, mode?: number) => Promise<void>
  readonly cp: (from: NodePath, to: NodePath, options?: CopyOptions) => Promise<void>
  readonly link: (existing: NodePath, path: NodePath) => Promise<void>
  readonly lstat: (path: NodePath, options?: { readonly bigint?: false }) => Promise<NodeStats>
  /** With `recursive`, the first directory that was made. */
  readonly mkdir: (path: NodePath, options?: MkdirOptions) => Promise<string | undefined>
  readonly mkdtemp: (prefix: NodePath, options?: NameOptions) => Promise<string>
  readonly open: (path: NodePath, flags?: string | number, mode?: number) => Promise<NodeFileHandle>
  readonly opendir: (path: NodePath, options?: { readonly recursive?: boolean }) => Promise<NodeDir>
  readonly readFile: {
    (path: NodePath | NodeFileHandle, options: EncodingName | { readonly encoding: EncodingName }): Promise<string>
    (path: NodePath | NodeFileHandle, options?: ReadFileOptions): Promise<Uint8Array | string>
  }
  readonly readdir: {
    (path: NodePath, options: ReaddirOptions & { readonly withFileTypes: true }): Promise<NodeDirent[]>
    (path: NodePath, options?: 'utf8' | { readonly encoding?: 'utf8'; readonly recursive?: boolean }): Promise<string[]>
    (path: NodePath, options?: Encoding | ReaddirOptions): Promise<ReaddirResult>
  }
  readonly readlink: (path: NodePath, options?: NameOptions) => Promise<string | Uint8Array>
  readonly realpath: (path: NodePath, options?: NameOptions) => Promise<string | Uint8Array>
  readonly rename: (from: NodePath, to: NodePath) => Promise<void>
  readonly rm: (path: NodePath, options?: { readonly recursive?: boolean; readonly force?: boolean }) => Promise<void>
  readonly rmdir: (path: NodePath) => Promise<void>
  readonly stat: (path: NodePath, options?: { readonly bigint?: false }) => Promise<NodeStats>
  readonly symlink: (target: NodePath, path: NodePath, type?: string | null) => Promise<void>
  readonly truncate: (path: NodePath, length?: number) => Promise<void>
  readonly unlink: (path: NodePath) => Promise<void>
  readonly utimes: (path: NodePath, atime: number | string | Date, mtime: number | string | Date) => Promise<void>
  readonly watch: (path: NodePath, options?: WatchFileOptions) => AsyncIterable<WatchEvent>
  readonly writeFile: (path: NodePath | NodeFileHandle, data: NodeData, options?: WriteFileOptions) => Promise<void>
}

export type EncodingName =
  | 'utf8'
  | 'utf-8'
  | 'ascii'
  | 'latin1'
  | 'binary'
  | 'base64'
  | 'base64url'
  | 'hex'
  | 'utf16le'
  | 'ucs2'
  | 'ucs-2'

/** The functions themselves, and the same as `promises`: libraries look for either. */
export interface NodeFs extends NodeFsPromises {
  readonly promises: NodeFsPromises
}
