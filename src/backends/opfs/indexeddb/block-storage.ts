// The log's storage over a database that answers later. What the log writes is in memory at once and goes to the database as one
// transaction, after the one before it; whatever was written meanwhile goes together with the next. So what is stored is always a
// beginning of what was committed, and whoever must not be told too early waits for `stored`.

import type { LogFile, LogStorage } from '../log/storage.ts'
import { damagedStore } from '../log/failure.ts'
import { BlockFile } from './block-file.ts'
import { blockBytes, type BlockStore, type FileChange } from './blocks.ts'

export interface BlockStorage extends LogStorage {
  /** Everything that was written is in the database. Rejects, then and ever after, with the first failure. */
  stored(): Promise<void>
}

/** Of files that go by and by, with one transaction: 2 MiB. Chromium takes a tenth of a millisecond for each. */
const dropBlocks = 256
/** Between two of these, so that others are stored meanwhile. */
const dropPauseMs = 50

/** `onFailure` hears once that something could not be stored: from then on the files hold more than the database. */
export async function openBlockStorage(store: BlockStore, onFailure: (error: unknown) => void): Promise<BlockStorage> {
  const found = await store.load()
  const open = new Set<BlockFile>()
  const discarded: BlockFile[] = []
  /** Files that go by and by. */
  const leaving: BlockFile[] = []
  let dropTimer: ReturnType<typeof setTimeout> | undefined
  let isDropDue = false
  let nextNumber = 1
  let isStrictWanted = false
  let isClosed = false
  let failure: { readonly error: unknown } | undefined
  /** The transaction that is under way, and the one after it. */
  let [running, waiting]: (Promise<void> | undefined)[] = []

  const changes = (): readonly FileChange[] => {
    const changed = [...open].flatMap(file => file.takeChange() ?? [])
    for (const file of discarded.splice(0)) open.delete(file)
    if (!isDropDue) return changed
    isDropDue = false
    const dropped = leaving[0]?.takeDrop(dropBlocks)
    if (dropped?.drop?.from === 0) leaving.shift()
    return dropped === undefined ? changed : [...changed, dropped]
  }

  const commit = async (): Promise<void> => {
    if (failure !== undefined) throw failure.error
    const isStrict = isStrictWanted
    const changed = changes()
    isStrictWanted = false
    if (changed.length === 0 && !isStrict) return
    try {
      await store.commit(changed, isStrict)
    } catch (error) {
      failure = { error }
      onFailure(error)
      throw error
    }
  }

  const afterThe = async (before: Promise<void> | undefined): Promise<void> => {
    // Its failure is told to those who waited for it, and is this one's own failure too.
    await Promise.allSettled([before])
    ;[running, waiting] = [waiting, undefined]
    const own = running
    try {
      await commit()
    } finally {
      if (running === own) running = undefined
    }
    dropLater()
  }

  /** The transaction that will hold what was written up to now. A microtask later, so that all of one commit is in it. */
  const schedule = (): Promise<void> => {
    if (waiting === undefined) {
      waiting = afterThe(running)
      // Who waits is told; where nobody does, `onFailure` is.
      waiting.catch(() => {})
    }
    return waiting
  }

  /** What is left when it is closed the next opening finds again. */
  const dropLater = (): void => {
    if (leaving.length === 0 || dropTimer !== undefined || isClosed) return
    dropTimer = setTimeout(() => {
      dropTimer = undefined
      isDropDue = true
      if (!isClosed) void schedule()
    }, dropPauseMs)
  }

  const add = (number: number, blocks: readonly Uint8Array[]): BlockFile => {
    const file = new BlockFile(
      number,
      blocks,
      () => void schedule(),
      () => {
        isStrictWanted = true
        void schedule()
      },
    )
    open.add(file)
    nextNumber = Math.max(nextNumber, number + 1)
    return file
  }

  const stored = async (): Promise<void> => {
    if (failure !== undefined) throw failure.error
    await (waiting ?? running)
  }

  const files: LogFile[] = []
  for (const { file, blocks } of found) {
    if (blocks.slice(0, -1).some(block => block.length !== blockBytes))
      throw damagedStore('a part of one of its files is missing')
    files.push(add(file, blocks))
  }

  return {
    files,
    // A file that holds nothing is not in the database, so an empty one is always at hand.
    take: () => add(nextNumber, []),
    discard(file, when = 'at once') {
      file.truncate(0)
      if (!(file instanceof BlockFile)) return
      if (when === 'at once') discarded.push(file)
      else {
        open.delete(file)
        leaving.push(file)
        dropLater()
      }
    },
    stored,
    settle: stored,
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(dropTimer)
      try {
        if (failure === undefined) await stored()
      } finally {
        store.close()
      }
    },
  }
}
