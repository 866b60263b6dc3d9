// Shows one page of a file, each line with its ID.

import { ToolError } from '../../../core/errors.ts'
import { findOutput, parseOutputAddress, readOutputPage } from '../../../session/output-page.ts'
import { resolveText } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { formatLineId } from '../../../text/line-ids/display.ts'
import { pageLines, type LinePage } from '../../../text/page-lines.ts'
import { defaultReadLines, maxLineCharacters, maxOutputBytes } from '../limits.ts'
import { ryeWords } from '../paths.ts'
import { ryeResult } from '../result.ts'
import type { RyeState } from '../state.ts'

export interface ReadArguments {
  readonly file_path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly column?: number | undefined
}

export async function runRead(args: ReadArguments, { session, signal }: ToolCall, state: RyeState): Promise<ToolOutcome> {
  refuseNegative('limit', args.limit)
  if (args.file_path.startsWith('artifact://')) return readOutput(args, session)
  const text = await resolveText(session, args.file_path, ryeWords)
  const { file } = text
  signal.throwIfAborted()
  const index = await state.indexes.open(file, text, signal)
  const { outcome, page, startIndex } = showPage(args, text.document.lines, lineIndex =>
    formatLineId(index.lines[lineIndex]?.id ?? ''),
  )
  state.shownLines(file.path).show(index.lines, startIndex, page.nextIndex)
  return outcome
}

async function readOutput(args: ReadArguments, session: Session): Promise<ToolOutcome> {
  const address = parseOutputAddress(args.file_path)
  const output = await findOutput(session.outputs, address, args.file_path, 'ENOENT')
  const read = await readOutputPage(output, address, {
    firstIndex: Math.max(1, args.offset ?? 1) - 1,
    maxLines: args.limit ?? defaultReadLines,
    maxBytes: maxOutputBytes,
  })
  if (read.kind === 'lines') return showPage(args, read.document.lines, () => '').outcome
  const { text, startByte, endByte, nextAddress } = read.page
  return ryeResult({
    output: text,
    fields: { truncated: nextAddress !== undefined, start_byte: startByte, end_byte: endByte, total_bytes: output.sizeBytes },
    notes:
      nextAddress === undefined ? [] : [`Bytes ${startByte}-${endByte} of ${output.sizeBytes}. Go on with read ${nextAddress}`],
    emptyText: '[There is no such part.]',
  })
}

function showPage(
  args: ReadArguments,
  lines: readonly string[],
  prefix: (lineIndex: number) => string,
): { readonly outcome: ToolOutcome; readonly page: LinePage; readonly startIndex: number } {
  const offset = args.offset ?? 1
  const startIndex = Math.max(1, offset) - 1
  const page = pageLines(lines, {
    startIndex,
    maxLines: args.limit ?? defaultReadLines,
    maxBytes: maxOutputBytes,
    maxLineCharacters,
    skipCharacters: Math.max(1, args.column ?? 1) - 1,
    prefix,
  })
  const isContinued = page.nextIndex < lines.length
  const outcome = ryeResult({
    output: page.rows.join('\n'),
    fields: {
      line_count: page.rows.length,
      total_lines: lines.length,
      // As the document specifies: the requested lines are complete. If a limit ended the page, `next_offset` shows it.
      truncated: page.isFull || page.cutLines.length > 0,
      offset,
      ...(isContinued ? { next_offset: page.nextIndex + 1 } : {}),
    },
    notes: [
      ...(isContinued && page.rows.length > 0
        ? [
            `Lines ${startIndex + 1}-${page.nextIndex} of ${lines.length}${page.isFull ? ` (${maxOutputBytes} bytes)` : ''}. Go on with offset ${page.nextIndex + 1}.`,
          ]
        : []),
      ...cutNote(page),
    ],
    emptyText: emptyText(args, lines.length),
  })
  return { outcome, page, startIndex }
}

const namedLines = 5

function cutNote({ cutLines }: LinePage): readonly string[] {
  const [first] = cutLines
  if (first === undefined) return []
  const numbers = cutLines.slice(0, namedLines).map(({ lineIndex }) => lineIndex + 1)
  const more = cutLines.length > namedLines ? ` and ${cutLines.length - namedLines} more` : ''
  const what = cutLines.length === 1 ? `Line ${numbers.join()} is` : `Lines ${numbers.join(', ')}${more} are`
  return [
    `${what} longer than ${maxLineCharacters} characters and cut here. For the rest: offset ${first.lineIndex + 1}, limit 1, column ${first.nextCharacter + 1}. edit_lines replaces whole lines`,
  ]
}

function emptyText({ offset = 1, limit }: ReadArguments, lineCount: number): string {
  if (lineCount === 0) return '[The file is empty.]'
  if (limit === 0) return '[No lines were asked for.]'
  return `[There is no line ${offset}; the file has ${lineCount}.]`
}

function refuseNegative(name: string, value: number | undefined): void {
  if (value === undefined || value >= 0) return
  throw new ToolError('invalid-arguments', `"${name}" must be 0 or more, not ${value}.`, {
    nextStep: 'For the end of a file, give an offset; total_lines says how many lines there are.',
  })
}
