// A change in two forms: as numbered rows for a model, whose numbers can be used in the next edit, and as a patch for git.

import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from 'diff'
import { textOf, type TextDocument } from '../core/text.ts'
import type { DiffHunk } from '../core/tool-preview.ts'
import { firstChangedLine } from './first-change.ts'
import { groupChanges, groupRows, lineChanges, type LineChange, type LineChanges } from './line-changes.ts'

const contextLines = 4

/** The difference between two texts, as a patch and as counts. */
export interface DocumentDiff {
  /**
   * `-12 text` with the old number, `+12 text` and ` 12 text` with the new one, numbers padded to one width; ` ...` represents omitted
   * unchanged lines. Joined by LF; '' if no line changed.
   */
  readonly rows: string
  /** A unified patch with file headers `a/path` and `b/path`; '' if nothing changed. */
  readonly patch: string
  /** 1-based, in `after`. */
  readonly firstChangedLine: number | undefined
  /** In lines. A line with only a changed line ending counts once as added and once as removed. */
  readonly added: number
  readonly removed: number
  /** The same as data, from which `patch` is written. */
  readonly hunks: readonly DiffHunk[]
  /** Which runs of lines became which. */
  readonly changes: readonly LineChange[]
  /** The texts differ too much for an exact comparison: one change covers everything from the first to the last difference. */
  readonly coarse: boolean
}

/** Compares two documents, including line endings and BOM. `path` is used in the patch's headers. */
export function diffDocuments(before: TextDocument, after: TextDocument, path: string): DocumentDiff {
  const compared = exactChanges(before, after)
  const hunks = patchHunks(before, after, compared)
  return {
    rows: renderRows(before, after, compared),
    patch: renderPatch(path, hunks),
    hunks,
    changes: compared.changes,
    firstChangedLine: firstChangedLine(before, after),
    added: compared.changes.reduce((sum, change) => sum + change.added, 0),
    removed: compared.changes.reduce((sum, change) => sum + change.removed, 0),
    coarse: compared.coarse,
  }
}

function renderRows(before: TextDocument, after: TextDocument, { changes }: LineChanges): string {
  const width = String(Math.max(before.lines.length, after.lines.length)).length
  const elided = ` ${' '.repeat(width)} ...`
  const row = (sign: string, index: number, text: string | undefined): string =>
    `${sign}${String(index + 1).padStart(width)} ${text ?? ''}`
  const rows: string[] = []
  let shownEnd = 0
  for (const group of groupChanges(changes, before.lines.length, contextLines)) {
    if (group.afterStart > shownEnd) rows.push(elided)
    shownEnd = group.afterEnd
    for (const step of groupRows(group)) {
      if (step.kind === 'removed') rows.push(row('-', step.beforeIndex, before.lines[step.beforeIndex]))
      else rows.push(row(step.kind === 'added' ? '+' : ' ', step.afterIndex, after.lines[step.afterIndex]))
    }
  }
  if (rows.length > 0 && shownEnd < after.lines.length) rows.push(elided)
  return rows.join('\n')
}

function patchHunks(before: TextDocument, after: TextDocument, compared: LineChanges): StructuredPatchHunk[] {
  // For git, only LF ends a line. If a lone CR also does, the lines differ, so they are compared separately.
  const isSame = !before.endings.includes('\r') && !after.endings.includes('\r')
  const beforeLines = isSame ? exactLines(before) : listed(gitLines(before))
  const afterLines = isSame ? exactLines(after) : listed(gitLines(after))
  const { changes } = isSame ? compared : lineChanges(beforeLines.slice(), afterLines.slice())
  return groupChanges(changes, beforeLines.length, contextLines).map((group): StructuredPatchHunk => {
    const lines: string[] = []
    for (const step of groupRows(group)) {
      const line =
        step.kind === 'removed'
          ? `-${beforeLines.at(step.beforeIndex)}`
          : `${step.kind === 'added' ? '+' : ' '}${afterLines.at(step.afterIndex)}`
      if (line.endsWith('\n')) lines.push(line.slice(0, -1))
      else lines.push(line, '\\ No newline at end of file')
    }
    return {
      oldStart: group.beforeStart + 1,
      oldLines: group.beforeEnd - group.beforeStart,
      newStart: group.afterStart + 1,
      newLines: group.afterEnd - group.afterStart,
      lines,
    }
  })
}

function renderPatch(path: string, hunks: StructuredPatchHunk[]): string {
  if (hunks.length === 0) return ''
  const relative = path.replace(/^\/+/, '')
  const patch = { oldFileName: `a/${relative}`, newFileName: `b/${relative}`, oldHeader: undefined, newHeader: undefined, hunks }
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

/** Lines with their endings, created on demand, because two versions of a file have most lines in common. */
interface ExactLines {
  readonly length: number
  at(index: number): string
  slice(start?: number, end?: number): readonly string[]
}

/** The BOM belongs to the first line. A BOM without lines counts as a line, so that no difference is lost. */
function exactLines({ bom, lines, endings }: TextDocument): ExactLines {
  const length = bom ? Math.max(1, lines.length) : lines.length
  const at = (index: number): string => `${bom && index === 0 ? '\uFEFF' : ''}${lines[index] ?? ''}${endings[index] ?? ''}`
  return {
    length,
    at,
    slice: (start = 0, end = length) => Array.from({ length: end - start }, (_, index) => at(start + index)),
  }
}

function listed(lines: readonly string[]): ExactLines {
  return { length: lines.length, at: index => lines[index] ?? '', slice: (start, end) => lines.slice(start, end) }
}

/** `lineChanges` of the exact lines. */
function exactChanges(before: TextDocument, after: TextDocument): LineChanges {
  const [beforeLines, afterLines] = [exactLines(before), exactLines(after)]
  const isSame = (beforeIndex: number, afterIndex: number): boolean =>
    before.lines[beforeIndex] === after.lines[afterIndex] &&
    before.endings[beforeIndex] === after.endings[afterIndex] &&
    (before.bom && beforeIndex === 0) === (after.bom && afterIndex === 0)
  const shorter = Math.min(before.lines.length, after.lines.length)
  let prefix = 0
  while (prefix < shorter && isSame(prefix, prefix)) prefix++
  let suffix = 0
  while (suffix < shorter - prefix && isSame(before.lines.length - 1 - suffix, after.lines.length - 1 - suffix)) suffix++
  const { changes, coarse } = lineChanges(
    beforeLines.slice(prefix, beforeLines.length - suffix),
    afterLines.slice(prefix, afterLines.length - suffix),
  )
  const shifted = changes.map(change => ({
    ...change,
    beforeIndex: change.beforeIndex + prefix,
    afterIndex: change.afterIndex + prefix,
  }))
  return { changes: shifted, coarse }
}

function gitLines(document: TextDocument): readonly string[] {
  return textOf(document).match(/[^\n]*\n|[^\n]+/g) ?? []
}
