// What a follower was asked to do and the leader has not done yet. Waiting operations are combined into one transaction. Each gets its
// result once the whole transaction is committed.

import { ContentElsewhere } from '../../../vfs/elsewhere.ts'
import type { VfsTransaction } from '../../../vfs/backend.ts'
import type { VfsPath } from '../../../core/path.ts'
import { type Basis, basisOf } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { draftPrimitives } from '../../../vfs/tree/transaction.ts'
import { Tree, type Version } from '../../../vfs/tree/tree.ts'
import type { Replica } from './replica.ts'
import { pushAll } from '../../../core/many.ts'

interface Waiting {
  readonly syscall: string
  /** The job is not started after this time. */
  readonly deadlineMs: number
  /** Who asks; see `Change`. */
  readonly origin?: string | undefined
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Synchronous work. It is repeated on the current state if another tab committed first. */
export interface Operation extends Waiting {
  readonly kind: 'operation'
  readonly work: (fs: VfsTransaction) => unknown
  /** It gets a separate transaction, because a part of it could be done when it fails. */
  isAlone: boolean
  /** A batch, as opposed to a single operation of the filesystem. It is always alone. */
  readonly isTransaction: boolean
  attempts: number
}

/** A transaction whose work was asynchronous: it is committed unchanged, or not at all. */
export interface Drafted extends Waiting {
  readonly kind: 'drafted'
  readonly edits: readonly Edit[]
  readonly basis: readonly Basis[]
  readonly expect: Expectations
  readonly value: unknown
  /** Set if its work was synchronous; then it is repeated if another tab committed first. */
  readonly again?: (fs: VfsTransaction) => unknown
}

export type Job = Operation | Drafted
export type Expectations = readonly (readonly [VfsPath, number])[]

export type Result =
  | { readonly job: Job; readonly is: 'value'; readonly value: unknown }
  | { readonly job: Job; readonly is: 'error'; readonly error: unknown }

/** One transaction to request from the leader. */
export interface Bundle {
  readonly results: readonly Result[]
  readonly edits: readonly Edit[]
  readonly basis: readonly Basis[]
  readonly expect: Expectations
  /** Whether watchers receive it as one transaction. */
  readonly isTogether: boolean
  /** What the edits change, if changes of contents can be told from it. */
  readonly base?: Version
  /** The origin that all its edits share. */
  readonly origin?: string | undefined
}

const maxOperations = 256
const maxContentBytes = 1024 * 1024

/**
 * Takes the next jobs from `queue`. If it returns a `ContentElsewhere`, that content must be fetched before the first job, which is still
 * in the queue, can be done.
 */
export function takeBundle(queue: Job[], replica: Replica): Bundle | ContentElsewhere | undefined {
  const [first] = queue
  if (first === undefined) return undefined
  if (first.kind === 'drafted') {
    queue.shift()
    const { edits, basis, expect, value, origin } = first
    return { results: [{ job: first, is: 'value', value }], edits, basis, expect, isTogether: true, origin }
  }
  const base = replica.tree.freeze()
  const draft = new Tree(base)
  const edits: Edit[] = []
  const fs = draftPrimitives({ stamps: replica.stamps }, draft, edits)
  const results: Result[] = []
  let contentBytes = 0
  try {
    for (let job = queue[0]; job?.kind === 'operation' && results.length < maxOperations; job = queue[0]) {
      if ((job.isAlone || job.origin !== first.origin) && results.length > 0) break
      const editCount = edits.length
      try {
        results.push({ job, is: 'value', value: job.work(fs) })
      } catch (error) {
        // Its content is fetched, and the job is tried again in a new draft.
        if (error instanceof ContentElsewhere && results.length === 0) return error
        if (edits.length > editCount) {
          if (results.length === 0) {
            queue.shift()
            return { results: [{ job, is: 'error', error }], edits: [], basis: [], expect: [], isTogether: true }
          }
          job.isAlone = true
          pushAll(queue, results.map(result => result.job).concat(queue.splice(0)))
          return takeBundle(queue, replica)
        }
        if (error instanceof ContentElsewhere) break
        results.push({ job, is: 'error', error })
      }
      queue.shift()
      if (job.isAlone) break
      contentBytes += contentBytesOf(edits.slice(editCount))
      if (contentBytes > maxContentBytes) break
    }
  } finally {
    draft.isEnded = true
  }
  return { results, edits, basis: basisOf(base, edits), expect: [], isTogether: first.isTransaction, base, origin: first.origin }
}

/** The new contents, without duplicates. */
export function newContents(edits: readonly Edit[]): ReadonlyMap<number, FileContent> {
  const contents = new Map<number, FileContent>()
  for (const edit of edits) {
    if (edit.kind === 'put' && edit.node.kind === 'file' && edit.change !== 'attributes')
      contents.set(edit.node.ino, edit.node.bytes)
  }
  return contents
}

export function contentBytesOf(edits: readonly Edit[]): number {
  let sum = 0
  for (const { length } of newContents(edits).values()) sum += length
  return sum
}
