// Reads text with bit sets (bit-program.ts): slower than a table of states, but equally fast for every text. A scan falls back to it for a
// pattern that keeps needing new states.

import { type Alphabet, edgeClass, foreignClass, kindEdge, newlineClass, returnClass } from './alphabet.ts'
import type { BitProgram, BitSet, BitTable, Shift } from './bit-program.ts'
import { readCharacter } from './read-character.ts'

export interface BitScan {
  readonly at: () => number
  readonly begin: (offset: number, previousKind: number) => void
  /**
   * Reads up to `to`, or until it spent `maxCost`. `matched`: `at` is the start of the character that completed the match. `line-start`:
   * `at` is after a line feed, at `leaveAt` or later.
   */
  readonly run: (to: number, leaveAt: number, maxCost: number) => 'matched' | 'line-start' | 'more'
  /** Treats the end of the text read as the end: whether there is a match. */
  readonly endsInMatch: () => boolean
  /** The number of words read so far. */
  readonly cost: () => number
}

export function createBitScan(program: BitProgram, alphabet: Alphabet, bytes: Uint8Array, scope: 'line' | 'text'): BitScan {
  const { classOfByte } = alphabet
  const isLineScope = scope === 'line'
  let current = new Int32Array(program.wordCount + 2)
  let next = new Int32Array(program.wordCount + 2)
  let at = 0
  let previousKind = kindEdge
  /** A lone `\r` ended the previous line; a line feed here belongs to that line ending. */
  let isAfterReturn = false
  let cost = 0

  const isMatched = (table: BitTable): boolean => table.matchesEmpty || meet(current, table.last)

  function startLine(isBehindReturn: boolean): void {
    current.fill(0)
    previousKind = kindEdge
    isAfterReturn = isBehindReturn
  }

  return {
    at: () => at,
    begin(offset, kind) {
      at = offset
      startLine(false)
      previousKind = kind
    },
    run(to, leaveAt, maxCost) {
      const costLimit = cost + maxCost
      while (at < to) {
        let classId = classOfByte[bytes[at] ?? 0] ?? 0
        let sizeBytes = 1
        if (classId === foreignClass) {
          const character = readCharacter(alphabet, bytes, at)
          classId = character.classId
          sizeBytes = character.sizeBytes
        }
        if (isLineScope && classId <= edgeClass) {
          const isRestOfBreak = isAfterReturn && classId === newlineClass
          if (!isRestOfBreak && isMatched(program.tableFor(previousKind, kindEdge))) return 'matched'
          startLine(classId === returnClass)
          at += sizeBytes
          if (classId === newlineClass && at >= leaveAt) return 'line-start'
          continue
        }
        isAfterReturn = false
        const kind = alphabet.kindOf(classId)
        const table = program.tableFor(previousKind, kind)
        if (isMatched(table)) return 'matched'
        readInto(next, current, table, program.readersOf(classId, alphabet.membersOf(classId)))
        const read = current
        current = next
        next = read
        previousKind = kind
        at += sizeBytes
        cost += table.stepCost
        if (cost > costLimit) return 'more'
      }
      return 'more'
    },
    endsInMatch: () => isMatched(program.tableFor(previousKind, kindEdge)),
    cost: () => cost,
  }
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
