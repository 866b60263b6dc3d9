// Reduces hunks to three kinds of edits: rows before a line, after it, or instead of a range. They are checked against the file and against
// each other after blocks are expanded, so that no overlap is missed.

import { ToolError } from '../../core/errors.ts'
import { endsWithNewline, type TextDocument } from '../../core/text.ts'
import { resolveBlock, type BlockResolution, type BlockResolver } from './blocks.ts'
import { formatOperation, type Hunk } from './hunk.ts'
import { landingInBlock } from './landing.ts'

export interface RangeEdit {
  /** 1-based, inclusive. */
  readonly start: number
  readonly end: number
  /** Empty for a deletion. */
  readonly rows: readonly string[]
  readonly scriptLine: number
  readonly operation: string
}

export interface LineEdits {
  /** Sorted; no two overlap. */
  readonly ranges: readonly RangeEdit[]
  /** line → rows in script order. */
  readonly before: ReadonlyMap<number, readonly string[]>
  readonly after: ReadonlyMap<number, readonly string[]>
  readonly warnings: readonly string[]
  readonly blockResolutions: readonly BlockResolution[]
}

/**
 * The last line number that a hunk may name. A newline-terminated file, and an empty one, has one more than it has lines: the empty place
 * after the last newline, which editors show as a line.
 */
export function lastAddressableLine(document: TextDocument): number {
  return document.lines.length + (document.lines.length === 0 || endsWithNewline(document) ? 1 : 0)
}

export interface LineEditOptions {
  readonly resolveBlock: BlockResolver | undefined
  /** Whether rows of `insert after block` that are indented deeper than the block's end go inside it. */
  readonly movesIntoBlocks: boolean
}

/** Throws `ToolError`: `edit-line-out-of-range`, `edit-overlap`, `edit-blocks-unavailable`, `edit-block-unresolved`. */
export function lineEditsOf(document: TextDocument, hunks: readonly Hunk[], options: LineEditOptions): LineEdits {
  const ranges: RangeEdit[] = []
  const before = new Map<number, string[]>()
  const after = new Map<number, string[]>()
  const warnings: string[] = []
  const blockResolutions: BlockResolution[] = []
  const lastLine = lastAddressableLine(document)
  const hasPhantom = lastLine > document.lines.length
  for (const hunk of hunks) {
    const named =
      'start' in hunk ? [hunk.start, hunk.end] : 'line' in hunk ? [hunk.line] : 'line' in hunk.at ? [hunk.at.line] : []
    for (const line of named) if (line < 1 || line > lastLine) throw lineOutOfRange(document, hunk, line)
    const { scriptLine } = hunk
    const operation = formatOperation(hunk)
    switch (hunk.kind) {
      case 'replace':
        ranges.push({ start: hunk.start, end: hunk.end, rows: hunk.rows, scriptLine, operation })
        break
      case 'delete':
        ranges.push({ start: hunk.start, end: hunk.end, rows: [], scriptLine, operation })
        break
      case 'insert':
        if (hunk.at.place === 'before') append(before, hunk.at.line, hunk.rows)
        else if (hunk.at.place === 'after') append(after, hunk.at.line, hunk.rows)
        else if (hunk.at.place === 'head') append(before, 1, hunk.rows)
        else if (hasPhantom) append(before, lastLine, hunk.rows)
        else append(after, lastLine, hunk.rows)
        break
      case 'replace-block':
      case 'delete-block':
      case 'insert-after-block': {
        const resolved = resolveBlock(document, hunk, options.resolveBlock)
        if (resolved.kind === 'unresolved') {
          warnings.push(resolved.warning)
          append(after, hunk.line, resolved.rows)
          break
        }
        const { start, end } = resolved.resolution
        if (hunk.kind !== 'insert-after-block') {
          blockResolutions.push(resolved.resolution)
          ranges.push({ start, end, rows: hunk.kind === 'replace-block' ? hunk.rows : [], scriptLine, operation })
          break
        }
        const landing = options.movesIntoBlocks ? landingInBlock(document, resolved.resolution, hunk.rows) : end
        blockResolutions.push({ ...resolved.resolution, landing })
        append(after, landing, hunk.rows)
        if (landing < end) {
          warnings.push(
            `Line ${scriptLine} of the script: the rows of \`${operation}\` are indented deeper than line ${end}, which ends the block, so they were put inside it, after line ${landing}. To put them below the block, indent them as its first line.`,
          )
        }
        break
      }
    }
  }
  ranges.sort((left, right) => left.start - right.start)
  for (const [index, range] of ranges.entries()) {
    const previous = ranges[index - 1]
    if (previous !== undefined && range.start <= previous.end) throw overlap(previous, range)
  }
  return { ranges, before, after, warnings, blockResolutions }
}

function append(rowsByLine: Map<number, string[]>, line: number, rows: readonly string[]): void {
  const present = rowsByLine.get(line)
  if (present === undefined) rowsByLine.set(line, [...rows])
  else for (const row of rows) present.push(row)
}

function lineOutOfRange(document: TextDocument, hunk: Hunk, line: number): ToolError {
  const totalLines = document.lines.length
  const has = totalLines === 0 ? 'is empty' : `has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}`
  const message = `Line ${hunk.scriptLine} of the edit script: \`${formatOperation(hunk)}\` names line ${line}, but the file ${has}.`
  return new ToolError('edit-line-out-of-range', message, {
    nextStep: 'Use line numbers that read printed; to add at the end of the file, write `insert tail:`.',
    details: { scriptLine: hunk.scriptLine, line, totalLines },
  })
}

function overlap(first: RangeEdit, second: RangeEdit): ToolError {
  const [earlier, later] = first.scriptLine <= second.scriptLine ? [first, second] : [second, first]
  const message = `Line ${later.scriptLine} of the edit script: \`${later.operation}\` changes line ${second.start}, which \`${earlier.operation}\` on line ${earlier.scriptLine} already changes.`
  return new ToolError('edit-overlap', message, {
    nextStep:
      'Write one operation for each range, with only the final text as its body. Line numbers do not shift within a script.',
    details: { scriptLine: later.scriptLine, otherScriptLine: earlier.scriptLine, line: second.start },
  })
}
