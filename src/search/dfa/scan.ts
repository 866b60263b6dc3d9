// Runs an automaton over bytes: one table lookup per ASCII byte, one per non-ASCII character. It checks for events only every four bytes,
// which works because "unknown" and "matched" are states that are never left. If building states costs too much, it continues with bit sets
// for a while, from the start of the line.

import { ToolError } from '../../core/errors.ts'
import { edgeClass, foreignClass, kindEdge } from './alphabet.ts'
import type { Automaton, SavedState } from './automaton.ts'
import { BitScan } from './bit-scan.ts'
import { readCharacter } from './read-character.ts'

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

export class Scan {
  readonly #automaton: Automaton
  readonly #bytes: Uint8Array
  #at = 0
  #state = 0
  #begunAt = 0
  #begunKind = kindEdge
  #bits: BitScan | undefined
  #isReadingBits = false

  constructor(automaton: Automaton, bytes: Uint8Array) {
    this.#automaton = automaton
    this.#bytes = bytes
  }

  /** The position of the next byte; after `matched`, of the byte that completed the match, which is in the match's line. */
  get at(): number {
    return this.#isReadingBits ? (this.#bits?.at ?? this.#at) : this.#at
  }

  /** Starts again at `offset`, as at the start of a line, or after a character of `previousKind`. */
  begin(offset: number, previousKind: number = kindEdge): void {
    const automaton = this.#automaton
    this.#at = offset
    this.#begunAt = offset
    this.#begunKind = previousKind
    this.#isReadingBits = false
    if (automaton.restBytes > 0) this.#readBits()
    else this.#state = previousKind === kindEdge ? automaton.start() : automaton.startAfter(previousKind)
  }

  /**
   * Reads up to `to`, or until `maxWork` steps were spent on new states; then it can continue from there. Throws `ToolError` if the pattern
   * is too large for the text.
   */
  run(to: number, maxWork: number): 'matched' | 'more' {
    const automaton = this.#automaton
    const workLimit = automaton.work + maxWork
    for (;;) {
      const workLeft = workLimit - automaton.work
      const reader = this.#isReadingBits ? this.#bits : undefined
      const outcome = reader === undefined ? this.#runStates(to, workLeft) : this.#runBits(reader, to, workLeft)
      if (outcome === 'matched') return outcome
      if (this.at >= to || automaton.work > workLimit) return 'more'
    }
  }

  /** Treats the end of the text read as the end: whether there is a match. */
  endsInMatch(): boolean {
    if (this.#isReadingBits && this.#bits !== undefined) return this.#bits.endsInMatch()
    const automaton = this.#automaton
    const known = automaton.table[this.#state + edgeClass] ?? 0
    return (known === 0 ? automaton.step(this.#state, edgeClass) : known) === automaton.matched
  }

  /** Lets other scans use the automaton. Call the returned function before this scan continues. */
  suspend(): () => void {
    // Bit sets belong to this scan, so others do not affect them.
    if (this.#isReadingBits) return () => {}
    const saved: SavedState = this.#automaton.save(this.#state)
    return () => {
      this.#state = this.#automaton.restore(saved)
    }
  }

  /** Reads one character, the slow way. True if it completed a match; `at` is then its start. */
  #readOne(): boolean {
    const automaton = this.#automaton
    const start = this.#at
    let classId = automaton.alphabet.classOfByte[this.#bytes[start] ?? 0] ?? 0
    if (classId === foreignClass) {
      const character = readCharacter(automaton.alphabet, this.#bytes, start)
      classId = character.classId
      this.#at += character.sizeBytes
    } else this.#at++
    // A new class may be beyond the row's width.
    const known = classId < automaton.width ? (automaton.table[this.#state + classId] ?? 0) : 0
    this.#state = known === 0 ? automaton.step(this.#state, classId) : known
    if (this.#state !== automaton.matched) return false
    this.#at = start
    return true
  }

  /** A bit set cannot continue from a state, so it starts again at the start of the line; there was no match since then. */
  #readBits(): void {
    const automaton = this.#automaton
    const begunAt = this.#begunAt
    const lineFeedAt = automaton.scope === 'line' && this.#at > begunAt ? this.#bytes.lastIndexOf(10, this.#at - 1) : -1
    this.#bits ??= new BitScan(automaton.bits(), automaton.alphabet, this.#bytes, automaton.scope)
    this.#bits.begin(Math.max(lineFeedAt + 1, begunAt), lineFeedAt >= begunAt ? kindEdge : this.#begunKind)
    this.#isReadingBits = true
  }

  #runBits(reader: BitScan, to: number, maxWork: number): 'matched' | 'line-start' | 'more' {
    const automaton = this.#automaton
    const from = reader.at
    const costBefore = reader.cost
    const outcome = reader.run(to, from + automaton.restBytes, maxWork * wordsPerStep)
    const { at } = reader
    this.#at = at
    const steps = (reader.cost - costBefore) / wordsPerStep
    automaton.work += steps
    automaton.restBytes -= at - from
    automaton.budget = Math.max(automaton.budget, 0) + Math.max(retryShare * steps, budgetPerByte * (at - from))
    if (outcome === 'line-start') {
      automaton.restBytes = 0
      this.begin(at)
    }
    return outcome
  }

  #runStates(to: number, maxWork: number): 'matched' | 'more' {
    const automaton = this.#automaton
    if (this.#state === automaton.matched) return 'matched'
    const bytes = this.#bytes
    const { classOfByte } = automaton.alphabet
    const lastQuad = to - 3
    const workLimit = automaton.work + maxWork
    let { table, matched } = automaton
    while (this.#at < to) {
      const from = this.#at
      let current = this.#state
      let index = from
      while (index < lastQuad) {
        const first = table[current + (classOfByte[bytes[index] ?? 0] ?? 0)] ?? 0
        const second = table[first + (classOfByte[bytes[index + 1] ?? 0] ?? 0)] ?? 0
        const third = table[second + (classOfByte[bytes[index + 2] ?? 0] ?? 0)] ?? 0
        const fourth = table[third + (classOfByte[bytes[index + 3] ?? 0] ?? 0)] ?? 0
        if (fourth <= matched) break
        current = fourth
        index += 4
      }
      this.#at = index
      this.#state = current
      // An event occurs in these four bytes, or they are the last.
      const quadEnd = Math.min(index + 4, to)
      while (this.#at < quadEnd) if (this.#readOne()) return 'matched'
      automaton.budget = Math.min(automaton.budget + budgetPerByte * (this.#at - from), maxBudget)
      if (automaton.budget < 0 && automaton.bits().isTooLarge()) {
        if (automaton.work > maxWorkWithoutBits) throw tooLarge()
        automaton.budget = maxBudget
      } else if (automaton.budget < 0) {
        automaton.restBytes = Math.min(maxRestBytes, Math.ceil(restCost / automaton.bits().wordCount))
        this.#readBits()
        return 'more'
      }
      if (automaton.work > workLimit) return 'more'
      table = automaton.table
      matched = automaton.matched
    }
    return 'more'
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
