// The log's storage on top of an asynchronous database. What the log writes is in memory at once. It goes to the database in one
// transaction, after the previous one; everything that was written meanwhile goes together into the next. So the stored state is always a
// prefix of what was committed. An operation that must not be answered before it is stored waits for `stored`.

import type { Discarding, LogFile, LogStorage } from '../log/storage.ts'
import { BlockFile } from './block-file.ts'
import { blockBytes, type BlockStore, type FileBlocks, type FileChange } from './blocks.ts'

export interface BlockStorage extends LogStorage {
  /** Resolves when everything that was written is in the database. Rejects with the first failure, now and on every later call. */
  stored(): Promise<void>
}

/** Blocks removed per transaction when files are removed gradually: 2 MiB. Chromium takes a tenth of a millisecond for each. */
const dropBlocks = 256
/** Pause between two such transactions, so that other writes are stored meanwhile. */
const dropPauseMs = 50

/** `onFailure` is called once when something could not be stored. From then on the files hold more than the database does. */
export async function openBlockStorage(store: BlockStore, onFailure: (error: unknown) => void): Promise<BlockStorage> {
  return new MemoryBlocks(store, await store.load(), onFailure)
}

function padded(block: Uint8Array): Uint8Array {
  if (block.length === blockBytes) return block
  const whole = new Uint8Array(blockBytes)
  whole.set(block.subarray(0, blockBytes))
  return whole
}

class MemoryBlocks implements BlockStorage {
  readonly files: readonly LogFile[]
  readonly isAtomic = true
  readonly #store: BlockStore
  readonly #onFailure: (error: unknown) => void
  readonly #open = new Set<BlockFile>()
  readonly #discarded: BlockFile[] = []
  /** Files that are being removed gradually. */
  readonly #leaving: BlockFile[] = []
  #dropTimer: ReturnType<typeof setTimeout> | undefined
  #isDropDue = false
  #nextNumber = 1
  #isStrictWanted = false
  #isClosed = false
  #failure: { readonly error: unknown } | undefined
  /** The transaction in progress, and the one after it. */
  #running: Promise<void> | undefined
  #waiting: Promise<void> | undefined

  constructor(store: BlockStore, found: readonly FileBlocks[], onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
    this.files = found.map(({ file, blocks }) => {
      // Missing bytes are filled with zeros, which match no checksum.
      const whole = blocks.map((block, index) => (index < blocks.length - 1 ? padded(block) : block))
      return this.#add(file, whole)
    })
  }

  /** The database has no entry for an empty file, so a new one is always available. */
  take(): LogFile {
    return this.#add(this.#nextNumber, [])
  }

  discard(file: LogFile, when: Discarding = 'at once'): void {
    file.truncate(0)
    if (!(file instanceof BlockFile)) return
    if (when === 'at once') this.#discarded.push(file)
    else {
      this.#open.delete(file)
      this.#leaving.push(file)
      this.#dropLater()
    }
  }

  async stored(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
    await (this.#waiting ?? this.#running)
  }

  settle(): Promise<void> {
    return this.stored()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#dropTimer)
    try {
      if (this.#failure === undefined) await this.stored()
    } finally {
      this.#store.close()
    }
  }

  #add(number: number, blocks: readonly Uint8Array[]): BlockFile {
    const onFlush = (): void => {
      this.#isStrictWanted = true
      this.#schedule()
    }
    const file = new BlockFile(number, blocks, () => this.#schedule(), onFlush)
    this.#open.add(file)
    this.#nextNumber = Math.max(this.#nextNumber, number + 1)
    return file
  }

  /** The transaction that will hold everything written so far. It starts a microtask later, so that it includes a whole commit. */
  #schedule(): void {
    if (this.#waiting !== undefined) return
    this.#waiting = this.#afterThe(this.#running)
    // Callers that wait for it receive its failure. If none waits, `onFailure` does.
    this.#waiting.catch(() => {})
  }

  async #afterThe(before: Promise<void> | undefined): Promise<void> {
    // Its failure rejects the promises that waited for it, and makes this transaction fail too.
    await Promise.allSettled([before])
    const own = this.#waiting
    this.#running = own
    this.#waiting = undefined
    try {
      await this.#commit()
    } finally {
      if (this.#running === own) this.#running = undefined
    }
    this.#dropLater()
  }

  async #commit(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
    const isStrict = this.#isStrictWanted
    const changed = this.#changes()
    this.#isStrictWanted = false
    if (changed.length === 0 && !isStrict) return
    try {
      await this.#store.commit(changed, isStrict)
    } catch (error) {
      this.#failure = { error }
      this.#onFailure(error)
      throw error
    }
  }

  #changes(): readonly FileChange[] {
    const changed = [...this.#open].flatMap(file => file.takeChange() ?? [])
    for (const file of this.#discarded.splice(0)) this.#open.delete(file)
    if (!this.#isDropDue) return changed
    this.#isDropDue = false
    const dropped = this.#leaving[0]?.takeDrop(dropBlocks)
    if (dropped?.drop?.from === 0) this.#leaving.shift()
    return dropped === undefined ? changed : [...changed, dropped]
  }

  /** If the store is closed before this ends, the next opening finds and removes the rest. */
  #dropLater(): void {
    if (this.#leaving.length === 0 || this.#dropTimer !== undefined || this.#isClosed) return
    this.#dropTimer = setTimeout(() => {
      this.#dropTimer = undefined
      this.#isDropDue = true
      if (!this.#isClosed) this.#schedule()
    }, dropPauseMs)
  }
}
