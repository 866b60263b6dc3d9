import { byteOrderMark } from '../../../core/text.ts'
import { openText, resolveFile } from '../../../session/resolve-text.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { defaultLines } from '../limits.ts'
import { agshWords } from '../open.ts'
import { redirected } from '../scratchpad/redirect.ts'
import type { AgshState } from '../state.ts'
import { formatByName } from './image-names.ts'

interface ReadArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly scratchpad?: string | undefined
}

export function runReadFile(args: ReadArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  return redirected(state.scratchpad, call.session.limits, 'read_file', args.scratchpad, () => readFile(args, call, state))
}

async function readFile(args: ReadArguments, { session, signal }: ToolCall, state: AgshState): Promise<ToolOutcome> {
  const file = await resolveFile(session, args.path, agshWords)
  signal.throwIfAborted()
  const named = formatByName(file.display)
  if (named !== undefined) return (await import('./image.ts')).readImage(session, file, named)
  const { text } = await openText(session, file, agshWords)
  state.ledger.note(file.path, file.stat.rev, text)
  const lines = linesOf(text)
  const { offset = 0, limit } = args
  const details = { path: file.display, lineCount: lines.length }
  if (offset >= lines.length && offset > 0) {
    const count = `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`
    return {
      content: textContent(`(no lines: offset ${offset} is past the end of '${file.display}', which has ${count})`),
      details,
    }
  }
  const end = Math.min(lines.length, offset + (limit ?? defaultLines))
  const allLines = text.split('\n')
  state.shown.show(file.path, allLines, offset, end === lines.length ? allLines.length : end)
  const shown = textContent(lines.slice(offset, end).join('\n'))
  // A limit that the model requested is not a truncation.
  if (limit !== undefined || end === lines.length) return { content: shown, details }
  const what =
    args.offset === undefined ? `first ${end} of ${lines.length} lines` : `lines ${offset + 1}-${end} of ${lines.length}`
  const next = args.offset === undefined ? '' : `; go on with offset ${end}`
  return {
    content: [...shown, ...textContent(`\n... (showing ${what}, use offset/limit to read more${next})`)],
    details: { ...details, truncated: { shownLines: end - offset, nextOffset: end } },
  }
}

/** Lines end at LF; a CR before it and a byte order mark are not shown. No line starts after a final newline. */
function linesOf(text: string): readonly string[] {
  const lines = (text.startsWith(byteOrderMark) ? text.slice(1) : text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return text.includes('\r') ? lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines
}
