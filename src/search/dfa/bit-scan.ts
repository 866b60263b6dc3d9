// Reads text with bit sets (bit-program.ts): slower than a table of states, but equally fast for every text. A scan falls back to it for a
// pattern that keeps needing new states.

import { type Alphabet, edgeClass, foreignClass, kindEdge, newlineClass, returnClass } from './alphabet.ts'
import type { BitProgram, BitSet, BitTable, Shift } from './bit-program.ts'
import { readCharacter } from './read-character.ts'

export class BitScan {
  readonly #program: BitProgram
  readonly #alphabet: Alphabet
  readonly #bytes: Uint8Array
  readonly #isLineScope: boolean
  #current: Int32Array
  #next: Int32Array
  #at = 0
  #previousKind = kindEdge
  /** A lone `\r` ended the previous line; a line feed here belongs to that line ending. */
  #isAfterReturn = false
  #cost = 0

  constructor(program: BitProgram, alphabet: Alphabet, bytes: Uint8Array, scope: 'line' | 'text') {
    this.#program = program
    this.#alphabet = alphabet
    this.#bytes = bytes
    this.#isLineScope = scope === 'line'
    this.#current = new Int32Array(program.wordCount + 2)
    this.#next = new Int32Array(program.wordCount + 2)
  }

  get at(): number {
    return this.#at
  }

  /** The number of words read so far. */
  get cost(): number {
    return this.#cost
  }

  begin(offset: number, previousKind: number): void {
    this.#at = offset
    this.#startLine(false)
    this.#previousKind = previousKind
  }

  /**
   * Reads up to `to`, or until it spent `maxCost`. `matched`: `at` is the start of the character that completed the match. `line-start`:
   * `at` is after a line feed, at `leaveAt` or later.
   */
  run(to: number, leaveAt: number, maxCost: number): 'matched' | 'line-start' | 'more' {
    const program = this.#program
    const alphabet = this.#alphabet
    const bytes = this.#bytes
    const costLimit = this.#cost + maxCost
    while (this.#at < to) {
      let classId = alphabet.classOfByte[bytes[this.#at] ?? 0] ?? 0
      let sizeBytes = 1
      if (classId === foreignClass) {
        const character = readCharacter(alphabet, bytes, this.#at)
        classId = character.classId
        sizeBytes = character.sizeBytes
      }
      if (this.#isLineScope && classId <= edgeClass) {
        const isRestOfBreak = this.#isAfterReturn && classId === newlineClass
        if (!isRestOfBreak && this.endsInMatch()) return 'matched'
        this.#startLine(classId === returnClass)
        this.#at += sizeBytes
        if (classId === newlineClass && this.#at >= leaveAt) return 'line-start'
        continue
      }
      this.#isAfterReturn = false
      const kind = alphabet.kindOf(classId)
      const table = program.tableFor(this.#previousKind, kind)
      if (isMatched(table, this.#current)) return 'matched'
      readInto(this.#next, this.#current, table, program.readersOf(classId, alphabet.membersOf(classId)))
      const read = this.#current
      this.#current = this.#next
      this.#next = read
      this.#previousKind = kind
      this.#at += sizeBytes
      this.#cost += table.stepCost
      if (this.#cost > costLimit) return 'more'
    }
    return 'more'
  }

  /** Treats the end of the text read as the end: whether there is a match. */
  endsInMatch(): boolean {
    return isMatched(this.#program.tableFor(this.#previousKind, kindEdge), this.#current)
  }

  #startLine(isBehindReturn: boolean): void {
    this.#current.fill(0)
    this.#previousKind = kindEdge
    this.#isAfterReturn = isBehindReturn
  }
}

function isMatched(table: BitTable, current: Int32Array): boolean {
  return table.matchesEmpty || meet(current, table.last)
}

function meet(left: Int32Array, { words, firstWord, lastWord }: BitSet): boolean {
  for (let word = firstWord; word <= lastWord; word++) if (((left[word] ?? 0) & (words[word] ?? 0)) !== 0) return true
  return false
}

/** Sets `to` to the places that may have read last, after the places `from` and a character that `readers` read. */
function readInto(to: Int32Array, from: Int32Array, { first, next, shifts, exceptions }: BitTable, readers: Int32Array): void {
  let carried = 0
  // The first and the last word are never part of the set.
  const end = to.length - 1
  for (let word = 1; word < end; word++) {
    const moved = (from[word] ?? 0) & (next[word] ?? 0)
    to[word] = ((moved << 1) | carried) & (readers[word] ?? 0)
    carried = moved >>> 31
  }
  for (let word = first.firstWord; word <= first.lastWord; word++) {
    to[word] = (to[word] ?? 0) | ((first.words[word] ?? 0) & (readers[word] ?? 0))
  }
  for (let index = 0; index < shifts.length; index++) {
    const shift = shifts[index]
    if (shift !== undefined) addShifted(to, from, shift, readers)
  }
  if (exceptions.length > 0) addExceptions(to, from, exceptions, readers)
}

function addShifted(to: Int32Array, from: Int32Array, { words, bits, places }: Shift, readers: Int32Array): void {
  const { words: mask, firstWord, lastWord } = places
  // JavaScript takes shift counts modulo 32.
  const bitsBeyond = 31 - bits
  let carried = 0
  let target = firstWord + words
  for (let word = firstWord; word <= lastWord; word++, target++) {
    const moved = (from[word] ?? 0) & (mask[word] ?? 0)
    to[target] = (to[target] ?? 0) | (((moved << bits) | carried) & (readers[target] ?? 0))
    carried = (moved >>> bitsBeyond) >>> 1
  }
  if (carried !== 0) to[target] = (to[target] ?? 0) | (carried & (readers[target] ?? 0))
}

function addExceptions(to: Int32Array, from: Int32Array, exceptions: Int32Array, readers: Int32Array): void {
  for (let index = 0; index < exceptions.length;) {
    const fromEnd = index + 1 + 2 * (exceptions[index] ?? 0)
    let isHit = false
    for (let pair = index + 1; pair < fromEnd && !isHit; pair += 2) {
      isHit = ((from[exceptions[pair] ?? 0] ?? 0) & (exceptions[pair + 1] ?? 0)) !== 0
    }
    index = fromEnd + 1 + 2 * (exceptions[fromEnd] ?? 0)
    if (!isHit) continue
    for (let pair = fromEnd + 1; pair < index; pair += 2) {
      const word = exceptions[pair] ?? 0
      to[word] = (to[word] ?? 0) | ((exceptions[pair + 1] ?? 0) & (readers[word] ?? 0))
    }
  }
}
