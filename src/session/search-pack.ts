// Stores the search index for the next session of a workspace, if the filesystem supports it. Restored entries are compared with
// the current files and removed if they differ. If the data is missing or damaged, the index is built from scratch.

import type { DerivedStorage } from '../core/derived-storage.ts'
import { AnchorageError } from '../core/errors.ts'
import { createPauser } from '../core/pause.ts'
import { dirname, parsePath, rootPath, type VfsPath } from '../core/path.ts'
import type { BlockIndex } from '../search/index/block-index.ts'
import { indexFingerprint } from '../search/index/fingerprint.ts'
import { decodePack, encodePack, type Steps } from '../search/index/pack.ts'
import type { Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { openFileSource, type FileSource } from './file-source.ts'
import { versionOf } from './file-version.ts'

export interface IndexKeeper {
  /** Restores the entries of files that have not changed since. Call it once, before anything else is in the index. */
  readonly load: () => Promise<void>
  /** Reports that a text of this size was indexed. */
  readonly indexed: (sizeBytes: number) => void
  /** Whether enough new data has accumulated to write the whole index. */
  readonly isDue: () => boolean
  /** Writes the index in slices. An error is not reported, because the index works without it. */
  readonly save: () => Promise<void>
  /** Reports that changes were missed, which discards a save in progress. */
  readonly discardSave: () => void
}

export interface IndexKeeperOptions {
  readonly blocks: BlockIndex
  readonly vfs: Vfs
  readonly derived: DerivedStorage
  /** Larger files must not be in the index, because a search must report that it leaves them out. */
  readonly maxFileBytes: number
  /** The time limit for loading. A search must not wait for a database that does not answer. Default 2 s. */
  readonly loadTimeoutMs?: number | undefined
  /** Resolves when work may continue, with the time limit of the slice. */
  readonly whenIdle: () => Promise<number>
}

/** A smaller amount is indexed again within a few milliseconds. */
const minUnsavedBytes = 1_000_000
/** An abort must take effect within 50 ms. */
const pauseEveryMs = 15
const pauseEveryFiles = 64

export function createIndexKeeper({
  blocks,
  vfs,
  derived,
  maxFileBytes,
  whenIdle,
  loadTimeoutMs = 2_000,
}: IndexKeeperOptions): IndexKeeper {
  let unsavedBytes = 0
  let losses = 0

  return {
    async load() {
      const loading = withinTime(derived.load(), loadTimeoutMs)
      // Computing the fingerprint takes a few milliseconds the first time, during which the bytes are loaded.
      const fingerprint = indexFingerprint()
      const bytes = await loading
      if (bytes === undefined) return
      const pause = createPauser(pauseEveryMs)
      const contents = await inSteps(decodePack(bytes, fingerprint), pause)
      if (contents === undefined) return
      blocks.adopt(contents)
      const source = await openFileSource(vfs)
      try {
        await forgetChanged(blocks, source, maxFileBytes, pause)
      } finally {
        await source.dispose()
      }
    },
    indexed(sizeBytes) {
      unsavedBytes += sizeBytes
    },
    // An index has about a fifth of the size of its texts, so this is a tenth of their size. The amount written stays proportional.
    isDue: () => unsavedBytes >= Math.max(minUnsavedBytes, blocks.sizeBytes / 2),
    async save() {
      unsavedBytes = 0
      const lossesBefore = losses
      let endMs = 0
      const bytes = await inSteps(encodePack(blocks, indexFingerprint()), async () => {
        if (performance.now() >= endMs) endMs = await whenIdle()
      })
      try {
        // The indexed state must be stored before the index. Otherwise its numbers could refer to other contents in the next session.
        await vfs.flush()
      } catch (error) {
        if (isVfsError(error)) return
        throw error
      }
      if (losses === lossesBefore) await derived.save(bytes)
    },
    discardSave() {
      losses++
    },
  }
}

async function inSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    await pause()
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

async function withinTime<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeOut = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  try {
    return await Promise.race([promise, timeOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Removes from `blocks` every file that differs from the indexed one. */
async function forgetChanged(
  blocks: BlockIndex,
  source: FileSource,
  maxFileBytes: number,
  pause: () => Promise<void>,
): Promise<void> {
  const directories = new Map<VfsPath, boolean>([[rootPath, true]])
  /** Changes are reported by real path, so the index must not contain a path through a symlink. */
  const findDirectory = async (path: VfsPath): Promise<boolean> => {
    const above = dirname(path)
    const isThere =
      (directories.get(above) ?? (await findDirectory(above))) && (await entryAt(source, path))?.kind === 'directory'
    directories.set(path, isThere)
    return isThere
  }
  // Files of one directory usually follow each other.
  let recent = ''
  let isRecentThere = false
  let count = 0
  for (const [text, { version }] of blocks.contents.files) {
    if (++count % pauseEveryFiles === 0) await pause()
    const path = checkedPath(text)
    const nameAt = path.lastIndexOf('/') + 1
    if (nameAt !== recent.length || !path.startsWith(recent)) {
      const directory = dirname(path)
      isRecentThere = directories.get(directory) ?? (await findDirectory(directory))
      recent = path.slice(0, nameAt)
    }
    const entry = isRecentThere ? entryAt(source, path) : undefined
    const stat = entry instanceof Promise ? await entry : entry
    const isSame = stat?.kind === 'file' && stat.sizeBytes <= maxFileBytes && versionOf(stat) === version
    if (!isSame) blocks.removeFile(text)
  }
}

/** Returns the root, which is not a file, for an invalid path. */
function checkedPath(text: string): VfsPath {
  try {
    return parsePath(text)
  } catch (error) {
    if (error instanceof AnchorageError) return rootPath
    throw error
  }
}

/** Awaits only if necessary. An entry that may not be read counts as missing. */
function entryAt({ sync, lstat }: FileSource, path: VfsPath): Stat | undefined | Promise<Stat | undefined> {
  const absent = (error: unknown): undefined => {
    if (!isVfsError(error)) throw error
  }
  if (sync === undefined) return lstat(path).catch(absent)
  try {
    return sync.lookup(path, { follow: false })
  } catch (error) {
    return absent(error)
  }
}
