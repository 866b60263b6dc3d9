// What searches know of a filesystem's files from before: an index of their contents, and listings of its trees. It is filled while
// nobody searches, forgets what changes, and is never needed for an answer to be right.

import { untilAborted } from '../core/abort.ts'
import type { DerivedStorage } from '../core/derived-storage.ts'
import type { VfsPath } from '../core/path.ts'
import { type BlockIndex, createBlockIndex } from '../search/index/block-index.ts'
import type { Change, ChangeBatch } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ListedEntry } from './list-files.ts'
import { versionOf } from './file-version.ts'
import { bytesAtOnce } from './search-bytes.ts'
import { createIndexKeeper } from './search-pack.ts'
import type { WorkspaceScope } from './workspace-scope.ts'

export interface SearchIndex {
  readonly blocks: BlockIndex
  /** Whether what is known of a path is what it holds at `seq`, without asking the filesystem. */
  readonly isCurrentAt: (seq: number | undefined) => boolean
  /** A listing kept before, if nothing that it depends on has changed up to `seq`. */
  readonly listing: (key: string, seq: number | undefined) => Listing | undefined
  readonly keepListing: (key: string, seq: number | undefined, listing: Listing) => void
  /** Files to be indexed when there is time. */
  readonly offer: (paths: Iterable<VfsPath>) => void
  /** While `work` runs, nothing is indexed. */
  readonly whileSearching: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when all that was offered is indexed, and kept if that is due. For tests and benchmarks. */
  readonly settled: () => Promise<void>
  /** Files whose contents were read to index them; those that were known from before are not among them. */
  readonly readFiles: () => number
}

export interface Listing {
  readonly entries: readonly ListedEntry[]
}

const sliceMs = 6
/** Between two slices, so that indexing takes less than half of an idle thread. */
const gapMs = 8
const maxQueued = 500_000
const maxListings = 4
const maxListedEntries = 200_000

/** The index of a session's workspace, or at once the reason of `signal`: others may still wait for it. */
export function searchIndexOf({ index }: Pick<WorkspaceScope, 'index'>, signal: AbortSignal): Promise<SearchIndex> {
  return untilAborted(index(), signal)
}

/** Larger files than `maxFileBytes` are not searched, so they are not indexed. What `derived` kept is taken where it is still true. */
export async function openSearchIndex(vfs: Vfs, maxFileBytes: number, derived?: DerivedStorage): Promise<SearchIndex> {
  const blocks = createBlockIndex()
  const keeper = derived && createIndexKeeper({ blocks, vfs, derived, maxFileBytes, whenIdle })
  const listings = new Map<string, { readonly seq: number; readonly listing: Listing }>()
  const queue = new Set<VfsPath>()
  let searches = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let seenSeq: number | undefined
  let waiting: (() => void)[] = []
  let readFiles = 0

  const caps = await vfs.caps()
  if (caps.watch === 'exact' && caps.snapshots) {
    await vfs.watch('/', learn)
    const now = await vfs.snapshot()
    await now.dispose()
    // Nothing is known yet, so nothing that was missed can make it wrong.
    seenSeq = Math.max(seenSeq ?? 0, now.seq)
  }
  // What changes from now on is heard, so what is found true of a file is forgotten when it is no longer.
  await keeper?.load()

  function learn(batch: ChangeBatch): void {
    if (batch.overflow) {
      blocks.clear()
      listings.clear()
      keeper?.forgetWhatIsBeingKept()
    }
    for (const change of batch.changes) {
      forget(change)
      seenSeq = Math.max(seenSeq ?? 0, change.seq)
    }
  }

  function forget({ type, path, oldPath, kind }: Change): void {
    if (type === 'attributes') return
    if (type !== 'modify' || /\/\.(?:git)?ignore$/.test(path)) listings.clear()
    for (const changed of oldPath === undefined ? [path] : [path, oldPath]) {
      const wasIndexed = blocks.removeFile(changed)
      if (type !== 'modify' && kind === 'directory') blocks.removeBelow(changed)
      // What was worth indexing before is so again; what is new, the next search offers.
      if (wasIndexed && type === 'modify') offer([path])
    }
  }

  function offer(paths: Iterable<VfsPath>): void {
    for (const path of paths) {
      if (queue.size >= maxQueued) break
      queue.add(path)
    }
    schedule()
  }

  function schedule(): void {
    if (timer !== undefined || searches > 0) return
    const isSaving = queue.size === 0 && keeper?.isDue() === true
    if (queue.size === 0 && !isSaving) {
      for (const resolve of waiting) resolve()
      waiting = []
      return
    }
    timer = setTimeout(() => {
      void (isSaving ? keeper.save() : indexSlice()).finally(() => {
        timer = undefined
        schedule()
      })
    }, gapMs)
  }

  /** For work in slices: resolves when a gap has passed and nobody searches. */
  async function whenIdle(): Promise<number> {
    do await new Promise(resolve => setTimeout(resolve, gapMs))
    while (searches > 0)
    return performance.now() + sliceMs
  }

  async function indexSlice(): Promise<void> {
    const endMs = performance.now() + sliceMs
    for (const path of queue) {
      if (searches > 0 || performance.now() > endMs) return
      queue.delete(path)
      try {
        await indexFile(path)
      } catch (error) {
        // A file that went away or cannot be read is none to index. Anything else would fail for all: the filesystem was closed.
        if (!isVfsError(error)) throw error
        if (!isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EIO')) queue.clear()
      }
    }
  }

  async function indexFile(path: VfsPath): Promise<void> {
    const { sync } = vfs
    const before = sync?.lookup(path, { follow: false }) ?? (await vfs.lstat(path))
    if (before.kind !== 'file' || before.sizeBytes > maxFileBytes || blocks.has(path, versionOf(before))) return
    const seqBefore = seenSeq
    const bytes = sync === undefined ? await vfs.readFile(path) : bytesAtOnce(sync, path)
    if (bytes === undefined) return
    // Reading took time: what changed meanwhile, and was told before the file is known here, would not be forgotten.
    if (sync === undefined && (versionOf(await vfs.lstat(path)) !== versionOf(before) || seenSeq !== seqBefore)) return
    readFiles++
    if (!blocks.addFile(path, versionOf(before), bytes)) queue.clear()
    keeper?.indexed(bytes.length)
  }

  return {
    blocks,
    isCurrentAt: seq => seq !== undefined && seq === seenSeq,
    listing(key, seq) {
      const kept = listings.get(key)
      return kept !== undefined && seq !== undefined && seenSeq !== undefined && seq >= kept.seq && seq <= seenSeq
        ? kept.listing
        : undefined
    },
    keepListing(key, seq, listing) {
      if (seq === undefined || seq !== seenSeq || listing.entries.length > maxListedEntries) return
      for (const oldest of listings.keys()) {
        if (listings.size < maxListings) break
        listings.delete(oldest)
      }
      listings.set(key, { seq, listing })
    },
    offer,
    async whileSearching(work) {
      searches++
      try {
        return await work()
      } finally {
        searches--
        schedule()
      }
    },
    settled: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        schedule()
      }),
    readFiles: () => readFiles,
  }
}
