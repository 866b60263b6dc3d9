// The body of a here-document begins on the line after its redirection, so it is read after the rest of the line.

import type { Source } from './source.ts'
import type { Word, WordPart } from './tree.ts'
import { readQuotedUntil, wordOf, type WordContext } from './words.ts'

export interface PendingHereDocument {
  delimiter: string
  /** The delimiter is quoted, so the body is not expanded. */
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  /** Set once the body is read. */
  body: Word | undefined
}

/** Reads the body at the current position. As in bash, the end of the script ends it too. */
export function readBody(context: WordContext, pending: PendingHereDocument): void {
  const { source } = context
  const { delimiter, isQuoted, stripsTabs } = pending
  const firstLine = source.lineAt()
  let body = ''
  let isEnded = false
  while (!source.isAtEnd) {
    let line = takeLine(source)
    // In an unquoted body, a backslash at the end of a line joins it with the next one.
    while (!isQuoted && endsInBackslash(line) && !source.isAtEnd) line = `${line}\n${takeLine(source)}`
    const shown = stripsTabs ? line.replace(/^\t+/gm, '') : line
    isEnded = shown === delimiter
    if (isEnded) break
    body += `${shown}\n`
  }
  if (!isEnded) {
    const shown = `here-document at line ${firstLine - 1} delimited by end-of-file (wanted \`${delimiter}')`
    source.warnings.push(`line ${source.endLine - 1}: warning: ${shown}`)
  }
  pending.body = isQuoted ? wordOf([{ type: 'quoted', text: body }], body) : expandable(context, body, firstLine)
}

function takeLine(source: Source): string {
  const end = source.text.indexOf('\n', source.position)
  const line = source.text.slice(source.position, end < 0 ? undefined : end)
  source.position = end < 0 ? source.text.length : end + 1
  return line
}

function endsInBackslash(line: string): boolean {
  const [backslashes = ''] = /\\*$/.exec(line) ?? []
  return backslashes.length % 2 === 1
}

function expandable(context: WordContext, body: string, line: number): Word {
  const parts: WordPart[] = readQuotedUntil(context.forText(body, line), () => false, '$`\\')
  return wordOf(parts, body)
}
