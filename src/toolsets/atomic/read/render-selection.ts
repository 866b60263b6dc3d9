// Lines of a document as the model sees them: the header and rows, the cut if there is one, and how to continue. Pure: all inputs are
// parameters.

import type { Limits } from '../../../core/limits.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'
import type { TextDocument } from '../../../core/text.ts'
import type { Details } from '../../../core/errors.ts'
import { formatHeader, formatRow } from '../../../text/hashline/format.ts'
import { expandRanges, type PathSelector } from '../../../text/hashline/selector.ts'
import { spansOf, type LineSpan } from '../../../text/line-spans.ts'

export interface SelectionView {
  readonly document: TextDocument
  readonly selector: PathSelector
  readonly limits: Limits
  readonly display: string
  readonly noun: 'file' | 'directory' | 'output' | 'side' | 'list' | 'resource' | 'document'
  /** `plain` has neither header nor numbers; `raw` keeps BOM and line endings too. */
  readonly form: 'numbered' | 'raw' | 'plain'
  /** Plain lines get context lines too. */
  readonly hasContext?: boolean
  /**
   * Only the selected ranges are wanted, such as the conflicts of a file: no context lines, and no remark about the rest. The value is the
   * selector that leads back here.
   */
  readonly excerpt?: string
  /** UTF-16 units of all lines of the spans, where `document` does not have them all. */
  readonly charactersIn?: (spans: readonly LineSpan[]) => number
  /** Returns the tag for the header; the argument tells which rows are shown. */
  readonly tag?: (rows: readonly LineSpan[]) => string
}

export interface RenderedSelection {
  readonly text: string
  readonly details: Details
  /** Nothing of the selection is shown, because it is too large. */
  readonly isRefused?: boolean
}

/** `details` of a read: those of the selection, with its truncation repeated in `meta`, where hosts expect it. */
export function readDetails(meta: Details, shown: RenderedSelection): Details {
  const { truncation } = shown.details
  const error = refusedMark(shown).isError === true ? { error: { code: 'read-too-large' } } : {}
  return { ...error, meta: truncation === undefined ? meta : { ...meta, truncation }, ...shown.details }
}

/** Nothing was shown, so the call failed. */
export function refusedMark({ isRefused, details }: RenderedSelection): { readonly isError?: true } {
  return isRefused === true && 'oversizedRead' in details ? { isError: true } : {}
}

export interface Context {
  readonly before: number
  readonly after: number
}

/** Context lines of a bounded range with numbers. */
export const rangeContext: Context = { before: 1, after: 3 }
export const noContext: Context = { before: 0, after: 0 }

/** If a selection fits only without context lines, it is shown without them. */
export async function renderSelection(view: SelectionView): Promise<RenderedSelection> {
  const laidOut = layOut(view, rangeContext)
  // Context lines may take the room of the selected ones.
  return view.selector.ranges.length > 0 && (laidOut.kind === 'oversized' || (laidOut.kind === 'lines' && laidOut.isCut))
    ? compose(view, layOut(view, noContext))
    : compose(view, laidOut)
}

type LaidOut =
  | { readonly kind: 'beyond'; readonly starts: readonly number[] }
  | { readonly kind: 'oversized'; readonly firstRange: LineSpan; readonly characters: number }
  | ({ readonly kind: 'lines'; readonly lines: readonly NumberedLine[]; readonly isCut: boolean; readonly beyond: Beyond } & Head)

type Beyond = readonly { readonly start: number }[]

/** Which lines are to be shown. Nothing is recorded as shown yet. */
function layOut(view: SelectionView, around: Context): LaidOut {
  const { document, selector, limits } = view
  // An empty file still has a first line that can be selected.
  const lineCount = Math.max(document.lines.length, 1)
  const isAround = view.form === 'numbered' || (view.form === 'plain' && view.hasContext === true)
  const context = isAround && view.excerpt === undefined ? around : noContext
  const { visible, beyond } = expandRanges(selector.ranges, lineCount, context)
  const [firstRange] = visible
  if (firstRange === undefined) return { kind: 'beyond', starts: beyond.map(range => range.start) }
  const characters = view.charactersIn?.(visible) ?? charactersOf(view, visible)
  if (characters > limits.readMaxCharacters) return { kind: 'oversized', firstRange, characters }
  const lines = firstLines(view, visible, limits.readMaxLines + 1)
  const head = headWithin(lines, limits)
  return { kind: 'lines', lines, ...head, isCut: head.shown.length < lines.length, beyond }
}

