// Writes a whole file and shows what that changed.

import { ToolError } from '../../../core/errors.ts'
import { utf8SizeBytes } from '../../../core/size.ts'
import { checkWellFormed, replaceText, type ReplaceOptions } from '../../../session/change-file.ts'
import { explainVfsError } from '../../../session/explain.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { FileWords } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { unifiedDiff } from '../../../text/unified-diff.ts'
import { withoutCopiedIds } from '../copied-ids.ts'
import { fromRoot, ryeWords } from '../paths.ts'
import { ryeResult } from '../result.ts'
import { shownDiff } from '../shown-diff.ts'
import type { RyeState } from '../state.ts'

export interface WriteArguments {
  readonly file_path: string
  readonly content: string
}

export async function runWrite(args: WriteArguments, call: ToolCall, state: RyeState): Promise<ToolOutcome> {
  try {
    return await write(args, call, state)
  } catch (error) {
    const failed = isVfsError(error) ? explainVfsError(error, call.session.root) : error
    if (!(failed instanceof ToolError)) throw error
    // As the document specifies, a failed write names the file as the call named it.
    throw new ToolError(failed.code, failed.message, {
      ...(failed.nextStep === undefined ? {} : { nextStep: failed.nextStep }),
      details: { ...failed.details, file_path: args.file_path },
      cause: error,
    })
  }
}

function write(args: WriteArguments, call: ToolCall, state: RyeState): Promise<ToolOutcome> {
  checkWellFormed(args.content)
  const freshness: ReplaceOptions['freshness'] = (file, text) => call.session.freshness.check(file.path, file.stat?.rev, text)
  return replaceText(call, args.file_path, { words: writeWords, freshness }, async ({ file, before }) => {
    const known = new Set((await state.indexes.load(file))?.lines.map(line => line.id))
    const bare = withoutCopiedIds(args.content.split('\n'), id => known.has(id) || state.hasShown(id))
    const content = bare.lines.join('\n')
    return {
      after: before === content ? undefined : content,
      async report(written, { notes: overwritten }) {
        if (written !== undefined) await state.indexes.clear(file.path)
        call.session.freshness.note(file.path, written?.rev, content)
        const notes = [...bare.notes, ...overwritten]
        return report(call.session, file, { before, content, sizeBytes: utf8SizeBytes(content), notes })
      },
    }
  })
}

const writeWords: FileWords = {
  ...ryeWords,
  directory: ({ path }) => new ToolError('EISDIR', `Is a directory: ${path}`),
}

interface Written {
  readonly before: string | undefined
  readonly content: string
  readonly sizeBytes: number
  readonly notes: readonly string[]
}

function report(session: Session, file: ResolvedPath, { before, content, sizeBytes, notes }: Written): ToolOutcome {
  const path = fromRoot(session, file.path)
  const created = file.stat === undefined
  const diff = before === undefined ? undefined : unifiedDiff(before, content, path)
  const shown =
    diff === undefined
      ? { output: `${created ? 'Created new file' : 'Replaced file'} ${path} (${sizeBytes} bytes)`, notes: [] }
      : shownDiff(session, diff, path)
  return ryeResult({
    output: shown.output,
    fields: { file_path: path, bytes_written: sizeBytes, created },
    notes: [...notes, ...shown.notes, ...endingNotes(before, content)],
    emptyText: `No change: ${path} held exactly this content.`,
    details: { resolvedPath: file.path, created, sizeBytes, ...(diff === undefined ? {} : { patch: diff }) },
  })
}

/** A change from CRLF to LF is rarely intended, so the result reports it. */
function endingNotes(before: string | undefined, content: string): readonly string[] {
  if (before === undefined || !before.includes('\n') || !content.includes('\n')) return []
  const [was, is] = [before, content].map(text => (text.includes('\r\n') ? 'CRLF' : 'LF'))
  return was === is ? [] : [`The lines of this file ended with ${was} and now end with ${is}`]
}
