// Gives back the room of contents that nobody can see any more. What is still in use in a mostly dead file moves to the end of the log,
// a little at a time; then a checkpoint says where it is, and the file goes. Old snapshots keep the files that they may read.

import type { Version } from '../../../vfs/tree/tree.ts'
import { contentsOf } from './checkpoint.ts'
import type { StoredContent } from './content.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import type { TreeState } from './checkpoints.ts'
import type { Log } from './log.ts'

/** Files that are mostly dead, and what is alive in them. */
export interface CompactionPlan {
  readonly victims: readonly NumberedFile[]
  readonly alive: readonly StoredContent[]
}

/** `undefined` if less than `minimumDeadBytes` would come free. Time: in proportion to the number of files in the tree. */
export function planCompaction(log: Log, tree: Version, minimumDeadBytes: number): CompactionPlan | undefined {
  const contents = contentsOf(tree)
  const aliveBytes = new Map<NumberedFile, number>()
  for (const { location, length } of contents) {
    if (location !== undefined) aliveBytes.set(location.holder, (aliveBytes.get(location.holder) ?? 0) + length)
  }
  const isMostlyDead = (file: NumberedFile): boolean =>
    (aliveBytes.get(file) ?? 0) < (file.sizeBytes - headerBytes) / 2 && file.sizeBytes > headerBytes
  if (isMostlyDead(log.tail) && log.tail.sizeBytes > minimumDeadBytes) log.roll()
  const victims = [...log.files.of('segment'), ...log.files.of('side')].filter(file => file !== log.tail && isMostlyDead(file))
  const deadBytes = victims.reduce((sum, file) => sum + file.sizeBytes - (aliveBytes.get(file) ?? 0), 0)
  if (victims.length === 0 || deadBytes < minimumDeadBytes) return undefined
  const chosen = new Set(victims)
  return { victims, alive: contents.filter(({ location }) => location !== undefined && chosen.has(location.holder)) }
}

/** Moves contents in slices of about `sliceBytes`; the caller lets others work between two of them. */
export function* moveContents(log: Log, plan: CompactionPlan, sliceBytes: number): Generator<undefined, void> {
  const chosen = new Set(plan.victims)
  let movedBytes = 0
  for (const content of plan.alive) {
    if (content.location === undefined || !chosen.has(content.location.holder)) continue
    log.moveToEnd(content)
    movedBytes += content.length
    if (movedBytes < sliceBytes) continue
    movedBytes = 0
    yield
  }
}

/** All of it at once. `state` is asked for after the moves. */
export function compactNow(log: Log, state: () => TreeState, minimumDeadBytes = 0): readonly NumberedFile[] {
  const plan = planCompaction(log, state().tree, minimumDeadBytes)
  if (plan === undefined) return []
  for (const _slice of moveContents(log, plan, Infinity)) continue
  log.checkpoint(state())
  return plan.victims
}
