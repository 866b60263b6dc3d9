// A queue of commits, newest first; commits with the same date keep their order.

import type { ObjectId } from '../store/object-format.ts'

interface Waiting {
  readonly oid: ObjectId
  readonly time: number
  readonly order: number
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.time === b.time ? a.order < b.order : a.time > b.time
}

export class CommitQueue {
  readonly #heap: Waiting[] = []
  #count = 0

  get size(): number {
    return this.#heap.length
  }

  *[Symbol.iterator](): Generator<ObjectId> {
    for (const { oid } of this.#heap) yield oid
  }

  push(oid: ObjectId, time: number): void {
    const heap = this.#heap
    const own = { oid, time, order: this.#count++ }
    let at = heap.length
    heap.push(own)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(own, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = own
  }

  pop(): ObjectId | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (heap.length === 0) return first.oid
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      const left = heap[below]
      if (left === undefined) break
      const right = heap[below + 1]
      const better = right !== undefined && isBefore(right, left) ? right : left
      if (better !== left) below++
      if (!isBefore(better, last)) break
      heap[at] = better
      at = below
    }
    heap[at] = last
    return first.oid
  }
}
