// Keeps real files of chosen paths, as ordinary files in the origin private file system. They are a copy; the log is authoritative. Only
// durable data is written to them, and after a crash at any moment the next pass continues. If other code changes a real file, the change
// stays until the file changes in the filesystem.

import { childPath, dirname, type VfsPath } from '../../../core/path.ts'
import type { Change, ChangeBatch, VfsBackend } from '../../../vfs/backend.ts'
import { isVfsError, VfsError, ifThereLater } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'
import type { DirectoryHandle } from '../platform.ts'
import { gone, inDoubt, Manifest, manifestName } from './manifest.ts'
import { RealFiles } from './real-files.ts'

/** The result of one pass of the mirror. */
export interface MirrorReport {
  readonly writtenCount: number
  readonly removedCount: number
  /** Real files that could not be made or removed: the browser refuses the name, or the disk is full. The next pass tries again. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

export interface MirrorOptions {
  /** Whether the file at a path (without the leading '/') is mirrored. */
  readonly matches: (path: string) => boolean
  readonly onPass: (report: MirrorReport) => void
  readonly onProblem: (problem: VfsError) => void
  /** A pass starts after this long without changes. Default 500. */
  readonly idleMs?: number
}

const defaultIdleMs = 500
/** Files that are read, flushed and written together. */
const batchFiles = 64
const batchBytes = 8 * 1024 * 1024
const parallelWrites = 8
/** Names to examine before other work gets its turn. */
const sliceNames = 2_000

/** How often to read a file that keeps changing before leaving it to the next pass. */
const maxReads = 10

interface Due {
  readonly path: VfsPath
  /** `undefined`: remove the real file. */
  readonly file: { readonly rev: number; readonly content: Uint8Array } | undefined
}

type Failed = { path: string; reason: string }[]
type Done = Record<'written' | 'removed', number>

export class Mirror {
  readonly #fs: VfsBackend
  readonly #manifest: Manifest
  readonly #files: RealFiles
  readonly #options: MirrorOptions
  readonly #unwatch: () => void
  /** Paths that may differ from their real files. `#isAllChanged`: all of them may. */
  #changed: Set<VfsPath> = new Set()
  #isAllChanged = true
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<MirrorReport> | undefined
  #isEnded = false

  private constructor(fs: VfsBackend, manifest: Manifest, directory: DirectoryHandle, options: MirrorOptions) {
    this.#fs = fs
    this.#manifest = manifest
    this.#files = new RealFiles(directory)
    this.#options = options
    this.#unwatch = fs.watch?.('/' as VfsPath, batch => this.#hear(batch)) ?? (() => {})
    this.#later()
  }

  /** Schedules a comparison of everything, for changes before the mirror was attached and after a crash. Throws what the browser throws. */
  static async open(fs: VfsBackend, directory: DirectoryHandle, options: MirrorOptions): Promise<Mirror> {
    return new Mirror(fs, await Manifest.open(directory), directory, options)
  }

  /** Resolves when the real files match the filesystem at the time of the call, or a newer state. */
  async flush(): Promise<MirrorReport> {
    if (this.#isEnded) throw new VfsError('EBADF', 'mirror', { hint: 'this filesystem was closed' })
    // Changes are reported in a microtask.
    await Promise.resolve()
    // A pass in progress may have missed the newest changes.
    await this.#running?.catch(() => {})
    return await this.#start()
  }

  /** Stops after the files that are being written. The next opening continues. May be called twice. */
  async end(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#unwatch()
    clearTimeout(this.#timer)
    // The failure was reported when it happened.
    await this.#running?.catch(() => {})
    this.#manifest.close()
  }

  #hear({ changes, overflow }: ChangeBatch): void {
    if (overflow) this.#isAllChanged = true
    for (const change of changes) this.#note(change)
    this.#later()
  }

  #note({ type, kind, path, oldPath }: Change): void {
    // The files of a moved directory have new paths now.
    if (kind === 'directory') this.#isAllChanged ||= type === 'move'
    else for (const each of [path, oldPath]) if (each !== undefined) this.#changed.add(each)
  }

  #later(): void {
    if (this.#isEnded) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // `onProblem` reports the failure.
      if (this.#running === undefined) this.#start().catch(() => {})
      else this.#later()
    }, this.#options.idleMs ?? defaultIdleMs)
  }

