// Carries the search index over to the next life of a workspace, where the filesystem keeps things for it. What comes back is held against
// every file as it is now, and forgotten where they differ; without it, or when it is damaged, the index is built as always.

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
  /** Gives the index what was kept of files that have not changed since. Call it once, before anything else is in the index. */
  readonly load: () => Promise<void>
  /** A text of so many bytes was indexed. */
  readonly indexed: (sizeBytes: number) => void
  /** Whether enough is new to be worth writing the whole of it. */
  readonly isDue: () => boolean
  /** Takes its time, in slices. Whether it could be kept is nobody's concern: the index is as good without. */
  readonly save: () => Promise<void>
  /** Somebody lost count of what changed: a save that is under way comes to nothing. */
  readonly forgetWhatIsBeingKept: () => void
}

export interface IndexKeeperOptions {
  readonly blocks: BlockIndex
  readonly vfs: Vfs
  readonly derived: DerivedStorage
  /** Larger files are not to be known: whoever searches must hear that they are left out. */
  readonly maxFileBytes: number
  /** Resolves when work may go on, and until when. */
  readonly whenIdle: () => Promise<number>
}

/** Less is indexed anew in a few milliseconds. */
const minUnsavedBytes = 1_000_000
/** A database that does not answer must not keep a search waiting: it then works without. */
const loadTimeoutMs = 2_000
/** An abort must be heard within 50 ms. */
const pauseEveryMs = 15
const pauseEveryFiles = 64

export function createIndexKeeper({ blocks, vfs, derived, maxFileBytes, whenIdle }: IndexKeeperOptions): IndexKeeper {
  let unsavedBytes = 0
  let losses = 0

  return {
    async load() {
      const loading = withinTime(derived.load())
      // Takes a few milliseconds the first time, in which the bytes are on their way.
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
    // An index has about a fifth of its texts' size, so this is every tenth byte of them: what is written stays in proportion.
    isDue: () => unsavedBytes >= Math.max(minUnsavedBytes, blocks.sizeBytes() / 2),
    async save() {
      unsavedBytes = 0
      const lossesBefore = losses
      let endMs = 0
      const bytes = await inSteps(encodePack(blocks.contents, indexFingerprint()), async () => {
        if (performance.now() >= endMs) endMs = await whenIdle()
      })
      try {
        // What was indexed must be there in the next life, or its numbers could then be those of something else.
        await vfs.flush()
      } catch (error) {
        if (isVfsError(error)) return
        throw error
      }
      if (losses === lossesBefore) await derived.save(bytes)
    },
    forgetWhatIsBeingKept() {
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

async function withinTime<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeOut = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), loadTimeoutMs)
  })
  try {
    return await Promise.race([promise, timeOut])
  } finally {
    clearTimeout(timer)
  }
}

/** Removes from `blocks` what is not, at its own place, the very file that it was when it was indexed. */
async function forgetChanged(
  blocks: BlockIndex,
  source: FileSource,
  maxFileBytes: number,
  pause: () => Promise<void>,
): Promise<void> {
  const directories = new Map<VfsPath, boolean>([[rootPath, true]])
  /** Changes are told by real path, so nothing may be known under a path that leads through a link. */
  const findDirectory = async (path: VfsPath): Promise<boolean> => {
    const above = dirname(path)
    const isThere =
      (directories.get(above) ?? (await findDirectory(above))) && (await entryAt(source, path))?.kind === 'directory'
    directories.set(path, isThere)
    return isThere
  }
  // Files of one directory mostly follow each other.
  let recent = ''
  let isRecentThere = false
  let count = 0
  for (const [text, { version }] of blocks.contents().files) {
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

/** The root, which is no file, for what is no path. */
function checkedPath(text: string): VfsPath {
  try {
    return parsePath(text)
  } catch (error) {
    if (error instanceof AnchorageError) return rootPath
    throw error
  }
}

/** Waits only where it must. What may not be looked at counts as not there. */
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
