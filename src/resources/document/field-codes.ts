// The codes of fields in Word's formats (docx, rtf, doc): what a field shows is its result, and some need their code to be understood.

/** The target of a link field; `undefined` for other fields. */
export function linkOfField(instruction: string): string | undefined {
  const [, target, local] = /^\s*HYPERLINK\s+(?:\\[a-km-z]\s+)*(?:"([^"]*)")?(?:\s*\\l\s+"([^"]*)")?/i.exec(instruction) ?? []
  if (target === undefined && local === undefined) return undefined
  return `${target ?? ''}${local === undefined ? '' : `#${local}`}`
}

/**
 * The text of an equation field, which has no result: programs draw it from the code. A pronunciation above a text, the most frequent one, is
 * shown in parentheses after the text; other equations are shown as their code.
 */
export function textOfEquation(instruction: string): string | undefined {
  const [, code] = /^\s*EQ\s+([\s\S]*?)\s*$/i.exec(instruction) ?? []
  if (code === undefined) return undefined
  const [, reading, base] = /\\o\s*(?:\\a[clrd])?\s*\(\\s\\up\s*\d+\(([^()]*)\)\s*[,;]\s*([^()]*)\)$/i.exec(code) ?? []
  return base === undefined ? `[EQ ${code}]` : ruby(base, reading ?? '')
}

/** A text with its pronunciation. */
export function ruby(base: string, reading: string): string {
  return reading.trim() === '' ? base : `${base}(${reading.trim()})`
}
