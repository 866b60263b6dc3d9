// The port through which block operations find the end of a block. Parsing languages is expensive and optional, so this engine only defines
// the interface.

import { ToolError } from '../../core/errors.ts'
import type { TextDocument } from '../../core/text.ts'
import { formatOperation, type Hunk } from './hunk.ts'

/** Lines of a block, 1-based and inclusive. */
export interface BlockSpan {
  readonly start: number
  readonly end: number
}

/** The block that begins on a line, `undefined` if none is certain. `start` of the result is `lineNumber`. */
export type BlockResolver = (document: TextDocument, lineNumber: number) => BlockSpan | undefined

export interface BlockResolution extends BlockSpan {
  readonly kind: 'replace-block' | 'delete-block' | 'insert-after-block'
  readonly line: number
  /** For an insertion: the line after which its rows go. It is before `end` if they go inside the block. */
  readonly landing?: number
}

export type BlockHunk = Extract<Hunk, { readonly kind: BlockResolution['kind'] }>

type ResolvedBlock =
  | { readonly kind: 'resolved'; readonly resolution: BlockResolution }
  /** Only for an insertion: it goes after the line itself instead. */
  | { readonly kind: 'unresolved'; readonly rows: readonly string[]; readonly warning: string }

/** Throws `ToolError`: `edit-blocks-unavailable` without a resolver, `edit-block-unresolved` if lines would be removed by guessing. */
export function resolveBlock(document: TextDocument, hunk: BlockHunk, resolver: BlockResolver | undefined): ResolvedBlock {
  const { kind, line, scriptLine } = hunk
  const operation = formatOperation(hunk)
  if (resolver === undefined) {
    throw new ToolError(
      'edit-blocks-unavailable',
      `Line ${scriptLine} of the edit script: \`${operation}\` cannot be used here, because blocks cannot be resolved.`,
      {
        nextStep: `Name the lines instead: \`${explicitForm(hunk)}\`.`,
        details: { scriptLine, line },
      },
    )
  }
  const span = line > document.lines.length ? undefined : resolver(document, line)
  if (span === undefined) {
    if (kind === 'insert-after-block') {
      const warning = `Line ${scriptLine} of the script: no block whose end is known begins on line ${line}, so \`${operation}\` was applied as \`insert after ${line}:\`. Check where it landed.`
      return { kind: 'unresolved', rows: hunk.rows, warning }
    }
    throw new ToolError(
      'edit-block-unresolved',
      `Line ${scriptLine} of the edit script: no block whose end is known begins on line ${line}, so \`${operation}\` cannot be applied.`,
      {
        nextStep: `Name the line that opens the block, or name the lines: \`${explicitForm(hunk)}\`.`,
        details: { scriptLine, line },
      },
    )
  }
  if (span.start !== line || span.end < line || span.end > document.lines.length)
    throw new Error(`a block resolver answered ${span.start}..${span.end} for line ${line} of ${document.lines.length}`)
  return { kind: 'resolved', resolution: { kind, line, start: span.start, end: span.end } }
}

function explicitForm({ kind, line }: BlockHunk): string {
  switch (kind) {
    case 'replace-block':
      return `replace ${line}..M:`
    case 'delete-block':
      return `delete ${line}..M`
    case 'insert-after-block':
      return 'insert after M:'
  }
}
