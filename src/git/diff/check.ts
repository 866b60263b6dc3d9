// `--check`: whitespace errors and conflict markers in added lines.

import type { LineDiff } from '../../text/git-diff/diff-lines.ts'
import { lineAt } from '../../text/git-diff/lines.ts'
import type { CallOutput } from '../call.ts'
import { lineProblems, type WhitespaceRules } from './whitespace.ts'

export { whitespaceRules } from './whitespace.ts'

/** Returns whether there were any. */
export async function writeWhitespaceErrors(
  out: CallOutput,
  name: string,
  diff: LineDiff,
  rules: WhitespaceRules,
): Promise<boolean> {
  let found = false
  for (const edit of diff.edits) {
    for (let line = edit.afterStart; line < edit.afterEnd; line++) {
      const bytes = lineAt(diff.after, line)
      const problems = lineProblems(bytes, rules)
      const text = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes
      if (problems.length > 0) {
        found = true
        await out.write(`${name}:${line + 1}: ${problems.join(', ')}.\n+`)
        await out.write(text)
        await out.write('\n')
      }
      if (/^(<{7}|={7}|>{7}|\|{7})(\s|$)/.test(String.fromCharCode(...text.subarray(0, 8)))) {
        found = true
        await out.write(`${name}:${line + 1}: leftover conflict marker\n`)
      }
    }
  }
  const last = diff.edits.at(-1)
  if (rules.blankAtEndOfFile && last !== undefined && last.afterEnd === diff.after.count) {
    let blank = diff.after.count
    while (blank > last.afterStart && lineAt(diff.after, blank - 1).every(byte => byte <= 32)) blank--
    if (blank < diff.after.count && lineAt(diff.after, diff.after.count - 1).at(-1) === 10) {
      found = true
      await out.write(`${name}:${blank + 1}: new blank line at EOF.\n`)
    }
  }
  return found
}
