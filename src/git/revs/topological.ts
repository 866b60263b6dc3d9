import type { Commit, ObjectId } from '../store/object-format.ts'
import { CommitQueue } from './commit-queue.ts'
import type { WalkOptions } from './walk.ts'

interface SortedCommit {
  readonly oid: ObjectId
  readonly commit: Commit
}

/** No commit before all of its children. Among the possible next commits takes the newest, and finishes a line before another. */
export function topological<Row extends SortedCommit>(
  list: readonly Row[],
  followed: (row: Row) => readonly ObjectId[],
  order: WalkOptions['order'],
): Row[] {
  const inList = new Map(list.map(node => [node.oid, node]))
  const children = new Map<ObjectId, number>()
  for (const node of list) {
    for (const parent of followed(node)) if (inList.has(parent)) children.set(parent, (children.get(parent) ?? 0) + 1)
  }
  const isByDate = order !== 'topological'
  const timeOf = ({ commit }: Row): number => (order === 'author-date' ? commit.author : commit.committer).time
  const ready = list.filter(({ oid }) => !children.has(oid))
  const queue = new CommitQueue()
  const stack = ready.toReversed()
  if (isByDate) for (const node of ready) queue.push(node.oid, timeOf(node))
  const sorted: Row[] = []
  for (;;) {
    const node = isByDate ? inList.get(queue.pop() ?? '') : stack.pop()
    if (node === undefined) return sorted
    sorted.push(node)
    for (const oid of followed(node)) {
      const count = children.get(oid)
      const parent = inList.get(oid)
      if (count === undefined || parent === undefined) continue
      children.set(oid, count - 1)
      if (count > 1) continue
      if (isByDate) queue.push(oid, timeOf(parent))
      else stack.push(parent)
    }
  }
}
