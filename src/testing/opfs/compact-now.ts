// Compaction without pauses.

import type { TreeState } from '../../backends/opfs/log/checkpoints.ts'
import { type CompactionLimits, emptied, moveContents, planCompaction } from '../../backends/opfs/log/compaction.ts'
import type { NumberedFile } from '../../backends/opfs/log/header.ts'
import type { Log } from '../../backends/opfs/log/log.ts'

/** Every mostly dead file is freed at once. */
export const noLimits: CompactionLimits = {
  minimumDeadBytes: 0,
  deadShare: 0,
  movedBytes: Infinity,
  movedShare: 1,
  isMovedStrict: false,
}

/** Frees all that can be freed. `state` is called after the moves. */
export function compactNow(log: Log, state: () => TreeState): readonly NumberedFile[] {
  const plan = planCompaction(log, state().tree, noLimits)
  if (plan === undefined) return []
  for (const _slice of moveContents(log, plan, Infinity)) continue
  log.checkpointTwice(state())
  return emptied(log, plan)
}