async function compose(view: SelectionView, laidOut: LaidOut): Promise<RenderedSelection> {
  const { document, display, noun } = view
  const totalLines = document.lines.length
  if (laidOut.kind === 'beyond') {
    const last = totalLines === 0 ? `The ${noun} is empty.` : `Use ${display}:${totalLines} to read the last line.`
    const asked = laidOut.starts.join(', ')
    return { text: `Line ${asked} is beyond the end of the ${noun} (${countLines(totalLines)} in all). ${last}`, details: {} }
  }
  if (laidOut.kind === 'oversized')
    return (await import('./refuse-selection.ts')).refuseOversized(view, laidOut.firstRange, laidOut.characters)
  const { lines, shown } = laidOut
  const [first] = lines
  if (first !== undefined && shown.length === 0) return (await import('./refuse-selection.ts')).refuseLongLine(view, first)
  const tag = view.tag?.(spansOf(shown.map(({ lineNumber }) => lineNumber)))
  const body = view.form === 'numbered' ? numberedBody(shown) : plainBody(shown)
  const header = view.form === 'numbered' && tag !== undefined ? `${formatHeader(display, tag)}\n` : ''
  const footer = footerOf(view, laidOut, totalLines)
  return { text: `${header}${body}${footer.text}`, details: footer.details }
}

export interface NumberedLine {
  readonly lineNumber: number
  /** In raw form with its line ending. */
  readonly text: string
}

function charactersOf({ document, form }: SelectionView, spans: readonly LineSpan[]): number {
  let characters = 0
  for (const { start, end } of spans) {
    for (let index = start - 1; index < end; index++) {
      characters += document.lines[index]?.length ?? 0
      if (form === 'raw') characters += document.endings[index]?.length ?? 0
    }
  }
  return characters
}

function firstLines({ document, form }: SelectionView, spans: readonly LineSpan[], maxLines: number): readonly NumberedLine[] {
  const lines: NumberedLine[] = []
  for (const { start, end } of spans) {
    for (let lineNumber = start; lineNumber <= end && lines.length < maxLines; lineNumber++) {
      const text = document.lines[lineNumber - 1] ?? ''
      const bom = form === 'raw' && lineNumber === 1 && document.bom ? '\uFEFF' : ''
      lines.push({ lineNumber, text: form === 'raw' ? `${bom}${text}${document.endings[lineNumber - 1] ?? ''}` : text })
    }
  }
  return lines
}

interface Head {
  readonly shown: readonly NumberedLine[]
  /** The limit that cut it. */
  readonly by: 'lines' | 'bytes'
  /** UTF-8, with a separator between lines. */
  readonly bytes: number
}

/** The first whole lines that fit both limits. */
function headWithin(lines: readonly NumberedLine[], limits: Limits): Head {
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    const separated = bytes + utf8SizeBytes(line.text) + (index === 0 ? 0 : 1)
    if (index >= limits.readMaxLines) return { shown: lines.slice(0, index), by: 'lines', bytes }
    if (separated > limits.readMaxBytes) return { shown: lines.slice(0, index), by: 'bytes', bytes }
    bytes = separated
  }
  return { shown: lines, by: 'lines', bytes }
}

function numberedBody(lines: readonly NumberedLine[]): string {
  const rows: string[] = []
  let previous: number | undefined
  for (const { lineNumber, text } of lines) {
    if (previous !== undefined && lineNumber > previous + 1) rows.push('...')
    rows.push(formatRow(lineNumber, text))
    previous = lineNumber
  }
  return rows.join('\n')
}

function plainBody(lines: readonly NumberedLine[]): string {
  // Raw lines contain their endings.
  const separator = lines.some(line => /[\r\n]$/.test(line.text)) ? '' : '\n'
  return lines.map(line => line.text).join(separator)
}

function footerOf(
  view: SelectionView,
  { shown, isCut, by, bytes, beyond }: Extract<LaidOut, { kind: 'lines' }>,
  totalLines: number,
): RenderedSelection {
  const firstShown = shown[0]?.lineNumber ?? 1
  const lastShown = shown.at(-1)?.lineNumber ?? 1
  const notes: string[] = []
  if (isCut) {
    const limit = by === 'bytes' ? ` (${formatSize(view.limits.readMaxBytes)} limit)` : ''
    notes.push(
      `[Showing lines ${firstShown}-${lastShown} of ${totalLines}${limit}. Continue with path selector :${next(view, lastShown + 1)}.]`,
    )
  } else if (lastShown < totalLines && view.form !== 'raw' && view.excerpt === undefined) {
    const left = totalLines - lastShown
    notes.push(`[${left} more ${left === 1 ? 'line' : 'lines'} in ${view.noun}. Continue with path selector :${lastShown + 1}.]`)
  }
  if (beyond.length > 0 && !isCut) notes.push(`[The ${view.noun} ends at line ${totalLines}.]`)
  const truncation = {
    truncated: true,
    truncatedBy: by,
    totalLines,
    outputLines: shown.length,
    outputBytes: bytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: view.limits.readMaxLines,
    maxBytes: view.limits.readMaxBytes,
  }
  return { text: notes.length === 0 ? '' : `\n\n${notes.join('\n')}`, details: isCut ? { truncation } : {} }
}

/** The selector that continues in the same form. */
export function next({ excerpt, form }: SelectionView, line: number): string {
  if (excerpt !== undefined) return `${line}-${excerpt}`
  return form === 'raw' ? `${line}:raw` : String(line)
}

function countLines(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`
}
