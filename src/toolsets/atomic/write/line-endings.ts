// `write` writes exactly the given text, even if that turns a CRLF file into an LF one. That is rarely intended, so the result reports it.

import type { TextDocument } from '../../../core/text.ts'

type Style = 'LF' | 'CRLF' | 'CR' | 'mixed line endings'

/** A sentence if the line endings of the replaced text and the new one differ; a text without line endings has no style. */
export function lineEndingNote(before: TextDocument, after: TextDocument, path: string): string | undefined {
  const [was, is] = [styleOf(before), styleOf(after)]
  if (was === undefined || is === undefined || was === is) return undefined
  return `Note: the lines of ${path} ended with ${named(was)} and now end with ${named(is)}.`
}

function styleOf({ endings }: TextDocument): Style | undefined {
  const kinds = new Set(endings)
  kinds.delete('')
  const [first, ...others] = kinds
  if (others.length > 0) return 'mixed line endings'
  switch (first) {
    case '\n':
      return 'LF'
    case '\r\n':
      return 'CRLF'
    case '\r':
      return 'CR'
    default:
      return undefined
  }
}

function named(style: Style): string {
  return style === 'mixed line endings' ? 'more than one kind of ending' : style
}
