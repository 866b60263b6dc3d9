// Models copy `10#a1b2|` into the text that they write. A prefix that is certainly the tag of its line is removed and reported; others are
// only reported.

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
        ? [`${suspicious} ${suspicious === 1 ? 'line starts' : 'lines start'} like a tag that no line here has; written as given`]
        : []),
    ],
  }
}
