// What all functions of one facade share: the filesystem, how paths are resolved, and which files are open.

import { maxPathBytes, type VfsPath } from '../../../core/path.ts'
import type { Stat, Usage, VfsBackend, VfsCaps } from '../../backend.ts'
import { backendOf } from '../../backend-of.ts'
import { isVfsError, VfsError } from '../../error.ts'
import { vfsPath } from '../../input.ts'
import type { Waiting } from '../../port.ts'
import { later, type Primitives, type Steps } from '../../steps.ts'
import { existing } from '../../verbs.ts'
import type { Vfs } from '../../vfs.ts'
import { nodeError, type NodeCall } from './errors.ts'
import { OpenFiles } from './open-files.ts'
import { absolute, type NodePath, pathText } from './paths.ts'

/** Options of `toNodeFs`. */
export interface NodeFsOptions {
  /** The directory that relative paths start from; default '/'. */
  readonly workingDirectory?: string
  /** Permission bits to remove from new files and directories; default 0o022. */
  readonly umask?: number
}

/** A path as it was given, and as the filesystem takes it. */
export interface GivenPath {
  readonly shown: string
  readonly text: string
}

const encoder = new TextEncoder()

export class NodeSystem {
  readonly vfs: Vfs
  readonly on: Primitives
  readonly umask: number
  readonly open: OpenFiles
  readonly #backend: VfsBackend | undefined
  readonly #workingDirectory: string

  constructor(vfs: Vfs, { workingDirectory = '/', umask = 0o022 }: NodeFsOptions) {
    this.vfs = vfs
    this.umask = umask
    this.#workingDirectory = workingDirectory
    this.#backend = backendOf(vfs)
    this.on = this.#backend ?? remotePrimitives(vfs)
    this.open = new OpenFiles(this.on, this.#backend, () => this.#backend?.caps.transactions === true)
  }

  given(path: NodePath, name = 'path'): GivenPath {
    const shown = pathText(path, name)
    return { shown, text: absolute(shown, this.#workingDirectory) }
  }

  /** Whether every operation is as durable as it will be when it returns. */
  get isInstant(): boolean {
    return this.#backend?.sync !== undefined && !this.#backend.caps.persistent
  }

  /** Zeros if the backend does not know. */
  async usage(): Promise<Usage> {
    try {
      return await this.vfs.usage()
    } catch (error) {
      if (isVfsError(error, 'ENOTSUP')) return { bytes: 0, nodes: 0 }
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
export function* used(on: Primitives, { text }: GivenPath, syscall: string): Steps<VfsPath> {
  checkLength(text, syscall)
  return yield* existing(on, text, syscall)
}

/** For a name that is itself changed. */
export function named({ text }: GivenPath, syscall: string): VfsPath {
  checkLength(text, syscall)
  return vfsPath(text, syscall)
}

function checkLength(text: string, syscall: string): void {
  if (text.length * 3 < maxPathBytes || encoder.encode(text).length < maxPathBytes) return
  throw new VfsError('ENAMETOOLONG', syscall, { path: text })
}

/** Whether the last name of `text` is '.' or '..', which cannot name a new entry. */
export function endsInDots(text: string): '.' | '..' | undefined {
  const name = text.replace(/\/+$/, '').split('/').at(-1)
  return name === '.' || name === '..' ? name : undefined
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
    async setattr(path, { mode, mtimeMs, uid, gid, follow = true }) {
      if (!follow || uid !== undefined || gid !== undefined) {
        throw new VfsError('ENOTSUP', 'setattr', { path, hint: 'owners and the times of links cannot be set over a worker' })
      }
      if (mode !== undefined) await vfs.chmod(path, mode)
      if (mtimeMs !== undefined) await vfs.utimes(path, mtimeMs)
    },
  }
}
