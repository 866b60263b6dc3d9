// The lines that an earlier session was shown, from its state. Without them only the index in the workspace would say which line an ID
// means, and another reader may have updated it since.

import type { VfsPath } from '../../core/path.ts'
import type { StateBudget } from '../../session/state-budget.ts'
import { asList, asPath, asRecord, asText, notState } from '../../session/state-parts.ts'
import { ShownLines, type SavedLines } from '../../text/line-ids/shown-lines.ts'

type ShownOfPath = readonly [path: VfsPath, shown: ShownLines]

/** Newest first, as many as fit into `budget`. */
export function saveShown(
  newestFirst: readonly ShownOfPath[],
  budget: StateBudget,
): readonly (readonly [path: VfsPath, saved: SavedLines])[] {
  return newestFirst
    .filter(([, shown]) => shown.size > 0)
    .map(([path, shown]) => [path, shown.save()] as const)
    .filter(([, { ids, hashes, marks, outdated }]) => budget.take(ids, hashes, marks, outdated))
}

/** Throws `AnchorageError` `toolset-options`. */
export function restoreShown(given: unknown): readonly ShownOfPath[] {
  if (given === undefined) return []
  return asList(given).map(entry => {
    const [path, saved] = asList(entry)
    const { ids, hashes, marks, others, outdated } = asRecord(saved)
    const shown = ShownLines.restored({
      ids: asText(ids),
      hashes: asText(hashes),
      marks: asText(marks),
      others: asList(others).map(pair => {
        const [id, nextId] = asList(pair)
        return [asText(id), asText(nextId)]
      }),
      outdated: asText(outdated),
    })
    if (shown === undefined) throw notState('its line IDs are inconsistent')
    return [asPath(path), shown]
  })
}
