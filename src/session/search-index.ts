// The results of earlier searches: an index of file contents, and directory listings. It is filled while no search runs, drops
// files that change, and no answer depends on it.

import { untilAborted } from '../core/abort.ts'
import type { DerivedStorage } from '../core/derived-storage.ts'
import type { VfsPath } from '../core/path.ts'
import { BlockIndex } from '../search/index/block-index.ts'
import type { FileVersion } from '../search/index/records.ts'
import type { Change, ChangeBatch, Dirent, Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ListedEntry } from './list-files.ts'
import { versionOf } from './file-version.ts'
import { bytesAtOnce } from './search-bytes.ts'
import type { IndexKeeper } from './search-pack.ts'
import type { WorkspaceScope } from './workspace-scope.ts'

export interface SearchIndexOptions {
  /** Restores stored data of an earlier session that is still valid. */
  readonly derived?: DerivedStorage | undefined
  /** See `IndexKeeperOptions`. */
  readonly loadTimeoutMs?: number | undefined
  /** Stops indexing permanently when it aborts. */
  readonly signal?: AbortSignal
}

export interface Listing {
  readonly entries: readonly ListedEntry[]
  /** Each entry as the filesystem listed it. `undefined` after a change, because the entry may refer to old content. */
  readonly dirents?: readonly Dirent[] | undefined
}

interface OfferedList {
  readonly pathAt: (position: number) => VfsPath | undefined
  readonly count: number
  /** The number of paths already taken. */
  next: number
}

const sliceMs = 6
/** Pause between two slices, so that indexing takes less than half of an idle thread. */
const gapMs = 8
const maxQueued = 500_000
const maxOfferedLists = 100
const maxListings = 4
const maxListedEntries = 200_000

/**
 * Returns the index for the workspace of a session. Rejects at once with the reason of `signal`; other callers may still wait for
 * the index.
 */
export function searchIndexOf({ index }: Pick<WorkspaceScope, 'index'>, signal: AbortSignal): Promise<SearchIndex> {
  return untilAborted(index(), signal)
}

/**
 * The search index of one filesystem. It indexes offered files while no search runs, and drops files that change. No answer
 * depends on it: a file that is not in the index is searched.
 */
export class SearchIndex {
  readonly blocks: BlockIndex = new BlockIndex()
  readonly #vfs: Vfs
  readonly #maxFileBytes: number
  #keeper: IndexKeeper | undefined
  readonly #listings = new Map<string, { readonly seq: number; readonly listing: Listing }>()
  readonly #queue = new Set<VfsPath>()
  /** Visiting each path at once would slow down the search that offers them. */
  readonly #offered: OfferedList[] = []
  #waiting: (() => void)[] = []
  #runningSearches = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #seenSeq: number | undefined
  #readFiles = 0
  readonly #lifetime: AbortSignal
  #unwatch: (() => void) | undefined

  /** Files larger than `maxFileBytes` are not searched, so they are not indexed. */
  static async open(vfs: Vfs, maxFileBytes: number, options: SearchIndexOptions = {}): Promise<SearchIndex> {
    const index = new SearchIndex(vfs, maxFileBytes, options)
    if (options.derived !== undefined) await index.#openKeeper(options.derived, options.loadTimeoutMs)
    await index.#start()
    return index
  }

