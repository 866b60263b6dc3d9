// Runs an automaton over bytes: one table look-up for each byte of ASCII, one for each character beyond. Four bytes are read before
// asking whether anything happened, which is possible because "unknown" and "matched" are states that are never left. Where states
// cost more than they are worth, sets of bits read on for a while, from the start of the line.

import { ToolError } from '../../core/errors.ts'
import { edgeClass, foreignClass, kindEdge } from './alphabet.ts'
import type { Automaton, SavedState } from './automaton.ts'
import { type BitScan, createBitScan } from './bit-scan.ts'
import { readCharacter } from './read-character.ts'

export interface Scan {
  /** Where the next byte is read; after `matched`, the byte that made it certain, which belongs to the match's line. */
  readonly at: () => number
  /** Starts over at `offset`, as at the start of a line, or behind a character of `previousKind`. */
  readonly begin: (offset: number, previousKind?: number) => void
  /**
   * Reads up to `to`, or until `maxWork` steps were spent on new states; then it can go on where it stopped. Throws `ToolError` when
   * the pattern turns out to be too large for the text.
   */
  readonly run: (to: number, maxWork: number) => 'matched' | 'more'
  /** What was read is the end: whether it ends in a match. */
  readonly endsInMatch: () => boolean
  /** Others may use the automaton before this scan goes on. Ask before, and call the answer after. */
  readonly suspend: () => () => void
}

/** Steps that a byte read earns for the building of states. */
const budgetPerByte = 2
const maxBudget = 200_000
/** What is read without states before they are tried again: words of bits, and bytes at most. */
const restCost = 1 << 20
const maxRestBytes = 1 << 16
/** What building states may take in all where reading without them would take too long: about 30 ms (2026, one slow core). */
const maxWorkWithoutBits = 3_000_000
/** Of what reading without states costs, this part may be spent on trying them again. */
const retryShare = 0.25
/** Words of bits that cost what a step of building states costs. */
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

  /** One character, the slow way. True when it made a match certain; `at` is then where it begins. */
  function readOne(): boolean {
    const start = at
    let classId = classOfByte[bytes[at] ?? 0] ?? 0
    if (classId === foreignClass) {
      const character = readCharacter(alphabet, bytes, at)
      classId = character.classId
      at += character.sizeBytes
    } else at++
    // A class that was just found may lie beyond the row.
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

  /** A set of bits cannot go on from a state, so it starts over where the line began; nothing since then was a match. */
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
      // Something happens within these four bytes, or they are the last.
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
      // Sets of bits are this scan's own.
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
