// Texts that are too large for strings of all their lines: only the lines that may be shown are decoded.

import { ByteLines, isUtf8 } from '../../../core/byte-lines.ts'
import type { Limits } from '../../../core/limits.ts'
import { byteOrderMark, type TextDocument } from '../../../core/text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { expandRanges, type PathSelector } from '../../../text/hashline/selector.ts'
import { contentTag } from '../../../text/hashline/tag.ts'
import { noContext, rangeContext, readDetails, refusedMark, renderSelection } from './render-selection.ts'

/** The number of lines that a refusal examines. */
const linesOfHint = 210

/** The lines that may be shown, and those that a refusal examines to suggest narrower reads. @param maxBytes of each span of lines */
export function documentToShow(
  lines: ByteLines,
  { ranges }: PathSelector,
  { readMaxLines }: Limits,
  maxBytes: number,
): TextDocument {
  const hint = { start: ranges[0]?.start ?? 1, end: (ranges[0]?.start ?? 1) + linesOfHint }
  const spans = [rangeContext, noContext].flatMap(context => expandRanges(ranges, lines.count, context).visible)
  const first = [...spans, hint].map(({ start, end }) => ({ start, end: Math.min(end, start + readMaxLines + 1) }))
  return lines.document(first, maxBytes)
}

/** A file of several lines. `undefined` for one that is to be opened, or refused, like smaller ones. */
export async function readLargeFile(
  file: ResolvedPath,
  selector: PathSelector,
  { session, signal }: ToolCall,
  isPlain: boolean,
): Promise<ToolOutcome | undefined> {
  const { limits, vfs, snapshots } = session
  if (file.stat?.kind !== 'file' || file.stat.sizeBytes > limits.textMaxBytes) return undefined
  const bytes = vfs.sync === undefined ? await vfs.readFile(file.path) : vfs.sync.read(file.path)
  signal.throwIfAborted()
  if (!isUtf8(bytes)) return undefined
  const lines = new ByteLines(bytes)
  if (lines.count <= 1) return undefined
  const shown = await renderSelection({
    // A refusal reports the length of a line in bytes, so lines are decoded whole.
    document: documentToShow(lines, selector, limits, bytes.length),
    charactersIn: spans => spans.reduce((sum, span) => sum + lines.characters(span, selector.raw), 0),
    selector,
    limits,
    display: file.display,
    noun: 'file',
    form: selector.raw ? 'raw' : isPlain ? 'plain' : 'numbered',
    ...(isPlain
      ? {}
      : {
          tag: rows => {
            const { text, encoded } = normalizedOf(bytes)
            return snapshots.record(file.path, file.display, text, { tag: contentTag(text, encoded), rows })
          },
        }),
  })
  return {
    ...refusedMark(shown),
    content: textContent(shown.text),
    details: readDetails({ source: 'file', sourcePath: file.path }, shown),
  }
}

/** The text without BOM and with LF as the only line ending; with its bytes, if the file has exactly those. */
function normalizedOf(bytes: Uint8Array): { readonly text: string; readonly encoded: Uint8Array | undefined } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const hasMark = text.startsWith(byteOrderMark)
  const hasReturns = bytes.includes(0x0d)
  const body = hasMark ? text.slice(1) : text
  return {
    text: hasReturns ? body.replace(/\r\n?/g, '\n') : body,
    encoded: hasMark || hasReturns ? undefined : bytes,
  }
}
