// Editing by literal text, for the toolsets whose edits name the old text: no pattern syntax, no `$` in the replacement means anything.

export interface Replaced {
  readonly text: string
  readonly count: number
}

/** The whole lines that the first occurrence of `search` lies in; `undefined` when there is none. */
export function linesOfOccurrence(text: string, search: string): string | undefined {
  const at = indexFrom(text, search, 0)
  if (at === -1) return undefined
  const end = text.indexOf('\n', at + search.length - 1)
  return text.slice(at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1, end === -1 ? text.length : end + 1)
}

/** How often `search` occurs without overlaps. `search` must not be empty. */
export function countOccurrences(text: string, search: string): number {
  let count = 0
  for (let at = indexFrom(text, search, 0); at !== -1; at = indexFrom(text, search, at + search.length)) count++
  return count
}

/** `text` with the first or with every occurrence replaced; those made by `replacement` are left alone. */
export function replaceOccurrences(text: string, search: string, replacement: string, which: 'first' | 'all'): Replaced {
  const parts: string[] = []
  let end = 0
  let count = 0
  for (let at = indexFrom(text, search, 0); at !== -1; at = indexFrom(text, search, end)) {
    parts.push(text.slice(end, at), replacement)
    end = at + search.length
    count++
    if (which === 'first') break
  }
  parts.push(text.slice(end))
  return { text: parts.join(''), count }
}

/** The 1-based numbers of the lines in which occurrences begin, at most `limit`. */
export function occurrenceLines(text: string, search: string, limit: number): readonly number[] {
  const lineNumbers: number[] = []
  let lineNumber = 1
  let counted = 0
  for (let at = indexFrom(text, search, 0); at !== -1; at = indexFrom(text, search, at + search.length)) {
    if (lineNumbers.length === limit) break
    for (let feed = text.indexOf('\n', counted); feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) lineNumber++
    counted = at
    lineNumbers.push(lineNumber)
  }
  return lineNumbers
}

/** Why a text that looks as if it were there is not: one sentence, or `undefined` when nothing like it is there. */
export function explainMissing(text: string, search: string): string | undefined {
  if (search.includes('\n') && !search.includes('\r\n') && text.includes(search.replaceAll('\n', '\r\n'))) {
    return 'The file has CRLF line endings: write \\r\\n where a line ends.'
  }
  if (search.includes('\r\n') && text.includes(search.replaceAll('\r\n', '\n'))) {
    return 'The file has LF line endings: leave the \\r out.'
  }
  const lines = search.split('\n')
  const withoutNumbers = lines.map(line => line.replace(/^ *\d+\t/, ''))
  if (withoutNumbers.some((line, index) => line !== lines[index]) && text.includes(withoutNumbers.join('\n'))) {
    return 'It is there without the line numbers, which are not part of the file.'
  }
  const wanted = lines
    .map(line => line.trim())
    .join('\n')
    .trim()
  if (wanted !== '' && trimmedLines(text).includes(wanted))
    return 'It is there with other white space at the start or end of its lines.'
  return undefined
}

function trimmedLines(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim())
    .join('\n')
}

function indexFrom(text: string, search: string, from: number): number {
  if (search === '') throw new Error('an empty text is everywhere')
  return text.indexOf(search, from)
}
