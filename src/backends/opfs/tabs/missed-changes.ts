// Changes that were committed after the last commit that a follower received, and before it took over, because the leader ended in between.
// If all of them are known, watchers receive them one by one.

import { changeOf, type Edit } from '../../../vfs/tree/edit.ts'
import type { FollowingFeed } from './following-feed.ts'

export class MissedChanges {
  readonly #transaction: number
  #missed: { readonly number: number; readonly edits: readonly Edit[] }[] = []

  /** `transaction` is the last one that the tab received. */
  constructor(transaction: number) {
    this.#transaction = transaction
  }

  /** Receives each transaction as it is replayed. */
  readonly onReplay = (number: number, edits: readonly Edit[]): void => {
    // The replay starts again from another checkpoint.
    if (number <= (this.#missed.at(-1)?.number ?? 0)) this.#missed = []
    if (number > this.#transaction) this.#missed.push({ number, edits })
  }

  /** `last` and `lastSeq` are the numbers of the store's last transaction and change. */
  tell(feed: FollowingFeed, last: number, lastSeq: number): void {
    const changeCount = this.#missed.reduce((sum, { edits }) => sum + edits.length, 0)
    const isComplete = this.#transaction + this.#missed.length === last && feed.seq + changeCount === lastSeq
    if (!isComplete) feed.skipTo(lastSeq)
    else for (const { edits } of this.#missed) feed.publish(edits.map(changeOf), 'unknown')
  }
}
