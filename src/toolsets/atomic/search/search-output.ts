// `paths: "artifact://N"`: a kept output is searched like a file. Its lines have no tags, because it cannot be edited.

import { ToolError } from '../../../core/errors.ts'
import type { Pattern } from '../../../search/pattern.ts'
import { findOutput, parseOutputAddress, readLinePage, type LinePageRequest } from '../../../session/output-page.ts'
import { searchOutput } from '../../../session/outputs-search.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { selectorCandidates } from '../../../text/hashline/selector.ts'
import { linesOf, rowsOf } from './render.ts'
import type { SearchSettings } from './settings.ts'

/** `address` may select lines: `artifact://1:5000-`. Throws `ToolError`. */
export async function runOutputSearch(
  address: string,
  pattern: Pattern,
  settings: SearchSettings,
  { session, signal }: ToolCall,
): Promise<ToolOutcome> {
  const { limits, clock } = session
  const selector = selectorCandidates(address).find(candidate => parseOutputAddress(candidate.path) !== undefined)
  if (selector?.problem !== undefined) throw selector.problem
  const output = await findOutput(
    session.outputs,
    selector === undefined ? undefined : parseOutputAddress(selector.path),
    address,
  )
  const [range, ...others] = selector?.ranges ?? []
  if (others.length > 0) {
    throw new ToolError('selector-unsupported', `${address} selects several ranges; an output is searched in one.`, {
      nextStep: `Use ${output.address}:START-END.`,
    })
  }
  const startLine = range?.start ?? 1
  const endLine = Math.min(output.lineCount, range?.end ?? output.lineCount)
  const deadlineMs = clock() + limits.searchTimeoutMs
  const { lineNumbers, end, lastLine } = await searchOutput(output, {
    pattern,
    startLine,
    endLine,
    maxMatches: limits.searchMatchesInSingleFile,
    signal,
    isOver: () => clock() > deadlineMs,
  })
  const { document } = await readLinePage(output, linesAround(lineNumbers, settings, limits.searchMaxLineCharacters))
  const { rows, hasCutLines } = rowsOf(linesOf(document), lineNumbers, pattern, settings, limits)
  const notes = [
    ...(pattern.note === undefined ? [] : [pattern.note]),
    ...(end === 'match-limit' ? [`More matches than these. Go on with paths: "${output.address}:${lastLine + 1}-".`] : []),
    ...(end === 'timed-out' ? [`Time is up. Go on with paths: "${output.address}:${lastLine + 1}-".`] : []),
    ...(hasCutLines ? [`Lines longer than ${limits.searchMaxLineCharacters} characters were cut at "…".`] : []),
  ]
  const body = lineNumbers.length === 0 ? 'No matches found.' : [`[${output.address}]`, ...rows].join('\n')
  return {
    content: textContent([body, ...(notes.length === 0 ? [] : ['', ...notes.map(note => `[${note}]`)])].join('\n')),
    details: {
      scopePath: output.address,
      matchCount: lineNumbers.length,
      fileCount: lineNumbers.length === 0 ? 0 : 1,
      files: lineNumbers.length === 0 ? [] : [output.address],
      matchLimitReached: end === 'match-limit',
    },
  }
}

/**
 * Each line is searched alone, so that a long one does not affect others. Longer lines are cut for display; a character takes at most four
 * bytes.
 */
function linesAround(
  lineNumbers: readonly number[],
  { contextBefore, contextAfter }: SearchSettings,
  maxCharacters: number,
): LinePageRequest[] {
  const indexes = new Set<number>()
  for (const lineNumber of lineNumbers) {
    for (let index = Math.max(0, lineNumber - 1 - contextBefore); index < lineNumber + contextAfter; index++) indexes.add(index)
  }
  return [...indexes].map(firstIndex => ({ firstIndex, maxLines: 1, maxBytes: (maxCharacters + 1) * 4 }))
}
