import { ToolError } from '../../../core/errors.ts'
import { ownValue } from '../../../core/record.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'
import { base64 } from '../../../resources/image/base64.ts'
import { mimeTypeOf, sniffImage } from '../../../resources/image/sniff.ts'
import { resolveFile, type PresentFile } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'
import { ahWords, openAhText } from '../open.ts'
import { shownText } from '../show.ts'
import type { Removed } from '../cut.ts'
import type { AhState } from '../state.ts'
import { readStoredOutput } from './stored-output.ts'

interface ReadArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

const imageTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** The limit of model providers: 5 MB of base64. */
const imageMaxBytes = 3_750_000

export async function runRead(args: ReadArguments, { session, signal }: ToolCall, state: AhState): Promise<ToolOutcome> {
  if (args.path.startsWith('artifact://')) return readStoredOutput(session, args)
  const file = await resolveFile(session, args.path, ahWords)
  signal.throwIfAborted()
  const namedType = ownValue(imageTypes, /\.([a-z]+)$/i.exec(file.display)?.[1]?.toLowerCase() ?? '')
  if (namedType !== undefined) return readImage(session, file, file.stat.sizeBytes, namedType)
  const { text } = await openAhText(session, file)
  const allLines = text.split('\n')
  // No line starts after a final newline. A CR stays visible as part of its line.
  const lines = allLines.at(-1) === '' ? allLines.slice(0, -1) : allLines
  const details = { path: file.display, line_count: lines.length }
  const first = Math.max(1, args.offset ?? 1)
  if (first > lines.length && lines.length > 0) {
    const count = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`
    return { content: textContent(`(no lines: offset ${first} is past the end of ${file.display}, which has ${count})`), details }
  }
  const limit = args.limit ?? 0
  const shown = lines.slice(first - 1, limit === 0 ? undefined : first - 1 + limit)
  const rows = shown.map((line, index) => `${first + index}\t${line}`)
  const result = shownText(session, `read: ${file.display}`, rows.join('\n'), cutLimits.read)
  for (const { start, end } of wholeRows(rows, result.removed)) {
    const endIndex = first - 1 + end
    state.shown.show(file.path, allLines, first - 1 + start, endIndex === lines.length ? allLines.length : endIndex)
  }
  return { content: result.content, details: { ...details, ...result.details } }
}

/** The rows that are shown whole (0-based, end exclusive) if the bytes `removed` of the joined rows are omitted. */
function wholeRows(rows: readonly string[], removed: Removed | undefined): readonly { start: number; end: number }[] {
  if (removed === undefined) return [{ start: 0, end: rows.length }]
  let offset = 0
  let headEnd = 0
  let tailStart = rows.length
  for (const [index, row] of rows.entries()) {
    const end = offset + utf8SizeBytes(row)
    if (end <= removed.startByte) headEnd = index + 1
    if (offset >= removed.endByte && tailStart === rows.length) tailStart = index
    offset = end + 1
  }
  return [
    { start: 0, end: headEnd },
    { start: tailStart, end: rows.length },
  ]
}

/** The type by content takes precedence over the type by name, because providers refuse a whole session with a mislabelled image. */
async function readImage(session: Session, file: PresentFile, sizeBytes: number, namedType: string): Promise<ToolOutcome> {
  if (sizeBytes > imageMaxBytes) {
    throw new ToolError(
      'image-too-large',
      `${file.display} is ${formatSize(sizeBytes)}; images up to ${imageMaxBytes} bytes can be shown.`,
      { nextStep: 'Make it smaller, or ask the user what is in it.', details: { path: file.display, sizeBytes } },
    )
  }
  const bytes = await session.vfs.readFile(file.path)
  const found = sniffImage(bytes)
  const foundType = found === undefined ? undefined : mimeTypeOf(found)
  const mimeType = foundType !== undefined && Object.values(imageTypes).includes(foundType) ? foundType : namedType
  return {
    content: [{ type: 'image', data: base64(bytes), mimeType }],
    details: { path: file.display, bytes: bytes.length, media_type: mimeType },
  }
}
