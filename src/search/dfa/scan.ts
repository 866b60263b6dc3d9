// Runs an automaton over bytes: one table lookup per ASCII byte, one per non-ASCII character. It checks for events only every four bytes,
// which works because "unknown" and "matched" are states that are never left. If building states costs too much, it continues with bit sets
// for a while, from the start of the line.

import { ToolError } from '../../core/errors.ts'
import { edgeClass, foreignClass, kindEdge } from './alphabet.ts'
import type { Automaton, SavedState } from './automaton.ts'
import { type BitScan, createBitScan } from './bit-scan.ts'
import { readCharacter } from './read-character.ts'

export interface Scan {
  /** The position of the next byte; after `matched`, of the byte that completed the match, which is in the match's line. */
  readonly at: () => number
  /** Starts again at `offset`, as at the start of a line, or after a character of `previousKind`. */
  readonly begin: (offset: number, previousKind?: number) => void
  /**
   * Reads up to `to`, or until `maxWork` steps were spent on new states; then it can continue from there. Throws `ToolError` if the pattern
   * is too large for the text.
   */
  readonly run: (to: number, maxWork: number) => 'matched' | 'more'
  /** Treats the end of the text read as the end: whether there is a match. */
  readonly endsInMatch: () => boolean
  /** Lets other scans use the automaton. Call the returned function before this scan continues. */
  readonly suspend: () => () => void
}

/** Each byte read allows this many steps for building states. */
const budgetPerByte = 2
const maxBudget = 200_000
/** Limits for reading without states before they are tried again, in words of bits and in bytes. */
const restCost = 1 << 20
const maxRestBytes = 1 << 16
/** The total limit for building states if reading without them would take too long: about 30 ms (2026, one slow core). */
const maxWorkWithoutBits = 3_000_000
/** The part of the cost of reading without states that may be spent on trying them again. */
const retryShare = 0.25
/** Words of bits that cost as much as one step of building states. */
const wordsPerStep = 8

export function scanBytes(automaton: Automaton, bytes: Uint8Array): Scan {
  const { alphabet } = automaton
  const { classOfByte } = alphabet
  let at = 0
  let state = 0
  let begunAt = 0
  let begunKind = kindEdge
  let bits: BitScan | undefined
  let isReadingBits = false

  /** Reads one character, the slow way. True if it completed a match; `at` is then its start. */
  function readOne(): boolean {
    const start = at
    let classId = classOfByte[bytes[at] ?? 0] ?? 0
    if (classId === foreignClass) {
      const character = readCharacter(alphabet, bytes, at)
      classId = character.classId
      at += character.sizeBytes
    } else at++
    // A new class may be beyond the row's width.
    const known = classId < automaton.width() ? (automaton.table[state + classId] ?? 0) : 0
    state = known === 0 ? automaton.step(state, classId) : known
    if (state !== automaton.matched) return false
    at = start
    return true
  }

  function begin(offset: number, previousKind: number): void {
    at = offset
    begunAt = offset
    begunKind = previousKind
    isReadingBits = false
    if (automaton.restBytes > 0) readBits()
    else state = previousKind === kindEdge ? automaton.start() : automaton.startAfter(previousKind)
  }

  /** A bit set cannot continue from a state, so it starts again at the start of the line; there was no match since then. */
  function readBits(): void {
    const lineFeedAt = automaton.scope === 'line' && at > begunAt ? bytes.lastIndexOf(10, at - 1) : -1
    bits ??= createBitScan(automaton.bits(), alphabet, bytes, automaton.scope)
    bits.begin(Math.max(lineFeedAt + 1, begunAt), lineFeedAt >= begunAt ? kindEdge : begunKind)
    isReadingBits = true
  }

  function runBits(reader: BitScan, to: number, maxWork: number): 'matched' | 'line-start' | 'more' {
    const from = reader.at()
    const costBefore = reader.cost()
    const outcome = reader.run(to, from + automaton.restBytes, maxWork * wordsPerStep)
    at = reader.at()
    const steps = (reader.cost() - costBefore) / wordsPerStep
    automaton.work += steps
    automaton.restBytes -= at - from
    automaton.budget = Math.max(automaton.budget, 0) + Math.max(retryShare * steps, budgetPerByte * (at - from))
    if (outcome === 'line-start') {
      automaton.restBytes = 0
      begin(at, kindEdge)
    }
    return outcome
  }

  function runStates(to: number, maxWork: number): 'matched' | 'more' {
    if (state === automaton.matched) return 'matched'
    const lastQuad = to - 3
    const workLimit = automaton.work + maxWork
    let { table, matched } = automaton
    while (at < to) {
      const from = at
      let current = state
      let index = at
      while (index < lastQuad) {
        const first = table[current + (classOfByte[bytes[index] ?? 0] ?? 0)] ?? 0
        const second = table[first + (classOfByte[bytes[index + 1] ?? 0] ?? 0)] ?? 0
        const third = table[second + (classOfByte[bytes[index + 2] ?? 0] ?? 0)] ?? 0
        const fourth = table[third + (classOfByte[bytes[index + 3] ?? 0] ?? 0)] ?? 0
        if (fourth <= matched) break
        current = fourth
        index += 4
      }
      at = index
      state = current
      // An event occurs in these four bytes, or they are the last.
      const quadEnd = Math.min(index + 4, to)
      while (at < quadEnd) if (readOne()) return 'matched'
      automaton.budget = Math.min(automaton.budget + budgetPerByte * (at - from), maxBudget)
      if (automaton.budget < 0 && automaton.bits().isTooLarge()) {
        if (automaton.work > maxWorkWithoutBits) throw tooLarge()
        automaton.budget = maxBudget
      } else if (automaton.budget < 0) {
        automaton.restBytes = Math.min(maxRestBytes, Math.ceil(restCost / automaton.bits().wordCount))
        readBits()
        return 'more'
      }
      if (automaton.work > workLimit) return 'more'
      table = automaton.table
      matched = automaton.matched
    }
    return 'more'
  }

  return {
    at: () => (isReadingBits ? (bits?.at() ?? at) : at),
    begin: (offset, previousKind = kindEdge) => begin(offset, previousKind),
    run(to, maxWork) {
      const workLimit = automaton.work + maxWork
      for (;;) {
        const outcome =
          isReadingBits && bits !== undefined
            ? runBits(bits, to, workLimit - automaton.work)
            : runStates(to, workLimit - automaton.work)
        if (outcome === 'matched') return outcome
        const isDone = isReadingBits ? (bits?.at() ?? to) >= to : at >= to
        if (isDone || automaton.work > workLimit) return 'more'
      }
    },
    endsInMatch() {
      if (isReadingBits && bits !== undefined) return bits.endsInMatch()
      const known = automaton.table[state + edgeClass] ?? 0
      return (known === 0 ? automaton.step(state, edgeClass) : known) === automaton.matched
    },
    suspend() {
      // Bit sets belong to this scan, so others do not affect them.
      if (isReadingBits) return () => {}
      const saved: SavedState = automaton.save(state)
      return () => {
        state = automaton.restore(saved)
      }
    },
  }
}

function tooLarge(): ToolError {
  return new ToolError(
    'invalid-pattern',
    'The pattern is too large for these texts once its counted repetitions are written out.',
    {
      nextStep: 'Use smaller counts, `*` or `+`.',
    },
  )
}
