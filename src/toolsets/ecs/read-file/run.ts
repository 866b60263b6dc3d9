// Shows a file with a tag before each line.

import { formatSize } from '../../../core/size.ts'
import { findOutput, parseOutputAddress, readOutputPage } from '../../../session/output-page.ts'
import { resolveText } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { formatLineTag } from '../../../text/line-tags/tag.ts'
import { pageLines, type LinePage } from '../../../text/page-lines.ts'
import { maxLineCharacters, readMaxBytes } from '../limits.ts'
import { ecsWords } from '../paths.ts'
import { withNotes } from '../result.ts'
import type { EcsState } from '../state.ts'

export interface ReadFileArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly column?: number | undefined
}

export async function runReadFile(args: ReadFileArguments, { session }: ToolCall, state: EcsState): Promise<ToolOutcome> {
  if (args.path.startsWith('artifact://')) return readOutput(args, session)
  const { file, document } = await resolveText(session, args.path, ecsWords)
  const { lines } = document
  const page = pageOf(args, lines, lineIndex => formatLineTag(lineIndex + 1, lines[lineIndex] ?? ''))
  state.show(file.path, lines, (args.offset ?? 1) - 1, page.nextIndex)
  const outcome = render(args, lines, page)
  return { ...outcome, details: { ...outcome.details, resolvedPath: file.path } }
}

async function readOutput(args: ReadFileArguments, session: Session): Promise<ToolOutcome> {
  const address = parseOutputAddress(args.path)
  const output = await findOutput(session.outputs, address, args.path, 'ENOENT')
  const read = await readOutputPage(output, address, {
    firstIndex: (args.offset ?? 1) - 1,
    maxLines: args.limit ?? Number.MAX_SAFE_INTEGER,
    maxBytes: readMaxBytes,
  })
  if (read.kind === 'lines') {
    const { lines } = read.document
    return render(
      args,
      lines,
      pageOf(args, lines, () => ''),
    )
  }
  const { text, startByte, endByte, nextAddress } = read.page
  const more = `Bytes ${startByte}-${endByte} of ${output.sizeBytes}. Go on with read_file ${nextAddress}`
  return {
    content: textContent(withNotes(text, nextAddress === undefined ? [] : [more])),
    details: { startByte, endByte, sizeBytes: output.sizeBytes },
  }
}

function pageOf(args: ReadFileArguments, lines: readonly string[], prefix: (lineIndex: number) => string): LinePage {
  return pageLines(lines, {
    startIndex: (args.offset ?? 1) - 1,
    maxLines: args.limit ?? Number.MAX_SAFE_INTEGER,
    maxBytes: readMaxBytes,
    maxLineCharacters,
    skipCharacters: (args.column ?? 1) - 1,
    prefix,
  })
}

function render(args: ReadFileArguments, lines: readonly string[], page: LinePage): ToolOutcome {
  const offset = args.offset ?? 1
  const isContinued = page.nextIndex < lines.length
  const [cut, ...otherCuts] = page.cutLines
  const notes = [
    ...(isContinued
      ? [
          `Lines ${offset}-${page.nextIndex} of ${lines.length}${page.isFull ? ` (${formatSize(readMaxBytes)} limit)` : ''}. Go on with offset ${page.nextIndex + 1}`,
        ]
      : []),
    ...(offset > 1 && page.rows.length === 0 ? [`There is no line ${offset}; the file has ${lines.length}`] : []),
    ...(cut === undefined
      ? []
      : [
          `Line ${cut.lineIndex + 1}${otherCuts.length === 0 ? '' : ` and ${otherCuts.length} more`} is cut at ${maxLineCharacters} characters. For the rest: offset ${cut.lineIndex + 1}, limit 1, column ${cut.nextCharacter + 1}`,
        ]),
  ]
  return {
    content: textContent(withNotes(page.rows.join('\n'), notes)),
    details: {
      totalLines: lines.length,
      shownLines: page.rows.length,
      ...(isContinued ? { nextOffset: page.nextIndex + 1 } : {}),
    },
  }
}