  private constructor(vfs: Vfs, maxFileBytes: number, { signal }: SearchIndexOptions) {
    this.#vfs = vfs
    this.#maxFileBytes = maxFileBytes
    this.#lifetime = signal ?? new AbortController().signal
    if (!this.#lifetime.aborted) this.#lifetime.addEventListener('abort', () => this.#end(), { once: true })
  }

  async #openKeeper(derived: DerivedStorage, loadTimeoutMs: number | undefined): Promise<void> {
    const { createIndexKeeper } = await import('./search-pack.ts')
    this.#keeper = createIndexKeeper({
      blocks: this.blocks,
      vfs: this.#vfs,
      derived,
      maxFileBytes: this.#maxFileBytes,
      loadTimeoutMs,
      whenIdle: () => this.#whenIdle(),
    })
  }

  async #start(): Promise<void> {
    const caps = await this.#vfs.caps()
    if (caps.watch === 'exact' && caps.snapshots) {
      this.#unwatch = await this.#vfs.watch('/', batch => this.#learn(batch))
      const now = await this.#vfs.snapshot()
      await now.dispose()
      // The index is empty, so a missed change cannot invalidate it.
      this.#seenSeq = Math.max(this.#seenSeq ?? 0, now.seq)
    }
    // Changes are received from this point, so an entry that `load` restores is removed when its file changes.
    await this.#keeper?.load()
    if (this.#lifetime.aborted) this.#end()
  }

  /** Stops indexing at once, and releases the filesystem. */
  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#dropQueue()
    this.#listings.clear()
    this.#resolveWaiting()
  }

  /** Whether the index is known to be current at `seq`, without asking the filesystem. */
  isCurrentAt(seq: number | undefined): boolean {
    return seq !== undefined && seq === this.#seenSeq
  }

  /** An earlier listing, if nothing that affects it has changed up to `seq`. */
  listing(key: string, seq: number | undefined): Listing | undefined {
    const kept = this.#listings.get(key)
    const seenSeq = this.#seenSeq
    return kept !== undefined && seq !== undefined && seenSeq !== undefined && seq >= kept.seq && seq <= seenSeq
      ? kept.listing
      : undefined
  }

  keepListing(key: string, seq: number | undefined, listing: Listing): void {
    if (seq === undefined || seq !== this.#seenSeq || listing.entries.length > maxListedEntries) return
    for (const oldest of this.#listings.keys()) {
      if (this.#listings.size < maxListings) break
      this.#listings.delete(oldest)
    }
    this.#listings.set(key, { seq, listing })
  }

  /** Offers files to index later. */
  offer(paths: readonly VfsPath[]): void {
    this.#offer({ pathAt: position => paths[position], count: paths.length, next: 0 })
  }

  /** Offers the first `count` of `files`, which must not change. */
  offerFiles(files: readonly { readonly path: VfsPath }[], count: number = files.length): void {
    this.#offer({ pathAt: position => files[position]?.path, count, next: 0 })
  }

  #offer(list: OfferedList): void {
    if (this.#lifetime.aborted) return
    if (list.count > 0 && this.#offered.length < maxOfferedLists) this.#offered.push(list)
    this.#schedule()
  }

  /** The next file to index, recently changed files first. `undefined` if there is none. */
  #take(): VfsPath | undefined {
    for (const path of this.#queue) {
      this.#queue.delete(path)
      return path
    }
    for (let list = this.#offered[0]; list !== undefined; list = this.#offered[0]) {
      if (list.next < list.count) return list.pathAt(list.next++)
      this.#offered.shift()
    }
    return undefined
  }

  get #isIdle(): boolean {
    return this.#queue.size === 0 && this.#offered.every(({ count, next }) => next >= count)
  }

  #dropQueue(): void {
    this.#queue.clear()
    this.#offered.length = 0
  }

  /** Runs `work`. Indexing pauses meanwhile. */
  async whileSearching<T>(work: () => Promise<T>): Promise<T> {
    this.#runningSearches++
    try {
      return await work()
    } finally {
      this.#runningSearches--
      this.#schedule()
    }
  }

  /** Resolves when all offered files are indexed, and the index is stored if that is due. For tests and benchmarks. */
  settled(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  /** The number of files that were read for indexing, without restored ones. */
  readFiles(): number {
    return this.#readFiles
  }

  #learn(batch: ChangeBatch): void {
    if (batch.overflow) {
      this.blocks.clear()
      this.#listings.clear()
      this.#keeper?.discardSave()
    }
    for (const change of batch.changes) {
      this.#forget(change)
      this.#seenSeq = Math.max(this.#seenSeq ?? 0, change.seq)
    }
    if (batch.changes.length === 0) return
    for (const [key, { seq, listing }] of this.#listings) {
      if (listing.dirents !== undefined) this.#listings.set(key, { seq, listing: { entries: listing.entries } })
    }
  }

  #forget({ type, path, oldPath, kind }: Change): void {
    if (type === 'attributes') return
    if (type !== 'modify' || ignoreFilePath.test(path)) this.#listings.clear()
    for (const changed of oldPath === undefined ? [path] : [path, oldPath]) {
      const wasIndexed = this.blocks.removeFile(changed)
      if (type !== 'modify' && kind === 'directory') this.blocks.removeBelow(changed)
      // A file that was indexed before is indexed again. New files are offered by the next search.
      if (wasIndexed && type === 'modify' && this.#queue.size < maxQueued) {
        this.#queue.add(path)
        this.#schedule()
      }
    }
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#runningSearches > 0) return
    const isIdle = this.#isIdle
    const isSaving = isIdle && this.#keeper?.isDue() === true
    if (this.#lifetime.aborted || (isIdle && !isSaving)) {
      this.#dropQueue()
      this.#resolveWaiting()
      return
    }
    this.#timer = setTimeout(() => {
      void (isSaving ? this.#save() : this.#indexSlice()).finally(() => {
        this.#timer = undefined
        this.#schedule()
      })
    }, gapMs)
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }

  async #save(): Promise<void> {
    try {
      await this.#keeper?.save()
    } catch (error) {
      // An index that has ended has nothing to store.
      if (!this.#lifetime.aborted) throw error
    }
  }

  /** Resolves after a pause, when no search runs. Rejects when the index has ended. */
  async #whenIdle(): Promise<number> {
    do {
      this.#lifetime.throwIfAborted()
      await new Promise<void>(resolve => {
        setTimeout(() => resolve(), gapMs)
      })
    } while (this.#runningSearches > 0)
    this.#lifetime.throwIfAborted()
    return performance.now() + sliceMs
  }

  async #indexSlice(): Promise<void> {
    const endMs = performance.now() + sliceMs
    while (!this.#lifetime.aborted && this.#runningSearches === 0 && performance.now() <= endMs) {
      const path = this.#take()
      if (path === undefined) return
      try {
        // Waiting for a synchronous result would cost as much as a small file.
        const work = this.#indexFile(path)
        if (work !== undefined) await work
      } catch (error) {
        // A file that was removed or cannot be read is not indexed. Any other error means that the filesystem was closed.
        if (!isVfsError(error)) throw error
        if (!isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EIO', 'ENOTSUP')) this.#dropQueue()
      }
    }
  }

  #indexFile(path: VfsPath): Promise<void> | undefined {
    const { sync } = this.#vfs
    if (sync === undefined) return this.#indexStoredFile(path)
    const version = this.#newVersion(path, sync.lookup(path, { follow: false }))
    const bytes = version === undefined ? undefined : bytesAtOnce(sync, path)
    if (version !== undefined && bytes !== undefined) this.#add(path, version, bytes)
    return undefined
  }

  async #indexStoredFile(path: VfsPath): Promise<void> {
    const vfs = this.#vfs
    const version = this.#newVersion(path, await vfs.lstat(path))
    if (version === undefined) return
    const seqBefore = this.#seenSeq
    const bytes = await vfs.readFile(path)
    // A change that arrived during the read could not remove the file, because it was not yet in the index.
    if (versionOf(await vfs.lstat(path)) === version && this.#seenSeq === seqBefore) this.#add(path, version, bytes)
  }

  /** `undefined` if the file is not to be indexed, or is. */
  #newVersion(path: VfsPath, stat: Stat): FileVersion | undefined {
    if (stat.kind !== 'file' || stat.sizeBytes > this.#maxFileBytes) return undefined
    const version = versionOf(stat)
    return this.blocks.has(path, version) ? undefined : version
  }

  #add(path: VfsPath, version: FileVersion, bytes: Uint8Array): void {
    this.#readFiles++
    if (!this.blocks.addFile(path, version, bytes)) this.#dropQueue()
    this.#keeper?.indexed(bytes.length)
  }
}

/** The names of files that affect listings. */
const ignoreFilePath = /\/(?:\.(?:git|rg)?ignore|\.git\/info\/exclude)$/
