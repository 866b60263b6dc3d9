// The public `documentOf`. The check of its argument is apart from text.ts, because the first read loads that file.

import { checkArguments } from './argument.ts'
import { documentOf as split, type TextDocument } from './text.ts'

/** Splits a text at LF, CRLF and lone CR. One leading U+FEFF becomes `bom`. Throws `wrong-argument` for anything but a text. */
export function documentOf(text: string): TextDocument {
  checkArguments('documentOf', [text], ['text'])
  return split(text)
}
