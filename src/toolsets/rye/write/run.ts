// Writes a whole file and shows what that changed (rye §2.4).

import { ToolError } from '../../../core/errors.ts'
import { decodeUtf8 } from '../../../core/text.ts'
import { commitWrites } from '../../../session/commit.ts'
import { explainVfsError } from '../../../session/explain.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { unifiedDiff } from '../../../text/unified-diff.ts'
import { withoutCopiedIds } from '../copied-ids.ts'
import { fromRoot, resolveInside } from '../paths.ts'
import { ryeResult } from '../result.ts'
import { shownDiff } from '../shown-diff.ts'
import type { RyeState } from '../state.ts'

export interface WriteArguments {
  readonly file_path: string
  readonly content: string
}

const encoder = new TextEncoder()

export async function runWrite(args: WriteArguments, call: ToolCall, state: RyeState): Promise<ToolOutcome> {
  try {
    return await write(args, call, state)
  } catch (error) {
    const failed = isVfsError(error) ? explainVfsError(error, call.session.root) : error
    if (!(failed instanceof ToolError)) throw error
    // The document's failed write names the file as it was given.
    throw new ToolError(failed.code, failed.message, {
      ...(failed.nextStep === undefined ? {} : { nextStep: failed.nextStep }),
      details: { ...failed.details, file_path: args.file_path },
      cause: error,
    })
  }
}

async function write(args: WriteArguments, { session, signal }: ToolCall, state: RyeState): Promise<ToolOutcome> {
  if (!args.content.isWellFormed()) {
    throw new ToolError('invalid-text', 'The content holds half of a surrogate pair, which no UTF-8 file can hold.', {
      nextStep: 'Send the character whole. Nothing was written.',
    })
  }
  if (args.file_path === '' || args.file_path.endsWith('/')) {
    throw new ToolError('EISDIR', `${JSON.stringify(args.file_path)} names a directory, not a file`)
  }
  const target = await resolveInside(session, args.file_path)
  return session.locks.hold([target.path], signal, async () => {
    // Looked at again: it may have changed while the lock was waited for.
    const file = await resolveInside(session, args.file_path)
    if (file.stat?.kind === 'directory') throw new ToolError('EISDIR', `Is a directory: ${file.path}`)
    const known = new Set((await state.indexes.load(file))?.lines.map(line => line.id))
    const bare = withoutCopiedIds(args.content.split('\n'), id => known.has(id) || state.hasShown(id))
    const content = bare.lines.join('\n')
    const bytes = encoder.encode(content)
    const before = await textThere(session, file)
    if (before !== content) {
      await commitWrites(session.vfs, [{ path: file.path, display: file.display, bytes, baseRev: file.stat?.rev ?? 0 }], signal)
      await state.indexes.clear(file.path)
    }
    return report(session, file, { before, content, sizeBytes: bytes.length, notes: bare.notes })
  })
}

/** `undefined` when nothing is there, or nothing that a diff could show. */
async function textThere(session: Session, file: ResolvedPath): Promise<string | undefined> {
  if (file.stat === undefined || file.stat.sizeBytes > session.limits.textMaxBytes) return undefined
  const decoded = decodeUtf8(await session.vfs.readFile(file.path))
  return decoded.kind === 'text' ? decoded.text : undefined
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

/** A file that silently turns from CRLF to LF is rarely what was meant. */
function endingNotes(before: string | undefined, content: string): readonly string[] {
  if (before === undefined || !before.includes('\n') || !content.includes('\n')) return []
  const [was, is] = [before, content].map(text => (text.includes('\r\n') ? 'CRLF' : 'LF'))
  return was === is ? [] : [`The lines of this file ended with ${was} and now end with ${is}`]
}
