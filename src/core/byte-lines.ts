// The lines of a large text. Only the shown lines are decoded, because strings of all lines need many times the memory of the bytes.

import type { LineEnding, TextDocument } from './text.ts'

const [lineFeed, carriageReturn] = [0x0a, 0x0d]
/** The index has one entry for this many lines. */
const stride = 256
/** Room for so many elements costs nothing worth mentioning. */
const roomyMaxLines = 100_000

export interface LinesAt {
  readonly start: number
  readonly end: number
}

export class ByteLines {
  readonly #bytes: Uint8Array
  /** The offset of each line whose number is `stride * n + 1`. */
  readonly #starts: number[] = []
  readonly count: number

  /** Invalid UTF-8 is decoded to U+FFFD. Lines end at LF, CRLF and lone CR. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    let count = 0
    for (let at = this.#hasMark ? 3 : 0; at < bytes.length; at = this.#nextLine(at)) {
      if (count % stride === 0) this.#starts.push(at)
      count++
    }
    this.count = count
  }

  /** UTF-16 units of lines `start` to `end`, 1-based and inclusive; with their endings if `isRaw`. */
  characters({ start, end }: LinesAt, isRaw: boolean): number {
    const stop = this.#startOf(end + 1)
    let characters = 0
    for (let at = this.#startOf(start); at < stop; at++) {
      const byte = this.#bytes[at] ?? 0
      if (!isRaw && (byte === lineFeed || byte === carriageReturn)) continue
      if (byte < 0x80 || byte >= 0xc0) characters += byte >= 0xf0 ? 2 : 1
    }
    return characters
  }

  /** All lines by number, with the texts of `wanted` only, and of each span no more than `maxBytes`. */
  document(wanted: readonly LinesAt[], maxBytes: number): TextDocument {
    const lines: string[] = []
    const endings: LineEnding[] = []
    if (this.count > roomyMaxLines) {
      // An array whose last element is set first keeps only the elements that are set. With a length alone, engines make room for all.
      ;[lines[this.count - 1], endings[this.count - 1]] = ['', '']
    } else {
      lines.length = this.count
      endings.length = this.count
    }
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    for (const { start, end } of wanted) {
      let at = this.#startOf(start)
      const stop = at + maxBytes
      for (let line = start; line <= Math.min(end, this.count) && at < stop; line++) {
        const next = this.#nextLine(at)
        const ending = this.#endingBefore(next, at)
        lines[line - 1] = decoder.decode(this.#bytes.subarray(at, Math.min(stop, next - ending.length)))
        endings[line - 1] = ending
        at = next
      }
    }
    return { bom: this.#hasMark, lines, endings }
  }

  get #hasMark(): boolean {
    return this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf
  }

  #startOf(line: number): number {
    const index = Math.max(0, line - 1)
    if (index >= this.count) return this.#bytes.length
    let at = this.#starts[Math.floor(index / stride)] ?? this.#bytes.length
    for (let left = index % stride; left > 0; left--) at = this.#nextLine(at)
    return at
  }

  #nextLine(at: number): number {
    for (let index = at; index < this.#bytes.length; index++) {
      const byte = this.#bytes[index]
      if (byte === lineFeed) return index + 1
      if (byte === carriageReturn) return this.#bytes[index + 1] === lineFeed ? index + 2 : index + 1
    }
    return this.#bytes.length
  }

  #endingBefore(next: number, start: number): LineEnding {
    const last = next > start ? this.#bytes[next - 1] : undefined
    if (last === carriageReturn) return '\r'
    if (last !== lineFeed) return ''
    return next - 1 > start && this.#bytes[next - 2] === carriageReturn ? '\r\n' : '\n'
  }
}

/** Whether the bytes are valid UTF-8 without a null byte. Makes no strings, which would need memory until they are collected. */
export function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead === 0) return false
    if (lead < 0x80) continue
    const more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    if (lead < 0xc2 || lead > 0xf4) return false
    // Forms that are too long, halves of surrogate pairs, and numbers above the last character.
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    const second = bytes[at + 1] ?? 0
    if (second < least || second > most) return false
    for (let index = 2; index <= more; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return false
    at += more
  }
  return true
}
