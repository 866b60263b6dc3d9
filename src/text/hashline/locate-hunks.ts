// Reduces hunks to the lines that they touch in the text they were written for: blocks are expanded, and the place after the last newline
// becomes the end of the file. The result can be moved by adding to its line numbers.

import type { TextDocument } from '../../core/text.ts'
import type { ApplyOptions } from './apply.ts'
import { resolveBlock, type BlockResolution, type BlockSpan } from './blocks.ts'
import { formatOperation, type Hunk } from './hunk.ts'
import { landingInBlock } from './landing.ts'

export type PlacedHunk = Extract<Hunk, { readonly kind: 'replace' | 'delete' | 'insert' }>

export interface LocatedHunk {
  readonly hunk: PlacedHunk
  /** As written in the script. */
  readonly operation: string
  /** 1-based and inclusive lines of the document; `undefined` for head and tail, which depend on no line. */
  readonly span: BlockSpan | undefined
  /** The hunk names the place after the last line, so the last line must still be the last. */
  readonly reachesEnd: boolean
}

export interface LocatedHunks {
  readonly hunks: readonly LocatedHunk[]
  readonly warnings: readonly string[]
  readonly blockResolutions: readonly BlockResolution[]
}

/** The hunks must fit the document: `applyHunks` has accepted them. */
export function locateHunks(document: TextDocument, hunks: readonly Hunk[], options: ApplyOptions): LocatedHunks {
  const warnings: string[] = []
  const blockResolutions: BlockResolution[] = []
  const lineCount = document.lines.length
  const located = hunks.flatMap((hunk): readonly LocatedHunk[] => {
    const operation = formatOperation(hunk)
    const { scriptLine } = hunk
    switch (hunk.kind) {
      case 'replace':
      case 'delete':
        return locateRange(hunk, operation, lineCount)
      case 'insert': {
        if (!('line' in hunk.at)) return [{ hunk, operation, span: undefined, reachesEnd: false }]
        if (hunk.at.line <= lineCount)
          return [{ hunk, operation, span: { start: hunk.at.line, end: hunk.at.line }, reachesEnd: false }]
        return [atEnd(hunk.rows, scriptLine, operation, lineCount)]
      }
      case 'replace-block':
      case 'delete-block':
      case 'insert-after-block': {
        const resolved = resolveBlock(document, hunk, options.resolveBlock)
        if (resolved.kind === 'unresolved') {
          warnings.push(resolved.warning)
          return [insertAfter(hunk.line, resolved.rows, scriptLine, operation, { start: hunk.line, end: hunk.line })]
        }
        const { start, end } = resolved.resolution
        if (hunk.kind !== 'insert-after-block') {
          blockResolutions.push(resolved.resolution)
          const range = { start, end, scriptLine }
          return [
            {
              hunk: hunk.kind === 'replace-block' ? { kind: 'replace', ...range, rows: hunk.rows } : { kind: 'delete', ...range },
              operation,
              span: { start, end },
              reachesEnd: false,
            },
          ]
        }
        const landing = (options.repairs ?? true) ? landingInBlock(document, resolved.resolution, hunk.rows) : end
        blockResolutions.push({ ...resolved.resolution, landing })
        // The whole block is named, so the whole block must still exist.
        return [insertAfter(landing, hunk.rows, scriptLine, operation, { start, end })]
      }
    }
  })
  return { hunks: located, warnings, blockResolutions }
}

function locateRange(
  hunk: Extract<Hunk, { readonly kind: 'replace' | 'delete' }>,
  operation: string,
  lineCount: number,
): readonly LocatedHunk[] {
  if (hunk.start > lineCount) {
    // There is nothing to delete after the last newline.
    return hunk.kind === 'delete' ? [] : [atEnd(hunk.rows, hunk.scriptLine, operation, lineCount)]
  }
  const end = Math.min(hunk.end, lineCount)
  return [{ hunk: { ...hunk, end }, operation, span: { start: hunk.start, end }, reachesEnd: hunk.end > lineCount }]
}

function insertAfter(line: number, rows: readonly string[], scriptLine: number, operation: string, span: BlockSpan): LocatedHunk {
  return { hunk: { kind: 'insert', at: { place: 'after', line }, rows, scriptLine }, operation, span, reachesEnd: false }
}

/** Rows at the place after the last newline. In an empty file they depend on no line, but the file must still be empty. */
function atEnd(rows: readonly string[], scriptLine: number, operation: string, lineCount: number): LocatedHunk {
  return {
    hunk: { kind: 'insert', at: { place: 'tail' }, rows, scriptLine },
    operation,
    span: { start: lineCount, end: lineCount },
    reachesEnd: true,
  }
}
