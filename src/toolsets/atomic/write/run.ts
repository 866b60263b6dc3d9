// Writes a whole file. All checks come before the first change on disk, including the creation of parents.

import { ToolError } from '../../../core/errors.ts'
import { basename } from '../../../core/path.ts'
import { documentOf, normalizedText, textOf, type TextDocument } from '../../../core/text.ts'
import { isConflictAddress, parseConflictAddress } from '../../../resources/conflict/address.ts'
import { mayNameResource } from '../../../resources/kinds.ts'
import { checkWellFormed, replaceText, type ReplaceOptions } from '../../../session/change-file.ts'
import { diffDetails } from '../../../session/diff-details.ts'
import { findGeneratedMarker } from '../../../session/generated.ts'
import { missingFile } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { FileWords } from '../../../session/resolve-text.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { formatHeader } from '../../../text/hashline/format.ts'
import { withoutCopiedOutput, type GivenContent } from './copied-output.ts'
import { lineEndingNote } from './line-endings.ts'

const executableBits = 0o111
const defaultFileMode = 0o644

export async function runWrite(args: { path: string; content: string }, call: ToolCall): Promise<ToolOutcome> {
  const { session } = call
  checkWellFormed(args.content)
  const given = withoutCopiedOutput(session, args.content)
  if (isConflictAddress(args.path))
    return (await import('./conflicts.ts')).writeConflicts(parseConflictAddress(args.path), given, call)
  const named = await otherThanFile(args.path, given, call)
  if ('outcome' in named) return named.outcome
  const freshness: ReplaceOptions['freshness'] = (file, text) =>
    session.snapshots.freshness(file.path, normalizedText(documentOf(text)))
  return replaceText(call, named.path, { words: writeWords, freshness }, ({ file, before: textBefore }) => {
    // A file that cannot be shown as text has no diff; a new one has a diff from the empty text.
    const before = file.stat === undefined ? documentOf('') : textBefore === undefined ? undefined : documentOf(textBefore)
    if (session.policy.generatedGuard) refuseGenerated(file, before)
    const document = documentOf(given.text)
    const isScript = given.text.startsWith('#!')
    return {
      after: textOf(document),
      mode: isScript ? (file.stat?.mode ?? defaultFileMode) | executableBits : undefined,
      report(written, { notes: overwritten, diff }) {
        const tag = session.snapshots.record(file.path, file.display, normalizedText(document))
        const endings = before === undefined ? undefined : lineEndingNote(before, document, file.display)
        const notes = [...given.notes, ...overwritten, ...(endings === undefined ? [] : [endings])]
        const sizeBytes = written?.sizeBytes ?? 0
        const summary = `${file.stat === undefined ? 'Created' : 'Wrote'} ${file.display} (${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}).`
        return {
          content: textContent([formatHeader(file.display, tag), summary, ...notes].join('\n')),
          details: {
            resolvedPath: file.path,
            created: file.stat === undefined,
            sizeBytes,
            ...(isScript ? { madeExecutable: true } : {}),
            ...(diff === undefined ? {} : diffDetails([{ display: file.display, diff }])),
          },
        }
      },
    }
  })
}

/** Writes a resource that is not a plain file; otherwise returns the file's path. */
async function otherThanFile(
  path: string,
  given: GivenContent,
  call: ToolCall,
): Promise<{ readonly path: string } | { readonly outcome: ToolOutcome }> {
  if (!mayNameResource(call.session.kinds, path)) return { path }
  const { writeAddress } = await import('../../../session/write-address.ts')
  const written = await writeAddress(call, path, given.text)
  if (written.kind === 'file') return { path: written.path }
  return { outcome: { content: textContent([written.summary, ...given.notes].join('\n')), details: written.details } }
}

const writeWords: FileWords = {
  missing: ({ display }) => missingFile(display),
  directory: ({ display }) =>
    new ToolError('EISDIR', `${display} is a directory; a file cannot take its place.`, {
      nextStep: 'Name a file inside it, or choose another name.',
      details: { path: display },
    }),
}

/** Throws `ToolError` `generated-file`. */
function refuseGenerated({ path, display }: ResolvedPath, before: TextDocument | undefined): void {
  const marker = before === undefined ? undefined : findGeneratedMarker(before)
  if (marker === undefined) return
  throw new ToolError(
    'generated-file',
    `${basename(path)} says on line ${marker.lineNumber} that it is generated ("${marker.text}"), so it was not overwritten.`,
    {
      nextStep: 'Change the source that it is generated from. If it really must be changed by hand, use edit.',
      details: { path: display, line: marker.lineNumber },
    },
  )
}
