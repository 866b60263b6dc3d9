// Models paste the output of read and search into write. The numbers are removed only if everything in the content is proved to be such
// output, by the snapshot that its header names. In doubt the content is kept, because a note is cheaper than a lost line.

import { documentOf, endsWithNewline, normalizedText } from '../../core/text.ts'
import { parseHeader, type Header } from './format.ts'

export type StrippedOutput =
  /** Unrelated to the output of a tool of this session. */
  | { readonly kind: 'unchanged' }
  /** `text` has LF endings. */
  | { readonly kind: 'stripped'; readonly text: string }
  /** It starts like copied output but is not only that: keep it unchanged, and pass `reason` on. */
  | { readonly kind: 'suspicious'; readonly reason: string }

/** The normal form of the snapshot that a header of this session names. */
export type SnapshotLookup = (path: string, tag: string) => string | undefined

/**
 * Recognises content that is one header, contiguous rows equal to the snapshot's lines, and the footers that tools print; a header alone
 * means the whole snapshot. The final newline is restored if the rows reach the end of a newline-terminated file.
 */
export function stripCopiedOutput(content: string, lookup: SnapshotLookup): StrippedOutput {
  // Most content is not copied, and splitting it would cost more than checking its start.
  if (!/^\uFEFF?[\s#[]/.test(content)) return { kind: 'unchanged' }
  const lines = normalizedText(documentOf(content)).split('\n')
  const found = findHeader(lines)
  if (found === undefined) return { kind: 'unchanged' }
  const snapshot = lookup(found.header.path, found.header.tag)
  if (snapshot === undefined) return { kind: 'unchanged' }
  return stripRows(lines.slice(found.index + 1), snapshot, found.hasBanner)
}

function findHeader(lines: readonly string[]): { header: Header; index: number; hasBanner: boolean } | undefined {
  let hasBanner = false
  for (const [index, line] of lines.entries()) {
    const header = parseHeader(line)
    if (header !== undefined) return { header, index, hasBanner }
    // search groups files below lines such as `# src/`.
    if (/^#{1,2} \S.*\/$/.test(line)) hasBanner = true
    else if (line.trim() !== '') return undefined
  }
  return undefined
}

function stripRows(lines: readonly string[], snapshot: string, hasBanner: boolean): StrippedOutput {
  const document = documentOf(snapshot)
  const texts: string[] = []
  let firstNumber = 0
  let isAfterRows = false
  for (const line of lines) {
    const row = parseRow(line)
    if (row === undefined) {
      if (!isChrome(line))
        return suspicious(
          parseHeader(line) === undefined ? 'it contains lines that no tool printed' : 'it contains more than one file',
        )
      isAfterRows = texts.length > 0
      continue
    }
    if (isAfterRows) return suspicious('its numbered rows are interrupted')
    if (texts.length === 0) firstNumber = row.lineNumber
    if (row.lineNumber !== firstNumber + texts.length) return suspicious('its numbered rows are not contiguous')
    // An empty file is shown as one empty row.
    const expected = document.lines[row.lineNumber - 1] ?? (document.lines.length === 0 && row.lineNumber === 1 ? '' : undefined)
    if (row.text !== expected) return suspicious(`its row ${row.lineNumber} differs from the file that the header names`)
    texts.push(row.text)
  }
  if (texts.length === 0) return hasBanner ? suspicious('it has a header but no rows') : { kind: 'stripped', text: snapshot }
  const reachesEnd = firstNumber + texts.length - 1 >= document.lines.length
  const isTerminated = (reachesEnd && endsWithNewline(document)) || (!reachesEnd && endsAtRow(lines))
  return { kind: 'stripped', text: texts.join('\n') + (isTerminated ? '\n' : '') }
}

/** Whether the content ends with its last row and a newline, without a footer: then the newline was written on purpose. */
function endsAtRow(lines: readonly string[]): boolean {
  return lines.at(-1) === '' && parseRow(lines.at(-2) ?? '') !== undefined
}

function parseRow(line: string): { readonly lineNumber: number; readonly text: string } | undefined {
  const match = /^[* ]?([1-9]\d{0,15}):/.exec(line)
  return match === null ? undefined : { lineNumber: Number(match[1]), text: line.slice(match[0].length) }
}

const chromePatterns: readonly RegExp[] = [
  /^\[\d+ more lines? in file\./,
  /^\[Showing lines /,
  /^Successfully wrote [\d,.]+ /,
  /^Resolved (?:\d+ conflicts?|conflict \d+)/,
  /^Note: stripped copied hashline/,
]

/** The lines that tools print around rows. */
function isChrome(line: string): boolean {
  return line.trim() === '' || chromePatterns.some(pattern => pattern.test(line))
}

function suspicious(reason: string): StrippedOutput {
  return { kind: 'suspicious', reason }
}
