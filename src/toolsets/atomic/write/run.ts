// Writes a whole file. Nothing is made on disk before every check has passed, parents included (atomic §21.5 #50).

import { ToolError } from '../../../core/errors.ts'
import { basename } from '../../../core/path.ts'
import { decodeText, documentOf, encodeText, normalizedText, type TextDocument } from '../../../core/text.ts'
import { isConflictAddress, parseConflictAddress } from '../../../resources/conflict/address.ts'
import { commitWrites } from '../../../session/commit.ts'
import { findGeneratedMarker } from '../../../session/generated.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { diffDocuments } from '../../../text/diff.ts'
import { formatHeader } from '../../../text/hashline/format.ts'
import { withoutCopiedOutput } from './copied-output.ts'
import { lineEndingNote } from './line-endings.ts'

const executableBits = 0o111
const defaultFileMode = 0o644

export async function runWrite(args: { path: string; content: string }, call: ToolCall): Promise<ToolOutcome> {
  const { session, signal } = call
  if (!args.content.isWellFormed()) {
    throw new ToolError(
      'invalid-text',
      'The content holds half of a surrogate pair, which no UTF-8 file can hold. Nothing was written.',
      {
        nextStep: 'Send the character whole, or write it as an escape.',
      },
    )
  }
  const given = withoutCopiedOutput(session, args.content)
  if (isConflictAddress(args.path)) {
    return (await import('./conflicts.ts')).writeConflicts(parseConflictAddress(args.path), given, call)
  }
  if (args.path === '' || args.path.endsWith('/')) {
    throw new ToolError('EISDIR', `${JSON.stringify(args.path)} names a directory, not a file.`, {
      nextStep: 'Name the file to write inside it.',
    })
  }
  refuseContainerMember(args.path)
  const target = await session.paths.resolve(args.path)
  return session.locks.hold([target.path], signal, async () => {
    // Looked at again: it may have changed while the lock was waited for.
    const file = await session.paths.resolve(args.path)
    const before = await existingText(session, file)
    const document = documentOf(given.text)
    const isScript = given.text.startsWith('#!')
    const [stat] = await commitWrites(
      session.vfs,
      [
        {
          path: file.path,
          display: file.display,
          bytes: encodeText(document),
          baseRev: file.stat?.rev ?? 0,
          ...(isScript ? { mode: (file.stat?.mode ?? defaultFileMode) | executableBits } : {}),
        },
      ],
      signal,
    )
    const tag = session.snapshots.record(file.path, file.display, normalizedText(document))
    const endings = before === undefined ? undefined : lineEndingNote(before, document, file.display)
    const notes = [...given.notes, ...(endings === undefined ? [] : [endings])]
    const sizeBytes = stat?.sizeBytes ?? 0
    const summary = `${file.stat === undefined ? 'Created' : 'Wrote'} ${file.display} (${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}).`
    return {
      content: textContent([formatHeader(file.display, tag), summary, ...notes].join('\n')),
      details: {
        resolvedPath: file.path,
        created: file.stat === undefined,
        sizeBytes,
        ...(isScript ? { madeExecutable: true } : {}),
        ...diffDetails(before, document, file),
      },
    }
  })
}

/** `a.zip:b.txt` and `a.db:users:1` mean a member or a row. Until those can be written, a file of that odd name is not what is meant. */
function refuseContainerMember(path: string): void {
  const container = /^(.*\.(?:zip|jar|tar|tgz|gz|sqlite3?|db3?)):/i.exec(path)?.[1]
  if (container === undefined) return
  throw new ToolError(
    'resource-unsupported',
    `${JSON.stringify(path)} names something inside ${container}, and write cannot change archives or databases yet. Nothing was written.`,
    {
      nextStep: 'Write a plain file; to change an archive or a database, use what the shell has.',
      details: { path },
    },
  )
}

/** The text that is about to be replaced, as far as it is text. Throws when the file may not be replaced. */
async function existingText(session: Session, file: ResolvedPath): Promise<TextDocument | undefined> {
  if (file.stat === undefined) return documentOf('')
  if (file.stat.kind !== 'file') {
    throw new ToolError('EISDIR', `${file.display} is a directory; a file cannot take its place.`, {
      nextStep: 'Name a file inside it, or choose another name.',
    })
  }
  if (file.stat.sizeBytes > session.limits.textMaxBytes) return undefined
  const decoded = decodeText(await session.vfs.readFile(file.path))
  if (decoded.kind === 'binary') return undefined
  const marker = session.policy.generatedGuard ? findGeneratedMarker(decoded.document) : undefined
  if (marker !== undefined) {
    throw new ToolError(
      'generated-file',
      `${basename(file.path)} says on line ${marker.lineNumber} that it is generated ("${marker.text}"), so it was not overwritten.`,
      {
        nextStep: 'Change what it is generated from. If it really must be changed by hand, use edit.',
        details: { path: file.display, line: marker.lineNumber },
      },
    )
  }
  return decoded.document
}

function diffDetails(before: TextDocument | undefined, after: TextDocument, file: ResolvedPath): Record<string, unknown> {
  if (before === undefined) return {}
  const diff = diffDocuments(before, after, file.display)
  return { diff: diff.rows, patch: diff.patch, firstChangedLine: diff.firstChangedLine }
}
