// Fax rows in a TIFF: Modified Huffman, Group 3 in one and two dimensions, Group 4. A row is represented by the columns where its colour
// changes, white first. Every step consumes at least one bit, so the data limit the work. Source: ITU-T T.4 and T.6; TIFF 6.0, sections 10
// and 11.

import { blackCodes, whiteCodes, type RunCodes } from './ccitt-codes.ts'
import { ImageError } from './pixels.ts'

export interface FaxShape {
  readonly width: number
  readonly height: number
  /** `rows`: each begins at a byte. `group3`: has marks between rows. */
  readonly coding: 'rows' | 'group3' | 'group4'
  /** Whether rows of Group 3 may refer to the previous one. */
  readonly isTwoDimensional: boolean
}

/** By the next 13 bits: value × 16 + length of the code; 0 if no code begins like this. */
type Lookup = Uint32Array

const lookupBits = 13
const endOfLineZeros = 11
type Mode = 'pass' | 'horizontal' | number
/** A number is the distance of a change to the right of the one above. */
const modes: readonly (readonly [code: string, mode: Mode])[] = [
  ['1', 0],
  ['011', 1],
  ['010', -1],
  ['000011', 2],
  ['000010', -2],
  ['0000011', 3],
  ['0000010', -3],
  ['0001', 'pass'],
  ['001', 'horizontal'],
]
const modeLookup = lookupOf(new Map(modes.map(([code], index) => [code, index])))
const runLookups: readonly [white: Lookup, black: Lookup] = [lookupOf(whiteCodes), lookupOf(blackCodes)]

function lookupOf(codes: RunCodes): Lookup {
  const lookup = new Uint32Array(1 << lookupBits)
  for (const [code, value] of codes) {
    const from = Number.parseInt(code, 2) << (lookupBits - code.length)
    lookup.fill(value * 16 + code.length, from, from + (1 << (lookupBits - code.length)))
  }
  return lookup
}

/** One bit per pixel, set for black; rows are padded to whole bytes. Throws `ImageError`. */
export function decodeFax(bytes: Uint8Array, { width, height, coding, isTwoDimensional }: FaxShape): Uint8Array {
  const rowBytes = Math.ceil(width / 8)
  const out = new Uint8Array(rowBytes * height)
  const bits = new Bits(bytes)
  let above: readonly number[] = []
  for (let row = 0; row < height; row++) {
    let isFlat = coding !== 'group4'
    if (coding === 'rows') bits.toByte()
    // The bit after the mark selects the coding of the row.
    else if (coding === 'group3' && bits.skipEndOfLine() && isTwoDimensional) isFlat = bits.take(1) === 1
    above = withoutEmptyRuns(isFlat ? flatRow(bits, width) : rowByRowAbove(bits, width, above))
    blacken(out, row * rowBytes, above, width)
  }
  return out
}

class Bits {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Zeros after the end. */
  #peek(count: number): number {
    const byte = this.#at >> 3
    const word = ((this.#bytes[byte] ?? 0) << 16) | ((this.#bytes[byte + 1] ?? 0) << 8) | (this.#bytes[byte + 2] ?? 0)
    return (word >> (24 - (this.#at & 7) - count)) & ((1 << count) - 1)
  }

  take(count: number): number {
    const value = this.#peek(count)
    this.#at += count
    if (this.#at > this.#bytes.length * 8) throw new ImageError('image-damaged', 'its rows end too early')
    return value
  }

  code(lookup: Lookup): number {
    const found = lookup[this.#peek(lookupBits)] ?? 0
    if (found === 0) throw new ImageError('image-damaged', 'its rows contain an invalid code')
    this.take(found & 15)
    return found >>> 4
  }

  toByte(): void {
    this.#at = (this.#at + 7) & ~7
  }

  /** The mark is at least eleven zeros followed by a one. Returns `false` if there is none here. */
  skipEndOfLine(): boolean {
    if (this.#peek(endOfLineZeros) !== 0) return false
    while (this.take(1) === 0);
    return true
  }
}

function run(bits: Bits, colour: 0 | 1, width: number): number {
  let length = 0
  for (;;) {
    const part = bits.code(runLookups[colour])
    length += part
    if (length > width) throw new ImageError('image-damaged', 'a row of it is too long')
    if (part < 64) return length
  }
}

function flatRow(bits: Bits, width: number): readonly number[] {
  const changes: number[] = []
  let colour: 0 | 1 = 0
  for (let column = 0; column < width; colour = colour === 0 ? 1 : 0) {
    column += run(bits, colour, width - column)
    changes.push(column)
  }
  return changes
}

function rowByRowAbove(bits: Bits, width: number, above: readonly number[]): readonly number[] {
  const changes: number[] = []
  let colour: 0 | 1 = 0
  // Before the first column, so that a change there is to the right of it.
  let column = -1
  let index = 0
  while (column < width) {
    // The first change above that is further to the right and leads away from this colour. It never moves back by more than one.
    index = Math.max(0, index - 1)
    if ((index & 1) !== colour) index++
    while (index < above.length && (above[index] ?? width) <= column) index += 2
    const below = above[index] ?? width
    const mode = modes[bits.code(modeLookup)]?.[1] ?? 'pass'
    if (mode === 'pass') column = above[index + 1] ?? width
    else if (mode === 'horizontal') {
      const first = Math.max(0, column) + run(bits, colour, width - Math.max(0, column))
      column = first + run(bits, colour === 0 ? 1 : 0, width - first)
      changes.push(first, column)
    } else {
      const change = below + mode
      if (change < Math.max(0, column) || change > width) throw new ImageError('image-damaged', 'a row of it runs backwards')
      column = change
      changes.push(column)
      colour = colour === 0 ? 1 : 0
    }
  }
  return changes
}

/** A run without pixels does not change the colour, and the next row must not find a change there. */
function withoutEmptyRuns(changes: readonly number[]): readonly number[] {
  const kept: number[] = []
  for (const column of changes) {
    if (kept.at(-1) === column) kept.pop()
    else kept.push(column)
  }
  return kept
}

function blacken(out: Uint8Array, start: number, changes: readonly number[], width: number): void {
  for (let index = 0; index < changes.length; index += 2) {
    const end = Math.min(width, changes[index + 1] ?? width)
    for (let column = changes[index] ?? width; column < end; column++) {
      const at = start + (column >> 3)
      out[at] = (out[at] ?? 0) | (0x80 >> (column & 7))
    }
  }
}
