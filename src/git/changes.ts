// The changes that a command makes: files of the work tree, the index, references and logs. They are collected first and then made in one
// batch of the filesystem, so that a command that fails or is aborted changes nothing. Objects are written before; unused ones are
// harmless.

import { parsePath, type VfsPath } from '../core/path.ts'
import type { Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { BatchFs } from '../vfs/vfs.ts'
import { failure, fatal, GitFailure } from './errors.ts'
import type { GitFiles } from './files.ts'

type Operation =
  | {
      readonly kind: 'write'
      readonly path: string
      readonly bytes: Uint8Array
      readonly mode: number
      readonly onStat?: (stat: Stat) => void
    }
  | { readonly kind: 'append'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string; readonly onStat?: (stat: Stat) => void }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'remove-tree'; readonly path: string }
  | { readonly kind: 'remove-empty'; readonly path: string; readonly stopAt: string }
  | { readonly kind: 'make-directory'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'write-late'; readonly path: string; readonly bytes: () => Uint8Array | Promise<Uint8Array> }

export class Changes {
  readonly #operations: Operation[] = []
  readonly #locks = new Set<string>()
  readonly #removed = new Set<string>()
  readonly #expected: Record<string, number> = {}
  /** Names to remove from `packed-refs` in this commit. */
  readonly removedPackedRefs: Set<string> = new Set<string>()

  get isEmpty(): boolean {
    return this.#operations.length === 0
  }

  /** Writes a file of the repository. Missing directories are made. */
  write(path: string, bytes: Uint8Array, mode: number = 0o644): void {
    this.#removed.delete(path)
    this.#operations.push({ kind: 'write', path, bytes, mode })
  }

  /** Writes a file of the work tree with this mode. Replaces an existing entry, even a symlink. */
  writeWorkFile(path: string, bytes: Uint8Array, mode: number, onStat?: (stat: Stat) => void): void {
    this.#operations.push({ kind: 'write', path, bytes, mode, onStat: onStat ?? (() => undefined) })
  }

  writeSymlink(path: string, target: string, onStat?: (stat: Stat) => void): void {
    this.#operations.push({ kind: 'symlink', path, target, ...(onStat === undefined ? {} : { onStat }) })
  }

  /** Written last, from bytes that are computed then: the index, because it contains stats of the files. */
  writeLate(path: string, bytes: () => Uint8Array | Promise<Uint8Array>): void {
    this.#operations.push({ kind: 'write-late', path, bytes })
  }

  append(path: string, bytes: Uint8Array): void {
    this.#operations.push({ kind: 'append', path, bytes })
  }

  remove(path: string): void {
    this.#removed.add(path)
    this.#operations.push({ kind: 'remove', path })
  }

  isRemoved(path: string): boolean {
    return this.#removed.has(path)
  }

  /** Removes a directory and its entries. */
  removeTree(path: string): void {
    this.#operations.push({ kind: 'remove-tree', path })
  }

  /** Removes directories that contain no files. */
  removeDirectory(path: string): void {
    this.#operations.push({ kind: 'remove-tree', path })
  }

  /** Removes `path` and the empty directories above it, up to but not including `stopAt`. */
  removeEmptyDirectories(path: string, stopAt: string): void {
    this.#operations.push({ kind: 'remove-empty', path, stopAt })
  }

  makeDirectory(path: string): void {
    this.#operations.push({ kind: 'make-directory', path })
  }

  rename(from: string, to: string): void {
    this.#operations.push({ kind: 'rename', from, to })
  }

  /** The commit is refused if this file exists. It exists during the commit, for other programs to see. */
  lock(path: string): void {
    this.#locks.add(path)
  }

  /** The plan is based on this revision of the file; 0 means that it is missing. */
  expect(path: string, rev: number): void {
    this.#expected[path] = rev
  }

