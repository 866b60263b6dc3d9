// Reads kept outputs: `artifact://N` with the selectors of files, and `artifact://N?bytes=START-END` for lines that are too long to page by
// lines.

import { findOutput, parseOutputAddress, readBytePage, readLinePage } from '../../../session/output-page.ts'
import type { StoredOutput } from '../../../session/output-entry.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { expandRanges, selectorCandidates, type PathSelector } from '../../../text/hashline/selector.ts'
import type { LineSpan } from '../../../text/line-spans.ts'
import { readDetails, renderSelection } from './render-selection.ts'

/** Throws `ToolError` `artifact-unknown`. */
export async function readStoredOutput(session: Session, input: string): Promise<ToolOutcome> {
  const selector = selectorCandidates(input).find(candidate => parseOutputAddress(candidate.path) !== undefined)
  if (selector?.problem !== undefined) throw selector.problem
  const address = selector === undefined ? undefined : parseOutputAddress(selector.path)
  const output = await findOutput(session.outputs, address, input)
  if (selector === undefined || address?.bytes !== undefined)
    return bytePage(session, output, address?.bytes ?? { startByte: 0, endByte: output.sizeBytes })
  return linePage(session, output, selector)
}

async function bytePage(
  session: Session,
  output: StoredOutput,
  asked: { readonly startByte: number; readonly endByte: number },
): Promise<ToolOutcome> {
  const { text, startByte, endByte, nextAddress } = await readBytePage(output, asked, session.limits.readMaxBytes)
  const position = { startByte, endByte, sizeBytes: output.sizeBytes }
  const more = `[Bytes ${startByte}-${endByte} of ${output.sizeBytes}. Go on with read ${nextAddress}]`
  return {
    // In a separate block, so that pages can be joined.
    content: [...textContent(text), ...(nextAddress === undefined ? [] : textContent(more))],
    details: { meta: { source: 'artifact', sourcePath: output.address, title: output.title }, ...position },
  }
}

async function linePage(session: Session, output: StoredOutput, selector: PathSelector): Promise<ToolOutcome> {
  const { readMaxLines, readMaxBytes } = session.limits
  const { visible } = expandRanges(selector.ranges, Math.max(1, output.lineCount), { before: 0, after: 0 })
  // One line more than is shown, to find out whether there are more.
  const ranges = firstLines(visible, readMaxLines + 1)
  const { document, isLineCut } = await readLinePage(
    output,
    ranges.map(({ start, end }) => ({ firstIndex: start - 1, maxLines: end - start + 1, maxBytes: readMaxBytes + 1 })),
  )
  const isClipped = ranges.length < visible.length || ranges.at(-1)?.end !== visible.at(-1)?.end
  const [first] = ranges
  if (isLineCut && first !== undefined) {
    const startByte = await output.startOfLine(first.start - 1)
    return bytePage(session, output, { startByte, endByte: await output.startOfLine(first.end) })
  }
  const shown = await renderSelection({
    document,
    selector: { ...selector, ranges: isClipped ? ranges.map(span => ({ bounded: true, ...span })) : selector.ranges },
    // Each page says how to continue, so a long output is not refused as a whole.
    limits: { ...session.limits, readMaxCharacters: Number.POSITIVE_INFINITY },
    display: output.address,
    noun: 'output',
    form: selector.raw ? 'raw' : 'plain',
  })
  return {
    content: textContent(shown.text),
    details: readDetails({ source: 'artifact', sourcePath: output.address, title: output.title }, shown),
  }
}

function firstLines(ranges: readonly LineSpan[], maxLines: number): LineSpan[] {
  const first: LineSpan[] = []
  let left = maxLines
  for (const { start, end } of ranges) {
    if (left <= 0) break
    first.push({ start, end: Math.min(end, start + left - 1) })
    left -= end - start + 1
  }
  return first
}
