// The filesystem as the engine uses it: a missing file is `undefined`, not an error. Synchronous primitives are used if there are any,
// because a status needs thousands of files; so a result may or may not be a promise, and callers always await it.

import { parsePath } from '../core/path.ts'
import type { Dirent, Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'

type Awaitable<T> = T | Promise<T>

export class GitFiles {
  readonly vfs: Vfs

  constructor(vfs: Vfs) {
    this.vfs = vfs
  }

  read(path: string): Awaitable<Uint8Array | undefined> {
    const { sync } = this.vfs
    // A setting names it for an empty file, also where no device is there.
    if (path === '/dev/null') return new Uint8Array()
    return sync === undefined ? ifThere(() => this.vfs.readFile(path)) : ifThereNow(() => sync.read(parsePath(path)))
  }

  /** Writes a file that the user names. What is written to `/dev/null` is dropped, also where no device is there. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    if (path !== '/dev/null') await this.vfs.writeFile(path, bytes)
  }

  /** The bytes from `start` up to `end`. */
  readRange(path: string, start: number, end: number): Awaitable<Uint8Array | undefined> {
    const { sync } = this.vfs
    const range = { start, end }
    return sync === undefined
      ? ifThere(() => this.vfs.readFile(path, range))
      : ifThereNow(() => sync.read(parsePath(path), range))
  }

  lstat(path: string): Awaitable<Stat | undefined> {
    const { sync } = this.vfs
    return sync === undefined
      ? ifThere(() => this.vfs.lstat(path))
      : ifThereNow(() => sync.lookup(parsePath(path), { follow: false }))
  }

  stat(path: string): Awaitable<Stat | undefined> {
    const { sync } = this.vfs
    return sync === undefined ? ifThere(() => this.vfs.stat(path)) : ifThereNow(() => sync.lookup(parsePath(path)))
  }

  /** Empty if `path` is missing or is not a directory. */
  async list(path: string): Promise<readonly Dirent[]> {
    const { sync } = this.vfs
    const entries =
      sync === undefined ? await ifThere(() => this.vfs.readdir(path)) : ifThereNow(() => sync.list(parsePath(path)))
    return entries ?? []
  }

  readlink(path: string): Awaitable<string | undefined> {
    return ifThere(() => this.vfs.readlink(path))
  }

  async isDirectory(path: string): Promise<boolean> {
    return (await this.stat(path))?.kind === 'directory'
  }

  async isFile(path: string): Promise<boolean> {
    return (await this.stat(path))?.kind === 'file'
  }
}

async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function ifThereNow<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (
    isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP') ||
    (error instanceof Error && 'code' in error && error.code === 'EINVAL')
  )
}
