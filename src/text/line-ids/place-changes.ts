// Turns changes by line ID into runs of lines to replace, or an error. Everything is checked against the text before anything is changed:
// changes that the reference accepts (a reversed range, two changes of one line, a change of nothing) lose lines.

import type { LineSplice } from '../splice-lines.ts'
import { parseLineId } from './display.ts'
import type { IndexedLine } from './line-index.ts'

/** One change as a model writes it: either `line_id`, or both of the others. */
export interface LineIdChange {
  readonly line_id?: string | undefined
  readonly start_line_id?: string | undefined
  readonly end_line_id?: string | undefined
  readonly new_content: string
}

export interface PlacedChange extends LineSplice {
  /** 0-based position in the given list. */
  readonly position: number
}

export type PlacedChanges =
  /** In the order of the file; `removed` is at least 1. */
  | { readonly kind: 'placed'; readonly changes: readonly PlacedChange[] }
  /** `ids` as given. */
  | { readonly kind: 'unknown-ids'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string }

export function placeChanges(changes: readonly LineIdChange[], lines: readonly IndexedLine[]): PlacedChanges {
  const indexes = new Map(lines.map(({ id }, lineIndex) => [id, lineIndex]))
  const unknown: string[] = []
  const placed: PlacedChange[] = []
  for (const [position, change] of changes.entries()) {
    const ends = endsOf(change)
    if (ends === undefined) return refused(position, 'needs either "line_id", or both "start_line_id" and "end_line_id"')
    const [first, last] = ends.map(id => indexes.get(parseLineId(id) ?? ''))
    for (const [index, id] of [first, last].entries()) {
      if (id === undefined && !unknown.includes(ends[index] ?? '')) unknown.push(ends[index] ?? '')
    }
    if (first === undefined || last === undefined) continue
    if (last < first) return refused(position, `ends at line ${last + 1}, before its start at line ${first + 1}`)
    const content = linesOfContent(change.new_content)
    if (content === undefined) return refused(position, 'has a carriage return inside a line of "new_content"')
    placed.push({ position, startIndex: first, removed: last - first + 1, lines: content })
  }
  if (unknown.length > 0) return { kind: 'unknown-ids', ids: unknown }
  placed.sort((a, b) => a.startIndex - b.startIndex || a.position - b.position)
  for (const [index, change] of placed.entries()) {
    const before = placed[index - 1]
    if (before === undefined || before.startIndex + before.removed <= change.startIndex) continue
    return refused(change.position, `changes line ${change.startIndex + 1}, which change ${before.position + 1} changes too`)
  }
  return { kind: 'placed', changes: placed }
}

function endsOf({ line_id: only, start_line_id: start, end_line_id: end }: LineIdChange): readonly [string, string] | undefined {
  if (only !== undefined) return start === undefined && end === undefined ? [only, only] : undefined
  return start === undefined || end === undefined ? undefined : [start, end]
}

/** '' has no lines, and "\n" has one empty line: a newline at the end ends the last line. `undefined` if there is a lone CR. */
function linesOfContent(content: string): readonly string[] | undefined {
  if (content === '') return []
  const lines = content.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.some(line => line.includes('\r')) ? undefined : lines
}

function refused(position: number, why: string): PlacedChanges {
  return { kind: 'refused', message: `Change ${position + 1} ${why}.` }
}