  #start(): Promise<MirrorReport> {
    this.#running ??= this.#pass().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #pass(): Promise<MirrorReport> {
    const [changed, isAllChanged] = [this.#changed, this.#isAllChanged]
    this.#changed = new Set()
    this.#isAllChanged = false
    const failed: Failed = []
    const done: Done = { written: 0, removed: 0 }
    try {
      // A change of a file with several names reports only one of them, so every path with a real file is checked.
      const paths = isAllChanged ? await this.#everything() : new Set([...changed, ...this.#mirroredPaths()])
      // Remove first: a file may be in the place of a new directory.
      const going = [...paths].filter(path => this.#manifest.mirrored.has(path))
      await this.#inBatches(going, path => this.#removalAt(path), failed, done)
      await this.#inBatches(paths, path => this.#writeAt(path), failed, done)
    } catch (error) {
      this.#isAllChanged = true
      const problem = storageError(error, 'mirror')
      this.#options.onProblem(problem)
      throw problem
    }
    for (const { path } of failed) this.#changed.add(path as VfsPath)
    const report = { writtenCount: done.written, removedCount: done.removed, failed }
    if (done.written + done.removed + failed.length > 0) this.#options.onPass(report)
    return report
  }

  /** Every path that has a real file or should have one. */
  async #everything(): Promise<ReadonlySet<VfsPath>> {
    const found = new Set(this.#mirroredPaths())
    const pending: VfsPath[] = ['/' as VfsPath]
    let seen = 0
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      for (const { name, kind } of await this.#listed(directory)) {
        const path = childPath(directory, name)
        if (kind === 'directory') pending.push(path)
        else if (kind === 'file' && this.#isMirrored(path)) found.add(path)
        if (++seen % sliceNames === 0) await new Promise<void>(resolve => void setTimeout(resolve, 0))
      }
    }
    return found
  }

  #mirroredPaths(): readonly VfsPath[] {
    return [...this.#manifest.mirrored.keys()] as VfsPath[]
  }

  async #listed(directory: VfsPath): Promise<Awaited<ReturnType<VfsBackend['list']>>> {
    // If the directory was removed meanwhile, a change event reports that.
    return (await ifThereLater(async () => this.#fs.list(directory), 'ENOENT', 'ENOTDIR')) ?? []
  }

  #isMirrored(path: VfsPath): boolean {
    const relative = path.slice(1)
    return !relative.startsWith(manifestName) && this.#options.matches(relative)
  }

  async #inBatches(
    paths: Iterable<VfsPath>,
    find: (path: VfsPath) => Promise<Due | undefined>,
    failed: Failed,
    done: Done,
  ): Promise<void> {
    let [batch, bytes]: [Due[], number] = [[], 0]
    for (const path of paths) {
      if (this.#isEnded) return
      const due = await find(path)
      if (due === undefined) continue
      batch.push(due)
      bytes += due.file?.content.length ?? 0
      if (batch.length < batchFiles && bytes < batchBytes) continue
      await this.#carryOut(batch, failed, done)
      ;[batch, bytes] = [[], 0]
    }
    if (!this.#isEnded) await this.#carryOut(batch, failed, done)
  }

  async #removalAt(path: VfsPath): Promise<Due | undefined> {
    return (await this.#revAt(path)) === undefined ? { path, file: undefined } : undefined
  }

  async #writeAt(path: VfsPath): Promise<Due | undefined> {
    for (let reads = 0; reads < maxReads; reads++) {
      const rev = await this.#revAt(path)
      if (rev === undefined || rev === this.#manifest.mirrored.get(path)) return undefined
      try {
        const content = await this.#fs.read(path)
        // Otherwise the content of another revision would be recorded as this one's.
        if ((await this.#revAt(path)) === rev) return { path, file: { rev, content } }
      } catch (error) {
        if (!isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')) throw error
      }
    }
    this.#changed.add(path)
    return undefined
  }

  /** The revision of the file at `path`; `undefined` if it should have no real file. */
  async #revAt(path: VfsPath): Promise<number | undefined> {
    if (!this.#isMirrored(path)) return undefined
    try {
      const { kind, rev } = await this.#fs.lookup(path, { follow: false })
      const parent = dirname(path)
      // A link above it leads to a file that has a real file at its own path.
      return kind === 'file' && (await this.#fs.realpath(parent)) === parent ? rev : undefined
    } catch (error) {
      if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
      throw error
    }
  }

  async #carryOut(batch: readonly Due[], failed: Failed, done: Done): Promise<void> {
    if (batch.length === 0) return
    // Flush the log first: a real file never holds data that a loss of power could take from the log.
    await this.#fs.flush()
    this.#manifest.note(batch.map(({ path }) => [path, inDoubt]))
    const finished: [string, number][] = []
    const carryOut = async ({ path, file }: Due): Promise<void> => {
      try {
        if (file === undefined) await this.#files.remove(path)
        else await this.#files.write(path, file.content)
        finished.push([path, file?.rev ?? gone])
      } catch (error) {
        failed.push({ path, reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
      }
    }
    // One at a time if directories may be removed, so that none is removed while another write looks it up.
    const atOnce = batch.some(({ file }) => file === undefined) ? 1 : parallelWrites
    for (let start = 0; start < batch.length; start += atOnce) await Promise.all(batch.slice(start, start + atOnce).map(carryOut))
    this.#manifest.note(finished)
    for (const [, rev] of finished) done[rev === gone ? 'removed' : 'written']++
  }
}
