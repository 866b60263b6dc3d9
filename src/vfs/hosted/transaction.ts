// A batch on a host. The work goes to a draft. The commit verifies what the work is based on, then performs all changes on the host in one
// go, or undoes them. To callers of this backend that is all or nothing. Another program may see a part of the changes, and if the process
// is killed in the middle, the rest is missing: a host has no transactions that could prevent it.

import { AnchorageError } from '../../core/errors.ts'
import type { VfsPath } from '../../core/path.ts'
import type { BatchOptions, Stat, VfsTransaction } from '../backend.ts'
import { VfsError } from '../error.ts'
import { isPromise } from '../is-promise.ts'
import { checkRevisions } from '../stale.ts'
import { createDraft, overtaken, type Draft } from './draft.ts'
import { hostedPrimitives, type UnnumberedChange } from './primitives.ts'
import type { LiveDisk } from './live-disk.ts'
import { atRealPath, resolve } from './resolve.ts'
import { act, type Done } from './undo.ts'

interface Setting {
  readonly disk: LiveDisk
  /** Backups that could not be removed. The batch is done anyway, and removing them is tried again later. */
  readonly leftovers: Set<() => void>
  readonly maxFileBytes: number
  readonly publish: (changes: readonly UnnumberedChange[]) => void
}

export async function transactOnHost<T>(
  setting: Setting,
  work: (transaction: VfsTransaction) => T | Promise<T>,
  { expect }: BatchOptions = {},
): Promise<T> {
  const { disk, leftovers, maxFileBytes, publish } = setting
  const { host } = disk
  const changes: UnnumberedChange[] = []
  let isEnded = false
  const draft = host.within(() => {
    checkExpected(disk, expect)
    return createDraft(disk, disk.ledger)
  })
  const transaction = hostedPrimitives(draft, {
    maxFileBytes,
    record: change => changes.push(change),
    within(run) {
      if (isEnded)
        throw new VfsError('EBADF', 'commit', { hint: 'its batch has ended; wait for all of its work inside the callback' })
      return host.within(run)
    },
  })
  try {
    const pending = work(transaction)
    const result = isPromise(pending) ? await pending : pending
    host.within(() => {
      checkExpected(disk, expect)
      if (draft.actions.length > 0) {
        for (const { keep } of commit(disk, draft)) leftovers.add(keep)
        removeLeftovers(leftovers)
      }
    })
    if (changes.length > 0) publish(changes)
    return result
  } finally {
    isEnded = true
  }
}

function checkExpected(disk: LiveDisk, expect: BatchOptions['expect']): void {
  checkRevisions(expect, path => resolve(disk, path, true, 'stat').node?.rev ?? 0)
}

/** Backups that still cannot be removed stay in `leftovers`. Returns the reason for the last one. */
export function removeLeftovers(leftovers: Set<() => void>): unknown {
  let problem: unknown
  for (const remove of leftovers) {
    try {
      remove()
      leftovers.delete(remove)
    } catch (error) {
      problem = error
    }
  }
  return problem
}

function commit(disk: LiveDisk, draft: Draft): readonly Done[] {
  const before = checkUntouched(disk, draft)
  // A directory that others also changed gets a new stat. The other nodes keep the stats that the work has seen.
  const settled = draft
    .changedNodes()
    .filter(({ node: { origin } }) => origin === undefined || atRealPath(disk, origin.path)?.rev === origin.stat.rev)
  const done = applyAll(disk, draft, before)
  for (const { path, node } of settled) disk.adopt(path, node.stat)
  return done
}

function applyAll(disk: LiveDisk, draft: Draft, before: ReadonlyMap<VfsPath, Stat>): readonly Done[] {
  const done: Done[] = []
  const id = crypto.randomUUID().slice(0, 8)
  try {
    for (const [index, action] of draft.actions.entries()) done.push(act(disk, action, `.anchorage-undo-${id}-${index}`))
    return done
  } catch (error) {
    undoAll(done, error)
    for (const [path, stat] of before) disk.adopt(path, stat)
    throw error
  }
}

function undoAll(done: readonly Done[], cause: unknown): void {
  for (const [index, { undo }] of [...done.entries()].toReversed()) {
    try {
      undo()
    } catch (error) {
      throw new AnchorageError(
        'batch-partial',
        `The batch failed, and undoing it failed too: its first ${index + 1} steps are done. Old versions of files are in the root directory as .anchorage-undo-*. Check the files before you continue.`,
        { details: { stepsDone: index + 1, undoError: String(error) }, cause },
      )
    }
  }
}

/** Throws ESTALE if an entry that the work touched has changed. Returns the entries' stats. */
function checkUntouched(disk: LiveDisk, draft: Draft): ReadonlyMap<VfsPath, Stat> {
  const before = new Map<VfsPath, Stat>()
  for (const [path, then] of draft.touched) {
    const now = atRealPath(disk, path)
    if (now?.rev !== then?.rev || now?.ino !== then?.ino) throw overtaken(path)
    if (now !== undefined) before.set(path, now)
  }
  for (const [path, then] of draft.containers) {
    const now = atRealPath(disk, path)
    if (now?.kind !== 'directory' || now.ino !== then.ino) throw overtaken(path)
    before.set(path, now)
  }
  return before
}
