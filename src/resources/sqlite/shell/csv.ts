/** The records of a text with separators, in which a field in double quotes may hold any character. */
export function parseCsv(text: string, separator: string): string[][] {
  const records: string[][] = []
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length; at++) {
        if (text[at] !== '"') field += text[at] ?? ''
        else if (text[at + 1] === '"') {
          field += '"'
          at += 1
        } else break
      }
      at += 1
    }
    const begin = at
    while (at < text.length && text[at] !== '\n' && !text.startsWith(separator, at)) at += 1
    const isRecordEnd = at >= text.length || text[at] === '\n'
    const rest = text.slice(begin, at)
    fields.push(field + (isRecordEnd ? rest.replace(/\r$/, '') : rest))
    at += isRecordEnd ? 1 : separator.length
    if (isRecordEnd) {
      records.push(fields)
      fields = []
    } else if (at >= text.length) {
      records.push([...fields, ''])
      fields = []
    }
  }
  return records
}
