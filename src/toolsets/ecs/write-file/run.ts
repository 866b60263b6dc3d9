// Writes a whole file (ecs §4.4).

import { ToolError } from '../../../core/errors.ts'
import { decodeText } from '../../../core/text.ts'
import { commitWrites } from '../../../session/commit.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { withoutCopiedTags } from '../copied-tags.ts'
import { resolveInside } from '../paths.ts'
import { withNotes } from '../result.ts'

export interface WriteFileArguments {
  readonly path: string
  readonly content: string
}

const encoder = new TextEncoder()

export async function runWriteFile(args: WriteFileArguments, { session, signal }: ToolCall): Promise<ToolOutcome> {
  if (!args.content.isWellFormed()) {
    throw new ToolError('invalid-text', 'The content holds half of a surrogate pair, which no UTF-8 file can hold', {
      nextStep: 'Send the character whole. Nothing was written.',
    })
  }
  if (args.path === '' || args.path.endsWith('/')) {
    throw new ToolError('EISDIR', `${JSON.stringify(args.path)} names a directory, not a file`)
  }
  const target = await resolveInside(session, args.path)
  return session.locks.hold([target.path], signal, async () => {
    // Looked at again: it may have changed while the lock was waited for.
    const file = await resolveInside(session, args.path)
    if (file.stat?.kind === 'directory') throw new ToolError('EISDIR', `Is a directory: ${file.path}`)
    const bare = withoutCopiedTags(args.content.split('\n'), await linesThere(session, file))
    const bytes = encoder.encode(bare.lines.join('\n'))
    await commitWrites(session.vfs, [{ path: file.path, display: file.display, bytes, baseRev: file.stat?.rev ?? 0 }], signal)
    return {
      content: textContent(withNotes(`Wrote ${bytes.length} bytes to ${args.path}`, bare.notes)),
      details: { resolvedPath: file.path, created: file.stat === undefined, sizeBytes: bytes.length },
    }
  })
}

/** Only to recognise copied tags, so anything that is not a text of ours to read has no lines. */
async function linesThere(session: Session, { path, stat }: ResolvedPath): Promise<readonly string[]> {
  if (stat === undefined || stat.sizeBytes > session.limits.textMaxBytes) return []
  const decoded = decodeText(await session.vfs.readFile(path))
  return decoded.kind === 'text' ? decoded.document.lines : []
}
