// Models copy `10#a1b2|` into what they write. It is taken off where it is certainly a tag of that line, and said; elsewhere only said.

import { withoutLineTags } from '../../text/line-tags/tag.ts'

export function withoutCopiedTags(
  lines: readonly string[],
  document: readonly string[],
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  const { lines: bare, removed, suspicious } = withoutLineTags(lines, document)
  return {
    lines: bare,
    notes: [
      ...(removed > 0
        ? [`The copied LINE#ID tags at the start of ${removed} ${removed === 1 ? 'line' : 'lines'} were left out`]
        : []),
      ...(suspicious > 0
        ? [
            `${suspicious} ${suspicious === 1 ? 'line starts' : 'lines start'} like a tag that is of no line here; written as given`,
          ]
        : []),
    ],
  }
}
