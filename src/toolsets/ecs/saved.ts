// What an earlier session was shown, as its state brought it: with the texts a tag is judged line by line again, and without them an edit
// passes only where the file is as it was (state.ts).

import type { VfsPath } from '../../core/path.ts'
import type { StateBudget } from '../../session/state-budget.ts'
import { asCount, asList, asPath, asRecord, asText } from '../../session/state-parts.ts'
import { ShownTexts, type SavedTexts } from '../../text/line-tags/shown-texts.ts'

type ShownOfPath = readonly [path: VfsPath, shown: ShownTexts]

/** Newest first, as far as `budget` has room. What is left of a file is all that was shown of it, or nothing. */
export function saveShown(
  newestFirst: readonly ShownOfPath[],
  budget: StateBudget,
): readonly (readonly [path: VfsPath, saved: SavedTexts])[] {
  return newestFirst
    .map(([path, shown]) => [path, shown.save()] as const)
    .filter(([, { texts }]) => texts.length > 0 && budget.take(...texts))
}

/** Throws `AnchorageError` `toolset-options`. */
export function restoreShown(given: unknown): readonly ShownOfPath[] {
  if (given === undefined) return []
  return asList(given).map(entry => {
    const [path, saved] = asList(entry)
    const { texts, pages } = asRecord(saved)
    return [
      asPath(path),
      ShownTexts.restored({
        texts: asList(texts).map(text => asText(text)),
        pages: asList(pages).map(page => {
          const [textIndex, startIndex, endIndex] = asList(page)
          return [asCount(textIndex), asCount(startIndex), asCount(endIndex)]
        }),
      }),
    ]
  })
}
