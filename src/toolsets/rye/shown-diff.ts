// The diff in a result, within the size of one output. The session keeps the rest readable.

import { truncateHead } from '../../core/truncate.ts'
import type { Session } from '../../session/session.ts'
import { maxOutputBytes } from './limits.ts'

export function shownDiff(
  session: Session,
  diff: string,
  path: string,
): { readonly output: string; readonly notes: readonly string[] } {
  const cut = truncateHead(diff, { maxLines: Number.MAX_SAFE_INTEGER, maxBytes: maxOutputBytes })
  if (!cut.truncated) return { output: diff, notes: [] }
  const address = session.outputs.save(`diff of ${path}`, diff)
  return {
    output: cut.text === '' ? '' : `${cut.text}\n`,
    notes: [`The first ${cut.shownLines} of ${cut.totalLines} lines of the diff. The whole diff: read ${address}`],
  }
}
