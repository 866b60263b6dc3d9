// Decodes bytes once, and keeps every byte that is not edited: a document stores its BOM and the ending of each line as data beside the
// lines, instead of one guess for the whole file.

/** How a line ends. Only the last line of a document may end with ''. */
export type LineEnding = '\n' | '\r\n' | '\r' | ''

/**
 * A text as lines, without loss. `lines` and `endings` have equal lengths; an empty file has no lines, "a\n" is `['a']` and `['\n']`. No
 * line contains CR or LF.
 */
export interface TextDocument {
  readonly bom: boolean
  readonly lines: readonly string[]
  readonly endings: readonly LineEnding[]
}

/** `offset` is the 0-based index of the first byte that is not text. */
interface Binary {
  readonly kind: 'binary'
  readonly reason: 'null-byte' | 'invalid-utf8'
  readonly offset: number
}

export type DecodedText = { readonly kind: 'text'; readonly document: TextDocument } | Binary
export type DecodedUtf8 = { readonly kind: 'text'; readonly text: string } | Binary

export const byteOrderMark = '\uFEFF'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Decodes strict UTF-8. With a null byte anywhere it is binary, as in git and ripgrep. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const decoded = decodeUtf8(bytes)
  return decoded.kind === 'text' ? { kind: 'text', document: documentOf(decoded.text) } : decoded
}

/** The same without splitting into lines. The text keeps its BOM. */
export function decodeUtf8(bytes: Uint8Array): DecodedUtf8 {
  const nullOffset = bytes.indexOf(0)
  if (nullOffset !== -1) return { kind: 'binary', reason: 'null-byte', offset: nullOffset }
  try {
    return { kind: 'text', text: decoder.decode(bytes) }
  } catch {
    return { kind: 'binary', reason: 'invalid-utf8', offset: invalidUtf8Offset(bytes) }
  }
}

/** Splits a text at LF, CRLF and lone CR. One leading U+FEFF becomes `bom`. */
export function documentOf(text: string): TextDocument {
  const bom = text.startsWith(byteOrderMark)
  const body = bom ? text.slice(1) : text
  if (body === '') return { bom, lines: [], endings: [] }
  return body.includes('\r') ? splitMixed(body, bom) : splitAtLineFeeds(body, bom)
}

/** Encodes a document to its exact bytes. Half of a surrogate pair becomes U+FFFD; text that was decoded from bytes has none. */
export function encodeText(document: TextDocument): Uint8Array {
  return encoder.encode(textOf(document))
}

/** The exact text, with BOM and endings. */
export function textOf(document: TextDocument): string {
  const { lines, endings } = document
  // Most files have one kind of line ending, for which the engine's join is several times faster than a loop.
  const [ending = ''] = endings
  let uniform = 0
  while (uniform < endings.length - 1 && endings[uniform] === ending) uniform++
  if (uniform >= endings.length - 1) return (document.bom ? byteOrderMark : '') + lines.join(ending) + (endings.at(-1) ?? '')
  const parts: string[] = document.bom ? [byteOrderMark] : []
  for (let index = 0; index < lines.length; index++) parts.push(lines[index] ?? '', endings[index] ?? '')
  return parts.join('')
}

/** The text without BOM and with every ending as LF: hashline tags are computed from it. */
export function normalizedText(document: TextDocument): string {
  return document.lines.join('\n') + (endsWithNewline(document) ? '\n' : '')
}

/** {@link normalizedText} of the document of `text`; most texts have that form, and are not built again. */
export function normalizedFrom(text: string, document: TextDocument): string {
  return document.bom || text.includes('\r') ? normalizedText(document) : text
}

/** Whether the last line is terminated. False for an empty document. */
export function endsWithNewline(document: TextDocument): boolean {
  return (document.endings.at(-1) ?? '') !== ''
}

/** The most frequent ending; the first to appear on a tie; LF if there is none. */
export function lineEndingOf(document: TextDocument): '\n' | '\r\n' | '\r' {
  const counts = new Map<'\n' | '\r\n' | '\r', number>()
  for (const ending of document.endings) {
    if (ending !== '') counts.set(ending, (counts.get(ending) ?? 0) + 1)
  }
  let best: '\n' | '\r\n' | '\r' = '\n'
  let bestCount = 0
  for (const [ending, count] of counts) {
    if (count > bestCount) {
      best = ending
      bestCount = count
    }
  }
  return best
}

// Most files contain no CR, and the engine's split is then several times faster than a loop.
function splitAtLineFeeds(body: string, bom: boolean): TextDocument {
  const lines = body.split('\n')
  const isTerminated = lines.at(-1) === ''
  if (isTerminated) lines.pop()
  const endings = Array.from<LineEnding>({ length: lines.length }).fill('\n')
  if (!isTerminated) endings[endings.length - 1] = ''
  return { bom, lines, endings }
}

function splitMixed(body: string, bom: boolean): TextDocument {
  const lines: string[] = []
  const endings: LineEnding[] = []
  let start = 0
  let lineFeed = body.indexOf('\n')
  let carriageReturn = body.indexOf('\r')
  while (lineFeed !== -1 || carriageReturn !== -1) {
    const isReturnFirst = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed)
    const end = isReturnFirst ? carriageReturn : lineFeed
    const ending: LineEnding = isReturnFirst ? (lineFeed === carriageReturn + 1 ? '\r\n' : '\r') : '\n'
    lines.push(body.slice(start, end))
    endings.push(ending)
    start = end + ending.length
    if (lineFeed !== -1 && lineFeed < start) lineFeed = body.indexOf('\n', start)
    if (carriageReturn !== -1 && carriageReturn < start) carriageReturn = body.indexOf('\r', start)
  }
  if (start < body.length) {
    lines.push(body.slice(start))
    endings.push('')
  }
  return { bom, lines, endings }
}

/**
 * Finds the first byte of `bytes` that is not valid UTF-8 (Unicode, section 3.9, table 3-7). Called only for invalid bytes, to
 * report an error.
 */
function invalidUtf8Offset(bytes: Uint8Array): number {
  let offset = 0
  while (offset < bytes.length) {
    const lead = bytes[offset] ?? 0
    const length =
      lead < 0x80 ? 1 : lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
    if (length === 0) return offset
    for (let index = 1; index < length; index++) {
      const byte = bytes[offset + index] ?? 0
      // Overlong forms, surrogates and codes above U+10FFFF are visible in the second byte.
      const low = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
      const high = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
      if (byte < low || byte > high) return offset
    }
    offset += length
  }
  return offset
}
