// Models copy `[LID:…] ` into the text that they write. Prefixes that certainly come from a tool are removed and reported; others are only
// reported.

import { withoutLineIds } from '../../text/line-ids/display.ts'

export function withoutCopiedIds(
  lines: readonly string[],
  isKnown: (id: string) => boolean,
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  const { lines: bare, removed, suspicious } = withoutLineIds(lines, isKnown)
  return {
    lines: bare,
    notes: [
      ...(removed > 0
        ? [`The copied line IDs at the start of ${removed} ${removed === 1 ? 'line' : 'lines'} were left out`]
        : []),
      ...(suspicious > 0
        ? [
            `${suspicious} ${suspicious === 1 ? 'line starts' : 'lines start'} like a line ID that no tool showed; written as given`,
          ]
        : []),
    ],
  }
}
