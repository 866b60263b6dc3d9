// Pages and matching lines of an entry. A page has a separate block, so that joined pages are the entry, byte for byte.

import { ToolError } from '../../../core/errors.ts'
import { startWithin } from '../../../core/truncate.ts'
import { compilePattern } from '../../../search/pattern.ts'
import { searchBytes } from '../../../search/matcher.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { defaultReadCharacters, maxMatchingLines } from './limits.ts'
import { characterBorder, shownMaxBytes } from './redirect.ts'
import type { ScratchpadEntry } from './store.ts'

interface EntryRange {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly regex?: string | undefined
}

/** Counts UTF-16 units and never cuts a surrogate pair. Throws `ToolError`: `offset-past-end`, `invalid-pattern`. */
export function readEntry(entry: ScratchpadEntry, { offset = 0, limit = defaultReadCharacters, regex }: EntryRange): ToolOutcome {
  if (regex !== undefined && regex !== '') return matchingLines(entry, regex)
  const { text } = entry
  if (offset > text.length) {
    throw new ToolError('offset-past-end', `Offset ${offset} exceeds content length (${text.length} characters).`, {
      nextStep: `Use an offset from 0 to ${text.length}.`,
    })
  }
  const start = characterBorder(text, offset)
  const end = characterBorder(text, start + limit)
  const details = { name: entry.name, start, end, characters: text.length }
  const page = textContent(text.slice(start, end))
  if (start === 0 && end === text.length) return { content: page, details }
  return { content: [...page, ...textContent(`\n(showing characters ${start}..${end} of ${text.length})`)], details }
}

function matchingLines(entry: ScratchpadEntry, regex: string): ToolOutcome {
  const compiled = compilePattern(regex)
  if (compiled.kind === 'error')
    throw new ToolError('invalid-pattern', compiled.message, { nextStep: 'Correct the regular expression.' })
  const bytes = new TextEncoder().encode(entry.text)
  const decoder = new TextDecoder()
  const rows: string[] = []
  let isCut = false
  const outcome = searchBytes(bytes, compiled.pattern, ({ lineNumber, start, end }) => {
    isCut = rows.length === maxMatchingLines
    if (!isCut) rows.push(`${lineNumber}:${decoder.decode(bytes.subarray(start, end))}`)
    return !isCut
  })
  if (outcome.kind === 'binary') {
    throw new ToolError('binary-entry', `The entry "${entry.name}" holds null bytes, so it has no lines to search.`, {
      nextStep: 'Read it with offset and limit.',
    })
  }
  if (rows.length === 0) return { content: textContent('No matches found for the given regex pattern.'), details: { matches: 0 } }
  const shown = startWithin(rows.join('\n'), shownMaxBytes)
  const notes = [
    ...(compiled.pattern.note === undefined ? [] : [compiled.pattern.note]),
    ...(isCut ? [`(showing the first ${maxMatchingLines} matching lines; use a narrower pattern for the others)`] : []),
    ...(shown.length < rows.join('\n').length
      ? [`(cut after ${shownMaxBytes} bytes; page with offset and limit for the rest)`]
      : []),
  ]
  return {
    content: [...textContent(shown), ...(notes.length === 0 ? [] : textContent(`\n${notes.join('\n')}`))],
    details: { matches: rows.length, isCut },
  }
}
