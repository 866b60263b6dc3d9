// Runs an automaton over bytes: one table look-up for each byte of ASCII, one for each character beyond. Four bytes are read before
// asking whether anything happened, which is possible because "unknown" and "matched" are states that are never left.

import { edgeClass, foreignClass } from './alphabet.ts'
import type { Automaton, SavedState } from './automaton.ts'
import { readCharacter } from './read-character.ts'

export interface Scan {
  /** Where the next byte is read; after `matched`, the byte that made it certain, which belongs to the match's line. */
  readonly at: () => number
  /** Starts over at `offset`, as at the start of a line, or behind a character of `previousKind`. */
  readonly begin: (offset: number, previousKind?: number) => void
  /** Reads up to `to`, or until `maxWork` steps were spent on new states; then it can go on where it stopped. */
  readonly run: (to: number, maxWork: number) => 'matched' | 'more'
  /** What was read is the end: whether it ends in a match. */
  readonly endsInMatch: () => boolean
  /** Others may use the automaton before this scan goes on. Ask before, and call the answer after. */
  readonly suspend: () => () => void
}

export function scanBytes(automaton: Automaton, bytes: Uint8Array): Scan {
  const { alphabet } = automaton
  const { classOfByte } = alphabet
  let at = 0
  let state = 0

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

  return {
    at: () => at,
    begin(offset, previousKind) {
      at = offset
      state = previousKind === undefined ? automaton.start() : automaton.startAfter(previousKind)
    },
    run(to, maxWork) {
      if (state === automaton.matched) return 'matched'
      const lastQuad = to - 3
      const workLimit = automaton.work() + maxWork
      let { table, matched } = automaton
      while (at < to) {
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
        if (automaton.work() > workLimit) return 'more'
        table = automaton.table
        matched = automaton.matched
      }
      return 'more'
    },
    endsInMatch() {
      const known = automaton.table[state + edgeClass] ?? 0
      return (known === 0 ? automaton.step(state, edgeClass) : known) === automaton.matched
    },
    suspend() {
      const saved: SavedState = automaton.save(state)
      return () => {
        state = automaton.restore(saved)
      }
    },
  }
}
