import { ToolError } from '../../../core/errors.ts'
import { formatSize } from '../../../core/size.ts'
import { base64 } from '../../../resources/image/base64.ts'
import { mimeTypeOf, sniffImage } from '../../../resources/image/sniff.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'
import { openText } from '../open.ts'
import { shownText } from '../show.ts'
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

/** What the model providers take: 5 MB of base64. */
const imageMaxBytes = 3_750_000

export async function runRead(args: ReadArguments, { session, signal }: ToolCall): Promise<ToolOutcome> {
  if (args.path.startsWith('artifact://')) return readStoredOutput(session, args)
  const file = await session.paths.resolve(args.path)
  signal.throwIfAborted()
  const namedType = imageTypes[/\.([a-z]+)$/i.exec(file.display)?.[1]?.toLowerCase() ?? '']
  if (namedType !== undefined && file.stat?.kind === 'file') return readImage(session, file, file.stat.sizeBytes, namedType)
  const { text } = await openText(session, file)
  const lines = linesOf(text)
  const details = { path: file.display, line_count: lines.length }
  const first = Math.max(1, args.offset ?? 1)
  if (first > lines.length && lines.length > 0) {
    const count = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`
    return { content: textContent(`(no lines: offset ${first} is past the end of ${file.display}, which has ${count})`), details }
  }
  const limit = args.limit ?? 0
  const shown = lines.slice(first - 1, limit === 0 ? undefined : first - 1 + limit)
  const numbered = shown.map((line, index) => `${first + index}\t${line}`).join('\n')
  const result = shownText(session, `read: ${file.display}`, numbered, cutLimits.read)
  return { content: result.content, details: { ...details, ...result.details } }
}

/** Lines end at LF alone; a CR before it stays visible as part of its line. A final newline starts no line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** What the bytes say goes before what the name says: a provider refuses a session with a mislabelled image. */
async function readImage(session: Session, file: ResolvedPath, sizeBytes: number, namedType: string): Promise<ToolOutcome> {
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
