// What searches know of a filesystem's files from before: an index of their contents, and listings of its trees. It is filled while
// nobody searches, forgets what changes, and is never needed for an answer to be right.

import type { VfsPath } from '../core/path.ts'
import { type BlockIndex, createBlockIndex, type FileVersion } from '../search/index/block-index.ts'
import type { Change, ChangeBatch, Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { ListedEntry } from './list-files.ts'
import { bytesAtOnce } from './search-bytes.ts'
import type { Session } from './session.ts'

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
  /** Resolves when all that was offered is indexed. For tests and benchmarks. */
  readonly settled: () => Promise<void>
}

export interface Listing {
  readonly entries: readonly ListedEntry[]
}

/** The same while the file's bytes are. */
export function versionOf({ ino, rev, sizeBytes }: Stat): FileVersion {
  return `${ino}:${rev}:${sizeBytes}`
}

const sliceMs = 6
/** Between two slices, so that indexing takes less than half of an idle thread. */
const gapMs = 8
const maxQueued = 500_000
const maxListings = 4
const maxListedEntries = 200_000

const indexes = new WeakMap<Session['locks'], Promise<SearchIndex>>()

/**
 * The one of the session's workspace. Its locks stand for the workspace: they are what all sessions share, also where a call sees
 * the filesystem through a guard of its own.
 */
export function searchIndexOf({ locks, vfs, limits }: Pick<Session, 'locks' | 'vfs' | 'limits'>): Promise<SearchIndex> {
  let index = indexes.get(locks)
  if (index === undefined) {
    index = openSearchIndex(vfs, limits.searchMaxFileBytes)
    indexes.set(locks, index)
  }
  return index
}

/** Larger files than `maxFileBytes` are not searched, so they are not indexed. */
export async function openSearchIndex(vfs: Vfs, maxFileBytes: number): Promise<SearchIndex> {
  const blocks = createBlockIndex()
  const listings = new Map<string, { readonly seq: number; readonly listing: Listing }>()
  const queue = new Set<VfsPath>()
  let searches = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let seenSeq: number | undefined
  let waiting: (() => void)[] = []

  const caps = await vfs.caps()
  if (caps.watch === 'exact' && caps.snapshots) {
    await vfs.watch('/', learn)
    const now = await vfs.snapshot()
    await now.dispose()
    // Nothing is known yet, so nothing that was missed can make it wrong.
    seenSeq = Math.max(seenSeq ?? 0, now.seq)
  }

  function learn(batch: ChangeBatch): void {
    if (batch.overflow) {
      blocks.clear()
      listings.clear()
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
    if (queue.size === 0) {
      for (const resolve of waiting) resolve()
      waiting = []
      return
    }
    timer = setTimeout(() => {
      void indexSlice().finally(() => {
        timer = undefined
        schedule()
      })
    }, gapMs)
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
    if (!blocks.addFile(path, versionOf(before), bytes)) queue.clear()
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
  }
}