  /** Makes all changes or none. */
  async commit(files: GitFiles, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const held: string[] = []
    const isShared = (await files.vfs.caps()).watch !== 'exact'
    try {
      for (const path of this.#locks) {
        if (isShared) {
          if (await takeLock(files, path)) held.push(path)
        } else if ((await files.lstat(path)) !== undefined) throw lockExists(path)
      }
      if (this.#operations.length === 0) return
      await files.vfs.batch(
        async fs => {
          for (const operation of this.#operations.filter(({ kind }) => kind !== 'write-late')) await run(fs, operation)
          for (const operation of this.#operations.filter(({ kind }) => kind === 'write-late')) await run(fs, operation)
        },
        Object.keys(this.#expected).length > 0 ? { expect: this.#expected } : {},
      )
    } catch (error) {
      throw readableFailure(error, this.#locks)
    } finally {
      for (const path of held) await files.vfs.rm(path, { force: true })
    }
  }
}

function lockExists(path: string): GitFailure {
  if (path.endsWith('/config.lock'))
    return failure(`could not lock config file ${path.slice(path.lastIndexOf('/.git/') + 1, -'.lock'.length)}: File exists`, 255)
  return fatal(
    `Unable to create '${path}': File exists.\n\nAnother git process seems to be running in this repository, e.g.\n` +
      "an editor opened by 'git commit'. Please make sure all processes\nare terminated then try again. If it still fails, a git process\n" +
      'may have crashed in this repository earlier:\nremove the file manually to continue.',
  )
}

async function takeLock(files: GitFiles, path: string): Promise<boolean> {
  try {
    await files.vfs.writeFile(path, new Uint8Array(), { create: 'exclusive' })
    return true
  } catch (error) {
    if (isVfsError(error, 'EEXIST')) throw lockExists(path)
    // Its directory does not exist yet, so nobody else can hold the lock.
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

const reasons: Readonly<Record<string, string>> = {
  EROFS: 'Read-only file system',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  ENOSPC: 'No space left on device',
  EDQUOT: 'Disk quota exceeded',
}

/** To git, a directory that the host protects looks like a read-only disk. */
function isProtected(message: string): boolean {
  return message.includes('is a protected directory')
}

/** A filesystem error in git's words: git would report the lock file that it creates first. */
export function readableFailure(error: unknown, locks: ReadonlySet<string>): unknown {
  if (error instanceof GitFailure || !isVfsError(error)) return error
  const reason = isProtected(error.message) ? 'Read-only file system' : reasons[error.code]
  const [lock] = locks
  if (reason !== undefined) return fatal(`Unable to create '${lock ?? error.path ?? ''}': ${reason}`)
  if (error.code === 'ESTALE') return fatal(`'${error.path ?? ''}' changed meanwhile; nothing was done. Run the command again.`)
  return fatal(error.message)
}

async function run(fs: BatchFs, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'write': {
      const { path, bytes, mode, onStat } = operation
      if (onStat === undefined) {
        await fs.writeFile(path, bytes, { parents: true })
        return
      }
      const before = await lstatIfThere(fs, path)
      // Replaces a symlink, or one of several names of a file, instead of writing through it; for git the mode is part of the content.
      if (
        before !== undefined &&
        before.kind !== 'directory' &&
        (before.kind === 'symlink' || before.nlink > 1 || executable(before.mode) !== executable(mode))
      ) {
        await fs.rm(path)
      }
      let stat = await fs.writeFile(path, bytes, { mode, parents: true })
      if (executable(stat.mode) !== executable(mode)) {
        await fs.chmod(path, mode)
        stat = await fs.lstat(path)
      }
      onStat(stat)
      return
    }
    case 'write-late':
      await fs.writeFile(operation.path, await operation.bytes(), { parents: true })
      return
    case 'append':
      await fs.writeFile(operation.path, operation.bytes, { append: true, parents: true })
      return
    case 'symlink': {
      const { path, target, onStat } = operation
      await fs.rm(path, { force: true })
      await fs.mkdir(parentOf(path), { recursive: true })
      await fs.symlink(target, path)
      onStat?.(await fs.lstat(path))
      return
    }
    case 'remove':
      await fs.rm(operation.path, { force: true })
      return
    case 'remove-tree':
      await fs.rm(operation.path, { recursive: true, force: true })
      return
    case 'remove-empty':
      await removeEmpty(fs, parsePath(operation.path), operation.stopAt)
      return
    case 'make-directory':
      await fs.mkdir(operation.path, { recursive: true })
      return
    case 'rename':
      await fs.mkdir(parentOf(operation.to), { recursive: true })
      await fs.rename(operation.from, operation.to)
      return
  }
}

function executable(mode: number): boolean {
  return (mode & 0o100) !== 0
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

async function lstatIfThere(fs: BatchFs, path: string): Promise<Stat | undefined> {
  try {
    return await fs.lstat(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

async function removeEmpty(fs: BatchFs, start: VfsPath, stopAt: string): Promise<void> {
  const below = stopAt === '/' ? '/' : `${stopAt}/`
  for (let path: string = start; path !== stopAt && path.startsWith(below); path = parentOf(path)) {
    try {
      await fs.rm(path, { emptyDirectory: true })
    } catch (error) {
      if (isVfsError(error, 'ENOENT')) continue
      if (isVfsError(error, 'ENOTEMPTY', 'ENOTDIR', 'EEXIST')) return
      throw error
    }
  }
}
