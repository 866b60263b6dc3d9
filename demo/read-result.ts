// What a model does when it reads a result: it finds the `[path#TAG]` header and the numbered rows below it, and quotes
// them in its next call. The scripted session does the same, so that it never knows a tag or a line number beforehand.

/** One numbered row: `12:text` of a read, `*12:text` for a match and ` 12:text` for context of a search. */
export interface ResultRow {
  readonly lineNumber: number
  readonly text: string
  readonly isMatch: boolean
}

/** One file as a result shows it. */
export interface ResultSection {
  readonly path: string
  readonly tag: string
  /** As shown: `[path#TAG]`. */
  readonly header: string
  readonly rows: readonly ResultRow[]
}

export type LineKind = 'header' | 'match' | 'context' | 'added' | 'removed' | 'plain'

const headerPattern = /^\[(.+)#([0-9A-F]{4})\]$/
const rowPattern = /^([* ]?)(\d+):(.*)$/
// A row of atomic's own diffs (`+12 text`), or of a unified one below its file names.
const diffPattern = /^(?:[+-] *\d+ |\+(?!\+\+ )|-(?!-- ))/

/** The kind of one line of a result, for its colour. `isDiff`: the result may contain the diff of an edit. */
export function lineKind(line: string, isDiff = false): LineKind {
  if (headerPattern.test(line)) return 'header'
  if (isDiff && diffPattern.test(line)) return line.startsWith('+') ? 'added' : 'removed'
  const row = rowPattern.exec(line)
  if (row === null) return 'plain'
  return row[1] === '*' ? 'match' : 'context'
}

/** The files that a result of `read`, `search`, `write` or `edit` shows, in order. Text before the first header is not a file. */
export function readSections(text: string): ResultSection[] {
  const sections: { path: string; tag: string; header: string; rows: ResultRow[] }[] = []
  for (const line of text.split('\n')) {
    const header = headerPattern.exec(line)
    if (header !== null) {
      sections.push({ path: header[1] ?? '', tag: header[2] ?? '', header: line, rows: [] })
      continue
    }
    const row = rowPattern.exec(line)
    if (row !== null) sections.at(-1)?.rows.push({ lineNumber: Number(row[2]), text: row[3] ?? '', isMatch: row[1] === '*' })
  }
  return sections
}

/** The first row of `section` whose text matches. Throws an error that names the pattern when there is none. */
export function findRow(section: ResultSection, pattern: RegExp): ResultRow {
  const row = section.rows.find(candidate => pattern.test(candidate.text))
  if (row === undefined)
    throw new Error(`No row of ${section.header} matches ${pattern.source}. The project has changed: adapt the session script.`)
  return row
}
