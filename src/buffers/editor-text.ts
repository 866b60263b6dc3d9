// A file's text as editors hold it: lines end at LF, and there is no byte order mark. What a file has instead is kept beside the text, and
// moves with its lines, so that saving changes only what was edited.

import { AnchorageError } from '../core/errors.ts'
import { byteOrderMark, decodeUtf8, documentOf, lineEndingOf, normalizedText } from '../core/text.ts'
import { mapPosition, type TextChange } from '../text/text-change.ts'

type Ending = '\n' | '\r\n' | '\r'

/** The form of a file around its text. */
export interface TextForm {
  readonly hasBom: boolean
  /** How most lines end, and all new ones. */
  readonly ending: Ending
  /** The line breaks of `text` that are different in the file: ascending positions. */
  readonly exceptions: readonly { readonly at: number; readonly ending: Ending }[]
}

export interface EditorText {
  /** With LF only. */
  readonly text: string
  readonly form: TextForm
}

export const plainForm: TextForm = { hasBom: false, ending: '\n', exceptions: [] }

/** `undefined` for bytes that are not UTF-8 text. */
export function decodeEditorText(bytes: Uint8Array): EditorText | undefined {
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'binary') return undefined
  if (!decoded.text.includes('\r')) {
    const hasBom = decoded.text.startsWith(byteOrderMark)
    return { text: hasBom ? decoded.text.slice(1) : decoded.text, form: { hasBom, ending: '\n', exceptions: [] } }
  }
  const document = documentOf(decoded.text)
  const ending = lineEndingOf(document)
  const exceptions: { at: number; ending: Ending }[] = []
  let at = 0
  for (const [index, line] of document.lines.entries()) {
    const own = document.endings[index] ?? ''
    at += line.length
    if (own !== '' && own !== ending) exceptions.push({ at, ending: own })
    at += 1
  }
  return { text: normalizedText(document), form: { hasBom: document.bom, ending, exceptions } }
}

/** Throws `AnchorageError` `invalid-text` for half of a surrogate pair, which UTF-8 cannot represent. */
export function encodeEditorText({ text, form }: EditorText): Uint8Array {
  if (!text.isWellFormed()) {
    throw new AnchorageError(
      'invalid-text',
      'The text contains half of a surrogate pair, which UTF-8 cannot represent. Nothing was written. Next: complete or remove that character.',
    )
  }
  return new TextEncoder().encode(fileText(text, form))
}

function fileText(text: string, { hasBom, ending, exceptions }: TextForm): string {
  const mark = hasBom ? byteOrderMark : ''
  if (exceptions.length === 0) return mark + (ending === '\n' ? text : text.replaceAll('\n', ending))
  const parts = [mark]
  let from = 0
  for (const { at, ending: own } of exceptions) {
    parts.push(text.slice(from, at).replaceAll('\n', ending), own)
    from = at + 1
  }
  parts.push(text.slice(from).replaceAll('\n', ending))
  return parts.join('')
}

/** The form of the text after `change`. The ending of a line that was removed is forgotten. */
export function formAfter(form: TextForm, change: TextChange, after: string): TextForm {
  if (form.exceptions.length === 0) return form
  const exceptions = form.exceptions.flatMap(({ at, ending }) => {
    const moved = mapPosition(at, change)
    // Its line break is still the one at its place if the break itself was kept.
    return mapPosition(at + 1, change, 'before') === moved + 1 && after[moved] === '\n' ? [{ at: moved, ending }] : []
  })
  return { ...form, exceptions }
}

export function isSameText(a: EditorText, b: EditorText): boolean {
  return a.text === b.text && isSameForm(a.form, b.form)
}

function isSameForm(a: TextForm, b: TextForm): boolean {
  return (
    a === b ||
    (a.hasBom === b.hasBom &&
      a.ending === b.ending &&
      a.exceptions.length === b.exceptions.length &&
      a.exceptions.every(({ at, ending }, index) => at === b.exceptions[index]?.at && ending === b.exceptions[index]?.ending))
  )
}
