// What an undo transfers: the differences of the selected steps, backwards, and the moves that others have made since.

import { isInside, type VfsPath } from '../core/path.ts'
import type { Difference, VfsTransaction } from '../vfs/backend.ts'
import { followFiles, movesIn, reversed } from './lineage.ts'
import type { StatesBackend } from './states.ts'
import { statesOf, type Step } from './step.ts'
import { transfer, type Relocation, type Transfer, type TransferReport } from './transfer.ts'

/**
 * Consecutive steps are undone together, as the difference between two states. In it, a file that was edited and then moved
 * appears as two files. If that causes conflicts, the steps are undone one by one instead, provided that this causes none.
 */
export type Plan = 'together' | 'each' | 'together-with-conflicts'

export const afterConflict: Readonly<Record<Plan, Plan | undefined>> = {
  together: 'each',
  each: 'together-with-conflicts',
  'together-with-conflicts': undefined,
}

/** What to transfer for `selected`, newest first. Consecutive steps of `all` without steps of other actors in between are grouped. */
export async function transfersOf(
  states: StatesBackend,
  all: readonly Step[],
  selected: ReadonlySet<Step>,
  within: readonly VfsPath[] | undefined,
  plan: Plan,
): Promise<readonly Transfer[]> {
  const transfers: Transfer[] = []
  let later: Transfer['laterMoves'] = []
  const oldest = all.findIndex(step => selected.has(step))
  const isChosen = (step: Step | undefined): boolean => step !== undefined && selected.has(step)
  for (let end = all.length - 1; oldest !== -1 && end >= oldest; end--) {
    const last = all[end]
    if (last === undefined) continue
    const isOthers = !selected.has(last)
    let start = end
    while (!isOthers && plan !== 'each' && start > 0 && isChosen(all[start - 1])) start--
    const group = all.slice(start, end + 1)
    if (isOthers) {
      later = [{ moved: movesIn(await differencesOf(states, last)), isOthers }, ...later]
    } else {
      const differences = await backOver(states, group)
      const concerns = ({ path, oldPath = path }: Difference): boolean =>
        within === undefined || within.some(place => isInside(path, place) || isInside(oldPath, place))
      const [from, to] = [statesOf(last).after.fs, statesOf(group[0] ?? last).before.fs]
      transfers.push({ from, to, differences: differences.filter(concerns), laterMoves: later })
      const moved = movesIn(differences).map(({ source, where }) => ({ source: where, where: source }))
      later = [{ moved, isOthers }, ...later]
    }
    end = start
  }
  return transfers
}

/** What the step changed. */
export async function differencesOf(states: StatesBackend, step: Step): Promise<readonly Difference[]> {
  const { before, after } = statesOf(step)
  return followFiles(await states.diff(before, after), reversed(step.trail))
}

/** Reverts consecutive steps, from the state after them to the state before. */
async function backOver(states: StatesBackend, group: readonly Step[]): Promise<readonly Difference[]> {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return []
  const back = await states.diff(statesOf(last).after, statesOf(first).before)
  return followFiles(
    back,
    group.flatMap(({ trail }) => trail),
  )
}

export const emptyReport: TransferReport = { restored: [], merged: [], conflicts: [] }

/** Makes the changes of all transfers, and reports each path once. */
export function carry(transaction: VfsTransaction, transfers: readonly Transfer[]): TransferReport {
  const relocations: (readonly Relocation[])[] = []
  const reports = transfers.map(each => transfer(transaction, each, relocations))
  const conflicts = [...new Map(reports.flatMap(report => report.conflicts).map(each => [each.path, each])).values()]
  const isLeft = new Set(conflicts.map(({ path }) => path))
  const merged = new Set(reports.flatMap(report => report.merged).filter(path => !isLeft.has(path)))
  const restored = new Set(reports.flatMap(report => report.restored).filter(path => !isLeft.has(path) && !merged.has(path)))
  return { restored: [...restored].sort(), merged: [...merged].sort(), conflicts }
}
