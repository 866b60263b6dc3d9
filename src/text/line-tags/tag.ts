// `LINE#ID|content`: a line named by its number and four hex digits of its content. The number distinguishes equal lines. The digits only
// detect outdated numbers and are not an identity: an edit must also know the line itself.

import { md5Hex } from '../../core/md5.ts'

export interface LineTag {
  /** 1-based. */
  readonly lineNumber: number
  /** Four lower-case hex digits. */
  readonly id: string
}

/** The ID of a line. Trailing blanks are ignored. */
export function lineTagId(lineNumber: number, line: string): string {
  return md5Hex(`${lineNumber}:${withoutTrailingBlanks(line)}`).slice(0, 4)
}

/** `10#a1b2|`, the prefix of the line. */
export function formatLineTag(lineNumber: number, line: string): string {
  return `${lineNumber}#${lineTagId(lineNumber, line)}|`
}

export type ParsedTag = { readonly kind: 'tag'; readonly tag: LineTag } | { readonly kind: 'refused'; readonly message: string }

/** Parses `10#A1B2`, also with the `|content` that a model may have copied. */
export function parseLineTag(text: string): ParsedTag {
  const match = /^\s*([^#]*)#([0-9a-f]{4})\s*(?:\|.*)?$/is.exec(text)
  if (match === null) return { kind: 'refused', message: `Invalid LINE#ID format: ${text}` }
  const [, number = '', id = ''] = match
  if (!/^\d{1,15}$/.test(number)) return { kind: 'refused', message: `Invalid line number in LINE#ID format: ${text}` }
  if (Number(number) === 0) return { kind: 'refused', message: `Line numbers are 1-based in LINE#ID format: ${text}` }
  return { kind: 'tag', tag: { lineNumber: Number(number), id: id.toLowerCase() } }
}

// The characters that Python's str.rstrip removes, from the end, so that a long run of blanks inside a line costs nothing.
const blanks = new Set('\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000')

export function withoutTrailingBlanks(line: string): string {
  let end = line.length
  while (end > 0 && isBlank(line[end - 1] ?? '')) end--
  return line.slice(0, end)
}

function isBlank(character: string): boolean {
  return blanks.has(character) || (character >= '\u2000' && character <= '\u200a')
}

export interface WithoutTags {
  readonly lines: readonly string[]
  readonly removed: number
  /** The number of lines that begin like a tagged one, with a tag that matches no known line; they were not changed. */
  readonly suspicious: number
}

/** Removes copied tags from the lines. A tag is known if it matches its own line, or the line of `document` with its number. */
export function withoutLineTags(lines: readonly string[], document: readonly string[]): WithoutTags {
  let removed = 0
  let suspicious = 0
  const bare = lines.map(line => {
    const match = /^([1-9]\d{0,14})#([0-9a-f]{4})\|/i.exec(line)
    if (match === null) return line
    const rest = line.slice(match[0].length)
    const [lineNumber, id] = [Number(match[1]), match[2]?.toLowerCase()]
    const there = document[lineNumber - 1]
    if (id !== lineTagId(lineNumber, rest) && (there === undefined || id !== lineTagId(lineNumber, there))) {
      suspicious++
      return line
    }
    removed++
    return rest
  })
  return { lines: bare, removed, suspicious }
}
