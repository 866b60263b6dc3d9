// Translates a change in the form of another editing tool into an edit script for the file as the session knows it, ready to be sent.

import { ToolError } from '../../../core/errors.ts'
import { documentOf } from '../../../core/text.ts'
import { loadText, type LoadedText } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import { findForeignFormat } from '../../../text/hashline/foreign-format.ts'
import { formatHeader } from '../../../text/hashline/format.ts'
import { findPlaces, replaceOccurrences } from '../../../text/replace.ts'

const maxRows = 6
const maxRowCharacters = 120

/** `error` is about `input`. Its next step becomes the script if the file, its tag and the lines are known; otherwise it is unchanged. */
export async function withFilledForm(error: ToolError, input: string, session: Session): Promise<ToolError> {
  const foreign = findForeignFormat(input)
  if (foreign?.path === undefined || foreign.oldRows.length === 0) return error
  const known = await knownText(session, foreign.path)
  if (known === undefined) return error
  const script = scriptFor(known.text, foreign.oldRows.join('\n'), foreign.newRows.join('\n'))
  if (script === undefined) return error
  const header = formatHeader(known.file.display, known.text.tag)
  return new ToolError(error.code, error.message, {
    nextStep: `Send this instead:\n${header}\n${script}`,
    details: error.details,
    cause: error,
  })
}

/** The text of a file if this session was shown its present version. */
async function knownText(
  session: Session,
  path: string,
): Promise<{ readonly file: ResolvedPath; readonly text: LoadedText } | undefined> {
  try {
    const file = await session.paths.resolve(path)
    if (file.stat?.kind !== 'file') return undefined
    const text = await loadText(session, file)
    const { kind } = session.snapshots.authorize(file.path, text.tag, text.normalized, text.tag)
    return kind === 'current' ? { file, text } : undefined
  } catch (error) {
    // A file that cannot be opened has no known tag.
    if (error instanceof ToolError) return undefined
    throw error
  }
}

function scriptFor({ normalized }: LoadedText, oldText: string, newText: string): string | undefined {
  if (oldText === '') return undefined
  const [found, ...others] = findPlaces(normalized, oldText)
  if (found === undefined || others.length > 0) return undefined
  const start = normalized.lastIndexOf('\n', found.start - 1) + 1
  const feed = normalized.indexOf('\n', Math.max(found.start, found.end - 1))
  const end = feed === -1 ? normalized.length : feed + 1
  const inside = [{ start: found.start - start, end: found.end - start }]
  const after = replaceOccurrences(normalized.slice(start, end), inside, oldText, newText)
  const first = lineCount(normalized.slice(0, start)) + 1
  const last = first + lineCount(normalized.slice(start, end)) - 1
  // A diff that removes whole lines leaves an empty line here.
  const rows = newText === '' && after === '\n' ? [] : documentOf(after).lines
  if (rows.length === 0) return first === last ? `delete ${first}` : `delete ${first}..${last}`
  const shown = rows.slice(0, maxRows).map(row => `+${row.slice(0, maxRowCharacters)}`)
  const isWhole = rows.length <= maxRows && rows.every(row => row.length <= maxRowCharacters)
  return [`replace ${first}..${last}:`, ...shown, ...(isWhole ? [] : ['+… (all of your new lines)'])].join('\n')
}

function lineCount(text: string): number {
  return documentOf(text).lines.length
}
