// The part of `node:fs` that the facade implements. Declared here, so that consumers do not need Node's types.

import type { constants } from './constants.ts'
import type { CopyOptions } from './copy.ts'
import type { GlobOptions } from './glob.ts'
import type { NodeDir, ReaddirOptions, ReaddirResult } from './directory.ts'
import type { NodeData } from './encodings.ts'
import type { TemporaryDirectory } from './extras.ts'
import type { NodeFileHandle } from './file-handle.ts'
import type { NodePath } from './paths.ts'
import type { StreamClass } from './platform.ts'
import type { BigIntStats, NodeDirent, NodeStatFs, NodeStats } from './stats.ts'
import type { NodeStream } from './streams.ts'
import type { NodeWatcher, WatchEvent, WatchFileOptions } from './watch.ts'

/** The name of an encoding. Null or undefined means bytes. */
export type Encoding = string | null
export type ReadFileOptions =
  | Encoding
  | { readonly encoding?: Encoding; readonly flag?: string | number; readonly signal?: AbortSignal }
export type WriteFileOptions =
  | Encoding
  | {
      readonly encoding?: Encoding
      readonly mode?: number | string
      readonly flag?: string | number
      readonly signal?: AbortSignal
      readonly flush?: boolean
    }
export type NameOptions = Encoding | { readonly encoding?: Encoding }
export type MkdirOptions = number | string | { readonly recursive?: boolean; readonly mode?: number | string }
/** Seconds since 1970, as a number or as text, or a date. */
export type NodeTime = number | string | Date

/** The supported part of `node:fs/promises`. Without an encoding the result is a `Uint8Array`, where Node returns a `Buffer`. */
export interface NodeFsPromises {
  readonly constants: typeof constants
  readonly access: (path: NodePath, mode?: number) => Promise<void>
  readonly appendFile: (path: NodePath | NodeFileHandle, data: NodeData, options?: WriteFileOptions) => Promise<void>
  readonly chmod: (path: NodePath, mode: number | string) => Promise<void>
  readonly chown: (path: NodePath, uid: number, gid: number) => Promise<void>
  readonly copyFile: (from: NodePath, to: NodePath, mode?: number) => Promise<void>
  readonly cp: (from: NodePath, to: NodePath, options?: CopyOptions) => Promise<void>
  readonly lchown: (path: NodePath, uid: number, gid: number) => Promise<void>
  readonly glob: (pattern: string | readonly string[], options?: GlobOptions) => AsyncIterable<string | NodeDirent>
  /** Rejects: only macOS has it. */
  readonly lchmod: (path: NodePath, mode: number | string) => Promise<void>
  readonly link: (existing: NodePath, path: NodePath) => Promise<void>
  readonly lstat: StatCall
  readonly lutimes: (path: NodePath, atime: NodeTime, mtime: NodeTime) => Promise<void>
  /** With `recursive`, resolves to the first directory that was created. */
  readonly mkdir: (path: NodePath, options?: MkdirOptions) => Promise<string | undefined>
  readonly mkdtemp: (prefix: NodePath, options?: NameOptions) => Promise<string>
  /** A temporary directory that `remove`, or the end of an `await using` block, removes. */
  readonly mkdtempDisposable: (prefix: NodePath, options?: NameOptions) => Promise<TemporaryDirectory<Promise<void>>>
  readonly open: (path: NodePath, flags?: string | number, mode?: number | string) => Promise<NodeFileHandle>
  readonly opendir: (
    path: NodePath,
    options?: { readonly recursive?: boolean; readonly encoding?: string | null },
  ) => Promise<NodeDir>
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
  readonly rmdir: (path: NodePath, options?: { readonly recursive?: boolean }) => Promise<void>
  readonly stat: StatCall
  readonly statfs: (path: NodePath, options?: { readonly bigint?: boolean }) => Promise<NodeStatFs>
  readonly symlink: (target: NodePath, path: NodePath, type?: string | null) => Promise<void>
  readonly truncate: (path: NodePath, length?: number | null) => Promise<void>
  readonly unlink: (path: NodePath) => Promise<void>
  readonly utimes: (path: NodePath, atime: NodeTime, mtime: NodeTime) => Promise<void>
  readonly watch: (path: NodePath, options?: Encoding | WatchFileOptions) => AsyncIterable<WatchEvent>
  readonly writeFile: (path: NodePath | NodeFileHandle, data: NodeData, options?: WriteFileOptions) => Promise<void>
}

export interface StatCall {
  (path: NodePath, options: { readonly bigint: true }): Promise<BigIntStats>
  (path: NodePath, options?: { readonly bigint?: false }): Promise<NodeStats>
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

/** A function of `node:fs` with a callback as its last argument. Without a callback it throws, as in Node. */
export type CallbackCall = (...args: readonly unknown[]) => void

type DescriptorName =
  | 'close'
  | 'fchmod'
  | 'fchown'
  | 'fdatasync'
  | 'fstat'
  | 'fsync'
  | 'ftruncate'
  | 'futimes'
  | 'read'
  | 'readv'
  | 'write'
  | 'writev'
type PromisedName = Exclude<keyof NodeFsPromises, 'constants' | 'watch' | 'open' | 'glob' | 'lchmod' | 'mkdtempDisposable'>

/** The functions of {@link NodeFsPromises} in synchronous form. */
export type NodeFsSync = {
  readonly [K in PromisedName as `${K}Sync`]: (...args: Parameters<NodeFsPromises[K]>) => Awaited<ReturnType<NodeFsPromises[K]>>
} & {
  readonly [K in DescriptorName as `${K}Sync`]: (fd: number, ...args: readonly unknown[]) => unknown
} & {
  readonly existsSync: (path: NodePath) => boolean
  readonly globSync: (pattern: string | readonly string[], options?: GlobOptions) => (string | NodeDirent)[]
  readonly mkdtempDisposableSync: (prefix: NodePath, options?: NameOptions) => TemporaryDirectory<void>
  readonly openSync: (path: NodePath, flags?: string | number, mode?: number | string) => number
}

/**
 * `node:fs`: functions with callbacks, `promises`, descriptors as numbers and streams. The synchronous functions (`readFileSync` and so on)
 * exist if the filesystem is synchronous, and the classes of streams if the platform has Node's.
 */
export type NodeFs = Partial<NodeFsSync> & {
  readonly [K in PromisedName | DescriptorName | 'open' | 'exists' | 'glob']: CallbackCall
} & {
  readonly promises: NodeFsPromises
  readonly constants: typeof constants
  readonly openAsBlob: (path: NodePath, options?: { readonly type?: string }) => Promise<Blob>
  readonly ReadStream?: StreamClass
  readonly WriteStream?: StreamClass
  readonly createReadStream: (path: NodePath, options?: unknown) => NodeStream | ReadableStream<Uint8Array>
  readonly createWriteStream: (path: NodePath, options?: unknown) => NodeStream | WritableStream<Uint8Array | string>
  readonly watch: (
    path: NodePath,
    options?: Encoding | WatchFileOptions | ((eventType: string, filename: string) => void),
    listener?: (eventType: string, filename: string) => void,
  ) => NodeWatcher
  readonly watchFile: (path: NodePath, ...args: readonly unknown[]) => unknown
  readonly unwatchFile: (path: NodePath, listener?: unknown) => void
  readonly Stats: typeof NodeStats
  readonly Dirent: typeof NodeDirent
  readonly Dir: typeof NodeDir
  readonly F_OK: number
  readonly R_OK: number
  readonly W_OK: number
  readonly X_OK: number
}
