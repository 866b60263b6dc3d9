// What all functions of one facade share: the filesystem, how paths are resolved, and which files are open.

import { maxPathBytes, pathProblem, type VfsPath } from '../../../core/path.ts'
import type { Stat, Usage, VfsBackend, VfsCaps } from '../../backend.ts'
import { backendOf } from '../../backend-of.ts'
import { isVfsError, VfsError } from '../../error.ts'
import { asksForDirectory, vfsPath } from '../../input.ts'
import type { Waiting } from '../../port.ts'
import { call, later, type Primitives, type Steps } from '../../steps.ts'
import { existing } from '../../verbs.ts'
import type { Vfs } from '../../vfs.ts'
import { decoded } from './encodings.ts'
import { nodeError, type NodeCall } from './errors.ts'
import { type Descriptor, OpenFiles } from './open-files.ts'
import { absolute, type NodePath, pathText } from './paths.ts'
import { Rights, type User, withoutSetId } from './rights.ts'

/** Options of `toNodeFs`. */
export interface NodeFsOptions {
  /** The directory that relative paths start from; default '/'. */
  readonly workingDirectory?: string
  /** Permission bits to remove from new files and directories; default 0o022. */
  readonly umask?: number
  /**
   * The user ID that the calls are made with. With it, owners, permissions and sticky directories are enforced as on Linux (0 is root), and
   * new files belong to this user. Default: nothing is enforced. Needs a filesystem that stores owners (`VfsCaps.owners`).
   */
  readonly uid?: number
  /** The group ID of new files; default `uid`. Used only with `uid`. */
  readonly gid?: number
  /** Further groups that the user belongs to. Used only with `uid`. */
  readonly groups?: readonly number[]
  /** The class of returned bytes, which extends `Uint8Array`. Default: the platform's `Buffer`; without one, `Uint8Array`. */
  readonly Buffer?: BufferClass
}

/** The part of Node's `Buffer` class that the facade uses. */
export interface BufferClass {
  from(buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array
}

/** `createReadStream` and `createWriteStream`. */
export interface StreamMaker {
  read(path: unknown, options: unknown): unknown
  write(path: unknown, options: unknown): unknown
}

/** A path as it was given, and as the filesystem takes it. */
export interface GivenPath {
  readonly shown: string
  readonly text: string
}

/** The usage of a backend that does not report one. */
export const unknownUsage: Usage = { bytes: 0, nodes: 0 }

const encoder = new TextEncoder()

export class NodeSystem {
  readonly vfs: Vfs
  readonly on: Primitives
  readonly umask: number
  readonly open: OpenFiles
  readonly rights: Rights
  /** Opens the facade's streams; set once it is complete, because a stream calls its functions. */
  streams: StreamMaker | undefined
  readonly #buffers: BufferClass | undefined
  readonly #backend: VfsBackend | undefined
  readonly workingDirectory: string

