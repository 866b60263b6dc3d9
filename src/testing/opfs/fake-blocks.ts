// A database of blocks that records every transaction, so that a test can open the state after any number of them, or make one fail.

import type { BlockStore, FileBlocks, FileChange } from '../../backends/opfs/indexeddb/blocks.ts'
import { VfsError } from '../../vfs/error.ts'

interface BlockTransaction {
  readonly changes: readonly FileChange[]
  readonly isStrict: boolean
}

type Files = ReadonlyMap<number, readonly Uint8Array[]>

export class FakeBlocks {
  readonly transactions: BlockTransaction[] = []
  /** The limit for all blocks together, in bytes. */
  quotaBytes: number = Infinity
  /** The errors of the next commits, which are then not done. */
  readonly failures: Error[] = []
  /** While this is set, transactions wait. */
  pause: Promise<void> | undefined
  #files: Files
  #owner = 0

  constructor(files: Files = new Map()) {
    this.#files = files
  }

  get usedBytes(): number {
    return sizeOf(this.#files)
  }

  /** The state after a power failure that follows this many transactions. */
  after(count: number): FakeBlocks {
    return new FakeBlocks(this.transactions.slice(0, count).reduce(applied, new Map()))
  }

  own(): BlockStore {
    const owner = ++this.#owner
    return {
      load: async () => [...this.#files].map(([file, blocks]): FileBlocks => ({ file, blocks })),
      commit: async (changes, isStrict) => {
        // Bytes that were handed over are never changed. They are stored without a copy, so that a change would show as damage.
        await (this.pause ?? Promise.resolve())
        if (owner !== this.#owner) throw new VfsError('EBUSY', 'write')
        const failure = this.failures.shift()
        if (failure !== undefined) throw failure
        const transaction = { changes, isStrict }
        const files = applied(this.#files, transaction)
        if (sizeOf(files) > Math.max(this.quotaBytes, sizeOf(this.#files))) {
          throw new DOMException('there is no more room', 'QuotaExceededError')
        }
        this.#files = files
        this.transactions.push(transaction)
      },
      close() {},
    }
  }
}

function applied(files: Files, { changes }: BlockTransaction): Files {
  const next = new Map(files)
  for (const { file, drop, puts } of changes) {
    const stored = next.get(file) ?? []
    if (drop !== undefined && drop.until !== stored.length)
      throw new Error(`file ${file} has ${stored.length} blocks, not ${drop.until}`)
    const blocks = stored.slice(0, drop?.from)
    for (const { index, bytes } of puts) blocks[index] = bytes.slice()
    if (blocks.length === 0) next.delete(file)
    else next.set(file, blocks)
  }
  return next
}

function sizeOf(files: Files): number {
  return [...files.values()].flat().reduce((sum, block) => sum + block.length, 0)
}
