// A walk that the page consumes. Entries are sent in chunks, because a message costs as much as hundreds of entries.

import { AnchorageError } from '../core/errors.ts'
import type { Vfs, WalkEntry } from '../vfs/vfs.ts'
import type { WireWalkChunk, WireWalkOptions } from './wire.ts'

const entriesPerChunk = 256

export class RemoteWalk {
  readonly #iterator: AsyncIterator<WalkEntry>
  readonly #controller = new AbortController()
  #isDone = false

  constructor(fs: Vfs, root: string, options: WireWalkOptions | undefined) {
    this.#iterator = fs.walk(root, { ...options, signal: this.#controller.signal })[Symbol.asyncIterator]()
  }

  /** The next entries; fewer than a full chunk only at the end. */
  async next(): Promise<WireWalkChunk> {
    const entries: WalkEntry[] = []
    while (entries.length < entriesPerChunk && !this.#isDone) {
      const step = await this.#iterator.next()
      if (step.done === true) this.#isDone = true
      else entries.push(step.value)
    }
    return { entries, isDone: this.#isDone }
  }

  /** Runs the walk's clean-up, also while a chunk is being read. */
  async close(): Promise<void> {
    if (this.#isDone) return
    this.#isDone = true
    this.#controller.abort(new AnchorageError('ECANCELED', 'the walk was closed'))
    await this.#iterator.return?.()
  }
}
