// Stores in every state that a tab can leave, for tests that damage them.

import { moveContents, planCompaction } from '../../backends/opfs/log/compaction.ts'
import { compactNow, noLimits } from './compact-now.ts'
import { openLog, type OpenLog } from '../../backends/opfs/log/open.ts'
import type { LogStorage } from '../../backends/opfs/log/storage.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Random } from '../random.ts'
import { changeLarge, changeSomething, smallLog } from './log-session.ts'

/**
 * `fresh`: nothing was ever written. `flushed`: many commits without a checkpoint. `changed`: the same with small changes of a file in many
 * pieces. `idle`: a checkpoint after the last commit.
 * `compacting`: some contents have moved, without a checkpoint afterwards. `compacted`: the emptied files are removed. `closed`: as a
 * closed tab leaves it.
 */
export const storeStates = ['fresh', 'flushed', 'changed', 'idle', 'compacting', 'compacted', 'closed'] as const
export type StoreState = (typeof storeStates)[number]

/** Brings `storage` into `state`. Everything in it is flushed. */
export function bringInto(storage: LogStorage, state: StoreState, random: Random): OpenLog {
  const open = openLog(storage, smallLog)
  if (state === 'fresh') return open
  for (let count = 0; count < 60; count++) {
    changeOrRefuse(open, random, state === 'changed' ? changeLarge : changeSomething)
    if (count === 20) open.log.checkpoint(open.state())
  }
  open.log.flush()
  if (state === 'idle') open.log.checkpoint(open.state())
  if (state === 'closed') open.log.checkpointTwice(open.state())
  if (state === 'compacted') for (const file of compactNow(open.log, open.state)) open.log.files.discard(file)
  if (state === 'compacting') {
    const plan = planCompaction(open.log, open.state().tree, noLimits)
    const slices = plan && moveContents(open.log, plan, 1)
    for (let count = 0; count < 5; count++) slices?.next()
    open.log.flush()
  }
  return open
}

export function changeOrRefuse({ store }: OpenLog, random: Random, change: typeof changeSomething = changeSomething): void {
  try {
    change(store.fs, random)
  } catch (error) {
    if (!isVfsError(error)) throw error
  }
}