  constructor(vfs: Vfs, options: NodeFsOptions) {
    const { workingDirectory = '/', umask = 0o022 } = options
    this.vfs = vfs
    this.#buffers = options.Buffer ?? (globalThis as { readonly Buffer?: BufferClass }).Buffer
    this.umask = umask
    this.workingDirectory = workingDirectory
    this.#backend = backendOf(vfs)
    this.on = this.#backend ?? remotePrimitives(vfs)
    this.rights = new Rights(this.on, userOf(options))
    this.open = new OpenFiles(
      this.on,
      this.#backend,
      path => (this.#backend?.capsAt?.(path) ?? this.#backend?.caps)?.transactions === true,
    )
  }

  given(path: NodePath, name = 'path'): GivenPath {
    const shown = pathText(path, name)
    return { shown, text: absolute(shown, this.workingDirectory) }
  }

  /** `bytes` as the class that libraries for Node expect. */
  bytes(bytes: Uint8Array): Uint8Array {
    return this.#buffers?.from(bytes.buffer, bytes.byteOffset, bytes.length) ?? bytes
  }

  /** Contents and names as they are returned: bytes, or text in an encoding. */
  shown(bytes: Uint8Array, encoding: string | null | undefined): Uint8Array | string {
    const result = decoded(bytes, encoding)
    return typeof result === 'string' ? result : this.bytes(result)
  }

  /** Whether every operation is as durable as it will be when it returns. */
  get isInstant(): boolean {
    return this.#backend?.sync !== undefined && !this.#backend.caps.persistent
  }

  /** Writes to an open file, which then no longer runs with its owner's rights. */
  *write({ node }: Descriptor, bytes: Uint8Array, at: number | 'end'): Steps<void> {
    if (bytes.length === 0) return
    yield* this.open.write(node, bytes, at)
    yield* this.dropSetId(node)
  }

  /** After the content of an open file changed: it no longer runs with its owner's rights, unless root wrote it. */
  *dropSetId(node: Descriptor['node']): Steps<void> {
    const { user } = this.rights
    if (user === undefined || user.uid === 0) return
    const stat = yield* this.open.stat(node)
    const mode = withoutSetId(user, stat)
    if (mode !== stat.mode) yield* this.open.setAttributes(node, { mode })
  }

  /** `stat`, with the links of a directory counted as on Linux if permissions are modelled: each subdirectory has one in '..'. */
  *counted(path: VfsPath, stat: Stat): Steps<Stat> {
    if (this.rights.user === undefined || stat.kind !== 'directory') return stat
    const entries = yield* call(this.on, 'list', path)
    return { ...stat, nlink: 2 + entries.filter(({ kind }) => kind === 'directory').length }
  }

  get reportsUsage(): boolean {
    return this.#backend?.usage !== undefined
  }

  async usage(): Promise<Usage> {
    try {
      return await this.vfs.usage()
    } catch (error) {
      if (isVfsError(error, 'ENOTSUP')) return unknownUsage
      throw error
    }
  }

  *caps(path: VfsPath): Steps<VfsCaps> {
    const backend = this.#backend
    if (backend !== undefined) return backend.capsAt?.(path) ?? backend.caps
    return yield* later(() => this.vfs.caps(path))
  }
}

/** Converts a `VfsError` in `act` to the error that Node would throw in `call`. */
export function* asCall<T>(call: NodeCall, act: () => Steps<T>): Steps<T> {
  try {
    return yield* act()
  } catch (error) {
    throw nodeError(call, error)
  }
}

/** For a path whose symlinks are followed. Linux counts the byte that ends a path. */
export function* used(system: NodeSystem, { text }: GivenPath, syscall: string, isFollowed: boolean = true): Steps<VfsPath> {
  const { on, rights } = system
  const path = yield* checkedPath(system, text, syscall)
  if (rights.user !== undefined) {
    yield* rights.search(path, isFollowed || asksForDirectory(text), syscall)
    if (/\/\.\/*$/.test(text)) yield* rights.enter(path, syscall)
  }
  return asksForDirectory(text) ? yield* existing(on, text, syscall) : path
}

/** For a name that is itself changed. */
export function* named(system: NodeSystem, { text }: GivenPath, syscall: string): Steps<VfsPath> {
  const { rights } = system
  const path = yield* checkedPath(system, text, syscall)
  if (rights.user !== undefined) {
    yield* rights.search(path, false, syscall)
    if (/\/\.\/*$/.test(text)) yield* rights.enter(path, syscall)
  }
  return path
}

/** Linux finds a name that is too long only after the directory that would contain it. */
export function* checkedPath(system: NodeSystem, text: string, syscall: string): Steps<VfsPath> {
  checkLength(text, syscall)
  try {
    return vfsPath(text, syscall)
  } catch (error) {
    if (isVfsError(error, 'ENAMETOOLONG')) {
      const names = text.split('/')
      const count = names.findIndex(name => pathProblem(`/${name}`) !== undefined)
      const directory = vfsPath(`${names.slice(0, count).join('/')}/`, syscall)
      if (system.rights.user !== undefined) yield* system.rights.search(directory, true, syscall)
      yield* checkDirectory(system.on, directory, syscall)
      yield* system.rights.enter(directory, syscall)
    }
    throw error
  }
}

function userOf({ uid, gid = uid, groups = [] }: NodeFsOptions): User | undefined {
  return uid === undefined || gid === undefined ? undefined : { uid, gid, groups }
}

export function checkLength(text: string, syscall: string): void {
  if (text.length * 3 < maxPathBytes || encoder.encode(text).length < maxPathBytes) return
  throw new VfsError('ENAMETOOLONG', syscall, { path: text })
}

/**
 * Whether the last name of a path is '.' or '..', which names no entry that could be made or removed. What comes before it must be a
 * directory, which Linux finds out first: ENOENT, ENOTDIR or ELOOP.
 */
export function* lastDots({ on }: NodeSystem, { text }: GivenPath, syscall: string): Steps<'.' | '..' | undefined> {
  const name = text.replace(/\/+$/, '').split('/').at(-1)
  if (name !== '.' && name !== '..') return undefined
  yield* checkDirectory(on, vfsPath(text, syscall), syscall)
  return name
}

/** ENOENT, ENOTDIR or ELOOP if `path` does not lead to a directory. */
export function* checkDirectory(on: Primitives, path: VfsPath, syscall: string): Steps<void> {
  const { kind } = yield* call(on, 'lookup', path)
  if (kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path })
}

/** The primitives over a `Vfs` whose backend is elsewhere. */
function remotePrimitives(vfs: Vfs): Waiting {
  return {
    lookup: (path, options): Promise<Stat> => (options?.follow === false ? vfs.lstat(path) : vfs.stat(path)),
    list: path => vfs.readdir(path),
    read: (path, range) => vfs.readFile(path, range),
    readlink: path => vfs.readlink(path),
    realpath: async path => vfsPath(await vfs.realpath(path), 'realpath'),
    write: (path, data, options) => vfs.writeFile(path, data, options),
    mkdir: (path, options) => vfs.mkdir(path, options),
    remove: (path, kind) => vfs.rm(path, kind === 'directory' ? { emptyDirectory: true } : {}),
    rename: (from, to) => vfs.rename(from, to),
    link: (from, path) => vfs.link(from, path),
    symlink: (target, path) => vfs.symlink(target, path),
    async setattr(path, { mode, mtimeMs, atimeMs, uid, gid, follow = true }) {
      if (!follow || uid !== undefined || gid !== undefined)
        throw new VfsError('ENOTSUP', 'setattr', { path, hint: 'owners and the times of links cannot be set over a worker' })
      if (mode !== undefined) await vfs.chmod(path, mode)
      if (mtimeMs !== undefined) await vfs.utimes(path, mtimeMs, atimeMs)
    },
  }
}
