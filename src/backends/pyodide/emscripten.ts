// The parts of Pyodide and of Emscripten's filesystem that this folder uses. Pyodide is loaded from where the host keeps it, so it has no
// types here.

export interface FsNode {
  readonly id: number
  parent: FsNode
  name: string
  mode: number
  rdev?: number
  readonly mount: object
  node_ops: NodeOperations
  stream_ops: StreamOperations
}

export interface FsStream {
  /** The same object for all copies of a descriptor. */
  readonly shared: object
  readonly node: FsNode
  readonly flags: number
  position: number
}

export interface FsAttributes {
  readonly dev: number
  readonly ino: number
  readonly mode: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  readonly rdev: number
  readonly size: number
  readonly atime: Date
  readonly mtime: Date
  readonly ctime: Date
  readonly blksize: number
  readonly blocks: number
}

export interface FsChange {
  readonly mode?: number
  readonly size?: number
  readonly mtime?: number | null
}

export interface NodeOperations {
  readonly getattr?: (node: FsNode) => FsAttributes
  readonly setattr?: (node: FsNode, change: FsChange) => void
  readonly lookup?: (parent: FsNode, name: string) => FsNode
  readonly mknod?: (parent: FsNode, name: string, mode: number, device: number) => FsNode
  readonly rename?: (node: FsNode, directory: FsNode, name: string) => void
  readonly unlink?: (parent: FsNode, name: string) => void
  readonly rmdir?: (parent: FsNode, name: string) => void
  readonly readdir?: (node: FsNode) => string[]
  readonly symlink?: (parent: FsNode, name: string, target: string) => FsNode
  readonly readlink?: (node: FsNode) => string
}

export interface StreamOperations {
  readonly open?: (stream: FsStream) => void
  readonly close?: (stream: FsStream) => void
  readonly dup?: (stream: FsStream) => void
  readonly getattr?: (stream: FsStream) => FsAttributes
  readonly setattr?: (stream: FsStream, change: FsChange) => void
  readonly fsync?: (stream: FsStream) => number
  readonly llseek?: (stream: FsStream, offset: number, whence: number) => number
  readonly read?: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) => number
  readonly write?: (stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number) => number
}

export interface EmscriptenFs {
  root: FsNode | null
  ignorePermissions: boolean
  filesystems: Record<string, unknown>
  currentPath: string
  /** Relative paths begin at its answer. */
  cwd: () => string
  chdir(path: string): void
  readonly ErrnoError: new (errno: number) => Error
  createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode
  hashAddNode: (node: FsNode) => void
  hashRemoveNode(node: FsNode): void
  lookupNode(parent: FsNode, name: string): FsNode
  open: (path: string | FsNode, flags: number, mode?: number) => FsStream
  mount(type: { mount(): FsNode }, options: object, path: string): FsNode
  makedev(major: number, minor: number): number
  registerDevice(device: number, operations: StreamOperations): void
  mkdev(path: string, mode: number, device: number): FsNode
  readdir(path: string): string[]
  unlink(path: string): void
}

export interface Pyodide {
  readonly FS: EmscriptenFs
  runPython(code: string): unknown
  setStdin(options: { readonly read: (buffer: Uint8Array) => number; readonly isatty: boolean }): void
  setStdout(options: { readonly write: (buffer: Uint8Array) => number; readonly isatty: boolean }): void
  setStderr(options: { readonly write: (buffer: Uint8Array) => number; readonly isatty: boolean }): void
  makeMemorySnapshot(): Uint8Array
}

export interface PyodideModule {
  readonly version: string
  readonly loadPyodide: (options: {
    readonly indexURL: string
    readonly jsglobals: object
    readonly env: Readonly<Record<string, string>>
    readonly _makeSnapshot?: boolean
    readonly _loadSnapshot?: Uint8Array
  }) => Promise<Pyodide>
}
