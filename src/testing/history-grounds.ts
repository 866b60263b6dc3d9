// A history over files in memory, on each of the grounds that it can stand on.

import type { Actor } from '../core/actor.ts'
import { memory } from '../backends/memory/index.ts'
import { History } from '../history/recorder.ts'
import { prepareHistory } from '../history/prepare.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { actingAs, originOf } from '../vfs/origin.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { recordsInMemory } from './records-in-memory.ts'
import { plant, show as showBackend } from './vfs-contract/context.ts'

/** How a history comes to know what happened. */
export type HistoryGround = 'by snapshots' | 'by what passes through' | 'after a reload'
export const historyGrounds: readonly HistoryGround[] = ['by snapshots', 'by what passes through', 'after a reload']

export interface GroundedHistory {
  readonly history: History
  /** On the ground of reloads, the history as the next page has it. */
  readonly reload: () => Promise<History>
  readonly fs: Vfs
  /** The whole tree as one line. */
  readonly show: () => Promise<string>
  readonly as: (actor: Actor, callId?: string, turn?: string) => Vfs
}

/** `tree`: as `plant` takes it. */
export async function openOn(ground: HistoryGround, tree: string): Promise<GroundedHistory> {
  const made = memory()
  await plant(made, tree)
  const { snapshot: _snapshot, fork: _fork, diff: _diff, ...plain } = made
  const stored = ground === 'after a reload' ? { ...made, records: recordsInMemory() } : made
  const prepared = await prepareHistory(ground === 'by what passes through' ? withoutForks(plain) : stored, () => 1)
  const history = new History(prepared, () => 1)
  return {
    history,
    async reload() {
      if (ground !== 'after a reload') return history
      await history.close()
      return new History(await prepareHistory(stored, () => 1), () => 1)
    },
    fs: createVfs(prepared.files),
    show: () => showBackend(made),
    as: (actor, callId, turn) => createVfs(actingAs(prepared.files, originOf({ actor, callId, turn }))),
  }
}

/** Views of a filesystem without snapshots have none either. */
function withoutForks({ as, ...rest }: VfsBackend): VfsBackend {
  return {
    ...rest,
    as(origin) {
      const { snapshot: _snapshot, fork: _fork, diff: _diff, ...view } = as?.(origin) ?? rest
      return withoutForks(view)
    },
  }
}
