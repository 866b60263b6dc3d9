// Applies hunks to a document, all at once and by original line numbers. The rows are written as given; the few exceptions are in repair.ts
// and landing.ts, and each is reported.

import type { TextDocument } from '../../core/text.ts'
import { firstChangedLine } from '../first-change.ts'
import type { BlockResolution, BlockResolver } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { outwardLanding } from './landing.ts'
import { lineEditsOf, type LineEdits, type RangeEdit } from './line-edits.ts'
import { rebuild } from './rebuild.ts'
import { repairEdits, type SyntaxCheck } from './repair.ts'

export interface AppliedEdit {
  readonly document: TextDocument
  /** 1-based, in the new document; `undefined` if no line changed. */
  readonly firstChangedLine: number | undefined
  readonly changed: boolean
  /** Repairs, rows that seem misplaced, and operations without effect in a script that changes something. */
  readonly warnings: readonly string[]
  readonly blockResolutions: readonly BlockResolution[]
}

export interface ApplyOptions {
  readonly resolveBlock?: BlockResolver | undefined
  /** Default true. If false, the rows are written exactly as given. */
  readonly repairs?: boolean | undefined
  /** Decides, if it can, whether a text is complete; otherwise the balance of its brackets decides. */
  readonly isWhole?: SyntaxCheck | undefined
}

/**
 * Applies hunks to the document that they were written for. A file that ends with a newline still does, and one that does not gets none,
 * unless its new last line is empty.
 * Throws `ToolError`: `edit-line-out-of-range`, `edit-overlap`, `edit-blocks-unavailable`, `edit-block-unresolved`.
 */
export function applyHunks(document: TextDocument, hunks: readonly Hunk[], options: ApplyOptions = {}): AppliedEdit {
  const repairs = options.repairs ?? true
  const literal = lineEditsOf(document, hunks, { resolveBlock: options.resolveBlock, movesIntoBlocks: repairs })
  const { edits, warnings } = repairs ? repairEdits(document, literal, options.isWhole) : { edits: literal, warnings: [] }
  const edited = rebuild(document, edits)
  const firstChange = firstChangedLine(document, edited)
  const changed = firstChange !== undefined || edited.bom !== document.bom
  return {
    document: edited,
    firstChangedLine: firstChange,
    changed,
    warnings: [
      ...edits.warnings,
      ...warnings,
      ...(repairs ? misplacedRows(document, hunks) : []),
      ...(changed ? withoutEffect(document, edits) : []),
    ],
    blockResolutions: edits.blockResolutions,
  }
}

function misplacedRows(document: TextDocument, hunks: readonly Hunk[]): readonly string[] {
  return hunks.flatMap(hunk => {
    if (hunk.kind !== 'insert' || hunk.at.place !== 'after') return []
    const { line } = hunk.at
    const landing = outwardLanding(document, line, hunk.rows)
    if (landing === undefined) return []
    return [
      `Line ${hunk.scriptLine} of the script: the rows were inserted after line ${line} as written, but they are indented less than that line, inside what line ${landing} closes. If they belong below it, move them there: \`insert after ${landing}:\` in the old numbering.`,
    ]
  })
}

/** A script that changes something may also contain operations without effect, which its author believes to have one. */
function withoutEffect(document: TextDocument, { ranges }: LineEdits): readonly string[] {
  return ranges.flatMap(range =>
    changesNothing(document, range)
      ? [
          `Line ${range.scriptLine} of the script: \`${range.operation}\` changes nothing, because the file already has these rows there.`,
        ]
      : [],
  )
}

function changesNothing(document: TextDocument, { start, end, rows }: RangeEdit): boolean {
  const last = Math.min(end, document.lines.length)
  return rows.length === Math.max(0, last - start + 1) && rows.every((row, index) => row === document.lines[start + index - 1])
}
