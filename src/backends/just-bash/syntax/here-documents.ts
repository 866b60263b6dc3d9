// The body of a here-document begins on the line after the command that asks for it, so it is read later than the redirection.

import type { Source } from './source.ts'
import type { Word, WordPart } from './tree.ts'
import { readQuotedUntil, wordOf, type WordContext } from './words.ts'

export interface PendingHereDocument {
  delimiter: string
  /** Nothing in the body is expanded. */
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  /** Set when it is read. */
  body: Word | undefined
}

/** Reads the body, which begins at the current place. As in bash, the end of the text ends it too. */
export function readBody(context: WordContext, pending: PendingHereDocument): void {
  const { source } = context
  const { delimiter, isQuoted, stripsTabs } = pending
  const firstLine = source.lineAt()
  let body = ''
  while (!source.isAtEnd) {
    let line = takeLine(source)
    // A line that a backslash continues is one line, in a body that is expanded.
    while (!isQuoted && endsInBackslash(line) && !source.isAtEnd) line = `${line}\n${takeLine(source)}`
    const shown = stripsTabs ? line.replace(/^\t+/gm, '') : line
    if (shown === delimiter) break
    body += `${shown}\n`
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
