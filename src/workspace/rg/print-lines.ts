// Prints matching lines and their context as ripgrep does.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { colorReset, type ColoredPart, colorStart, isPlain } from './colors.ts'
import type { Block, MatchSpan } from './found.ts'
import type { PrintSettings } from './settings.ts'

const encoder = new TextEncoder()
const nothing: readonly MatchSpan[] = []

/** The printed form of a block or a context line. `spans` are positions in `bytes`. */
export interface Shown {
  readonly bytes: Uint8Array
  readonly spans: readonly MatchSpan[]
  /** The number of matches before replacement; `undefined` if matches were not searched for. */
  readonly matchCount: number | undefined
  readonly block: Block
  readonly isContext: boolean
}

interface LinePlace {
  readonly line: readonly [start: number, end: number]
  /** The number of lines before it. */
  readonly offset: number
}

export class LinePrinter {
  readonly #settings: PrintSettings
  readonly #write: (bytes: Uint8Array) => void
  readonly #style: (bytes: Uint8Array) => void
  #hasPrinted = false
  #path: Uint8Array | undefined
  #isFirstOfFile = true

  /** `style` receives the sequences that set and reset colours. */
  constructor(settings: PrintSettings, write: (bytes: Uint8Array) => void, style: (bytes: Uint8Array) => void) {
    this.#settings = settings
    this.#write = bytes => {
      this.#hasPrinted ||= bytes.length > 0
      write(bytes)
    }
    this.#style = style
  }

  /** `path` is `undefined` if it is not shown. */
  begin(path: string | undefined): void {
    this.#path = path === undefined ? undefined : encoder.encode(path)
    this.#isFirstOfFile = true
  }

  /** Between two runs of lines. */
  break(): void {
    const { contextSeparator, lineEnd } = this.#settings
    if (contextSeparator === undefined) return
    this.#write(contextSeparator)
    this.#write(lineEnd)
  }

  print(shown: Shown): void {
    this.#prelude()
    const { isMultiline, onlyMatching, perMatch } = this.#settings
    if (shown.spans.length === 0) {
      for (const { line, offset } of this.#linesOf(shown)) this.#whole(shown, line, offset, undefined, nothing)
    } else if (isMultiline && onlyMatching && !shown.isContext) this.#onlyMatchingAcross(shown)
    else if (isMultiline && perMatch && !shown.isContext) this.#perMatchAcross(shown)
    else if (isMultiline && !shown.isContext) {
      const column = (shown.spans[0]?.start ?? 0) + 1
      for (const { line, offset } of this.#linesOf(shown)) this.#whole(shown, line, offset, column, shown.spans)
    } else if (onlyMatching) {
      for (const span of shown.spans) {
        this.#fields(shown, shown.block.lineNumber, span.start, span.start + 1)
        this.#text(shown, [span.start, span.end], [span])
      }
    } else if (perMatch) {
      for (const span of shown.spans) this.#whole(shown, [0, shown.bytes.length], 0, span.start + 1, [span], span.start)
    } else this.#whole(shown, [0, shown.bytes.length], 0, (shown.spans[0]?.start ?? 0) + 1, shown.spans)
  }

  /** At the end of a file with binary data after a match. */
  binary(message: string): void {
    if (this.#path !== undefined) {
      this.#colored('path', this.#path)
      this.#write(encoder.encode(': '))
    }
    this.#write(encoder.encode(`${message}\n`))
  }

  /** What is printed before the first line of a file. */
  #prelude(): void {
    if (!this.#isFirstOfFile) return
    this.#isFirstOfFile = false
    const { heading, hasContext, contextSeparator, lineEnd, pathEnd } = this.#settings
    if (heading) {
      if (this.#hasPrinted) this.#write(lineEnd)
      if (this.#path !== undefined) {
        this.#colored('path', this.#path)
        this.#write(pathEnd ?? lineEnd)
      }
    } else if (hasContext && this.#hasPrinted && contextSeparator !== undefined) {
      this.#write(contextSeparator)
      this.#write(lineEnd)
    }
  }

  /** The lines of a block, as positions in its bytes. */
  *#linesOf({ bytes }: Shown): Generator<LinePlace, void, undefined> {
    let offset = 0
    for (let start = 0; start < bytes.length || (offset === 0 && !this.#settings.isMultiline); offset++) {
      const at = this.#settings.isMultiline ? bytes.indexOf(this.#settings.lineByte, start) : -1
      const next = at === -1 ? bytes.length : at + 1
      yield { line: [start, next], offset }
      start = next
      if (start >= bytes.length) return
    }
  }

  #whole(
    shown: Shown,
    line: readonly [number, number],
    offset: number,
    column: number | undefined,
    spans: readonly MatchSpan[],
    byteOffset: number = line[0],
  ): void {
    this.#fields(shown, shown.block.lineNumber + offset, byteOffset, column)
    this.#text(shown, line, spans)
  }

  /** Editors need the position where a match begins, so its first line is shown, and further ones only where that one is too long. */
  #perMatchAcross(shown: Shown): void {
    const lines = [...this.#linesOf(shown)]
    let first = 0
    for (const span of shown.spans) {
      while ((lines[first]?.line[1] ?? Infinity) <= span.start) first++
      for (let index = first; this.#isFurtherLineNeeded(shown, lines[index], span); index++);
    }
  }

  #isFurtherLineNeeded(shown: Shown, place: LinePlace | undefined, span: MatchSpan): boolean {
    if (place === undefined || place.line[0] >= span.end) return false
    const { line, offset } = place
    this.#fields(shown, shown.block.lineNumber + offset, line[0], Math.max(0, span.start - line[0]) + 1)
    const end = this.#endOf(shown.bytes, line)
    return !this.#text(shown, [line[0], end], [span])
  }

  #onlyMatchingAcross(shown: Shown): void {
    let index = 0
    for (const { line, offset } of this.#linesOf(shown)) {
      const end = this.#endOf(shown.bytes, line)
      // Blanks before the first match of a line are left out, others are not.
      let at = this.#startOf(shown.bytes, line[0], end)
      while (at < end) {
        const span = shown.spans[index]
        if (span === undefined) break
        if (span.end <= at) {
          if (index + 1 >= shown.spans.length) break
          index++
          continue
        }
        if (at < span.start) {
          at = Math.min(end, span.start)
          continue
        }
        const upto = Math.min(end, span.end)
        this.#fields(shown, shown.block.lineNumber + offset, span.start, span.start + 1)
        this.#text(shown, [at, upto], [span], at)
        at = upto
      }
    }
  }

  #endOf(bytes: Uint8Array, [start, end]: readonly [number, number]): number {
    if (end <= start || bytes[end - 1] !== this.#settings.lineByte) return end
    return this.#settings.lineEnd.length === 2 && end - 1 > start && bytes[end - 2] === 13 ? end - 2 : end - 1
  }

  /** Path, line number, column and offset, each with its separator. */
  #fields({ isContext, block }: Shown, lineNumber: number, byteOffset: number, column: number | undefined): void {
    const settings = this.#settings
    const separator = isContext ? settings.fieldContextSeparator : settings.fieldMatchSeparator
    if (this.#path !== undefined && !settings.heading) {
      this.#colored('path', this.#path)
      this.#write(settings.pathEnd ?? separator)
    }
    if (settings.lineNumber) {
      this.#colored('line', encoder.encode(String(lineNumber)))
      this.#write(separator)
    }
    if (settings.column && column !== undefined) {
      this.#colored('column', encoder.encode(String(column)))
      this.#write(separator)
    }
    if (settings.byteOffset) {
      this.#colored('column', encoder.encode(String(block.start + byteOffset)))
      this.#write(separator)
    }
  }

  /** Where the shown part of a line begins. A byte that ends lines is not a blank: with --crlf a `\r`, with --null-data no `\n`. */
  #startOf(bytes: Uint8Array, from: number, end: number): number {
    const { trim, lineEnd } = this.#settings
    let start = from
    while (trim && start < end && isBlank(bytes[start] ?? 0) && !lineEnd.includes(bytes[start] ?? 0)) start++
    return start
  }

  /** A part of a line, with a line ending even if the file has none. False if it is too long. */
  #text(
    shown: Shown,
    [from, end]: readonly [number, number],
    spans: readonly MatchSpan[],
    start: number = this.#startOf(shown.bytes, from, end),
  ): boolean {
    const { bytes } = shown
    const { maxColumns, lineByte, lineEnd, isMultiline } = this.#settings
    // Before matches are coloured, the length is that of the line as it is stored.
    const measured = end - (this.#colorsMatches(spans) ? from : start)
    if (maxColumns !== undefined && measured > maxColumns) {
      this.#exceeded(shown, [start, end], spans)
      return false
    }
    const isEnded = end > start && bytes[end - 1] === lineByte
    // A coloured line gets the ending that --crlf asks for, and so does a line whose matches are known with -U.
    const isRebuilt = this.#colorsMatches(spans) || (isMultiline && spans.length > 0)
    this.#withMatches(bytes, start, isRebuilt ? this.#endOf(bytes, [start, end]) : isEnded ? end - 1 : end, spans)
    this.#write(isEnded && !isRebuilt ? bytes.subarray(end - 1, end) : lineEnd)
    return true
  }

  #exceeded(shown: Shown, [start, next]: readonly [number, number], spans: readonly MatchSpan[]): void {
    const end = this.#endOf(shown.bytes, [start, next])
    const { maxColumns = 0, maxColumnsPreview, onlyMatching, lineEnd, isMultiline } = this.#settings
    const count = shown.matchCount ?? 0
    if (maxColumnsPreview) {
      // The line's ending counts as a character, but is not shown.
      const previewEnd = start + previewBytes(shown.bytes.subarray(start, next), maxColumns)
      this.#withMatches(shown.bytes, start, Math.min(previewEnd, end), spans)
      // Across lines and in colours, ripgrep knows only the matches that it prints.
      const remaining = (isMultiline || this.#colorsMatches(spans) ? spans : shown.spans).filter(
        span => span.start >= previewEnd && span.start < next,
      ).length
      this.#write(
        encoder.encode(
          count === 0 ? ' [... omitted end of long line]' : ` [... ${remaining} more ${remaining === 1 ? 'match' : 'matches'}]`,
        ),
      )
    } else if (shown.isContext) this.#write(encoder.encode('[Omitted long context line]'))
    else if (count === 0 || onlyMatching) this.#write(encoder.encode('[Omitted long matching line]'))
    else this.#write(encoder.encode(`[Omitted long line with ${count} matches]`))
    this.#write(lineEnd)
  }

  #colorsMatches(spans: readonly MatchSpan[]): boolean {
    const spec = this.#settings.colors?.match
    return spec !== undefined && !isPlain(spec) && spans.length > 0
  }

  #withMatches(bytes: Uint8Array, start: number, end: number, spans: readonly MatchSpan[]): void {
    const spec = this.#settings.colors?.match
    if (spec === undefined || !this.#colorsMatches(spans)) {
      this.#write(bytes.subarray(start, end))
      return
    }
    const { highlight } = this.#settings.colors ?? {}
    const rest = highlight === undefined || isPlain(highlight) ? undefined : encoder.encode(colorStart(highlight))
    let at = start
    if (rest !== undefined) this.#style(rest)
    for (const [index, span] of spans.entries()) {
      const from = Math.max(span.start, at)
      let to = Math.min(span.end, end)
      if (to <= from) continue
      // Matches that touch are coloured as one.
      for (let next = index + 1; spans[next]?.start === to && to < end; next++) to = Math.min(spans[next]?.end ?? to, end)
      this.#write(bytes.subarray(at, from))
      this.#style(encoder.encode(colorStart(spec)))
      this.#write(bytes.subarray(from, to))
      this.#style(rest ?? encoder.encode(colorReset))
      at = to
    }
    this.#write(bytes.subarray(at, end))
    if (rest !== undefined) this.#style(encoder.encode(colorReset))
  }

  #colored(part: ColoredPart, bytes: Uint8Array): void {
    const { colors } = this.#settings
    const look = colors === undefined ? '' : colorStart(colors[part])
    if (look !== '') this.#style(encoder.encode(look))
    this.#write(bytes)
    if (look !== '') this.#style(encoder.encode(colorReset))
  }
}

function isBlank(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13)
}

/** The length in bytes of the first characters, as users count them. A byte that is not text counts as a character. */
function previewBytes(bytes: Uint8Array, characters: number): number {
  let size = 0
  let count = 0
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(decodeText(bytes))) {
    if (count++ >= characters) break
    size += encodeText(segment).length
  }
  return size
}
