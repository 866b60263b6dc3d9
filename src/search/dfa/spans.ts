// Where matches begin and end, for patterns that name a line break: only then does it matter which lines a match covers. Threads run
// through the program side by side, in order of preference (Pike's simulation), so the time is text × program whatever the pattern.

import { type Alphabet, edgeClass, isMember } from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import { type Instruction, matchIndex, type Program } from './program.ts'
import { readCharacter } from './read-character.ts'

/** Byte offsets. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Of the character before `end`. */
  readonly kindBeforeEnd: number
}

/** Where a thread goes on, and where its match began. */
interface Thread {
  readonly place: number
  readonly start: number
}

/**
 * The first match at or behind `from`, the preferred one among those that begin there. Yields after every `workPerStep` instructions.
 * `previousKind` is the kind of the character before `from`.
 */
export function* firstSpan(
  { instructions, start: programStart }: Program,
  alphabet: Alphabet,
  bytes: Uint8Array,
  from: number,
  previousKind: number,
  workPerStep: number,
): Generator<undefined, Span | undefined, undefined> {
  // At which position an instruction was last tried: a second try there could find nothing new.
  const triedAt = new Int32Array(instructions.length).fill(-1)
  const stack: number[] = []
  let threads: Thread[] = []
  let found: Span | undefined
  let kindBefore = previousKind
  let work = 0
  for (let at = from; ;) {
    const character = at < bytes.length ? readCharacter(alphabet, bytes, at) : { classId: edgeClass, sizeBytes: 0 }
    const kind = alphabet.kindOf(character.classId)
    const members = alphabet.membersOf(character.classId)
    if (found === undefined) threads.push({ place: programStart, start: at })
    const next: Thread[] = []
    let isCut = false
    for (const thread of threads) {
      if (isCut) break
      stack.push(thread.place)
      for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
        if (triedAt[place] === at) continue
        triedAt[place] = at
        work++
        if (place === matchIndex) {
          found = { start: thread.start, end: at, kindBeforeEnd: kindBefore }
          // What comes after in the order is less preferred than this match.
          isCut = true
          stack.length = 0
          break
        }
        const instruction = instructions[place]
        if (instruction === undefined) continue
        if (instruction.kind === 'set') {
          if (isMember(members, instruction.set)) next.push({ place: instruction.next, start: thread.start })
        } else follow(instruction, kindBefore, kind, stack)
      }
    }
    if (at >= bytes.length || (found !== undefined && next.length === 0)) return found
    threads = next
    kindBefore = kind
    at += character.sizeBytes
    work++
    if (work >= workPerStep) {
      work = 0
      yield
    }
  }
}

function follow(instruction: Instruction, kindBefore: number, kindAfter: number, stack: number[]): void {
  if (instruction.kind === 'split') stack.push(instruction.other, instruction.next)
  else if (instruction.kind === 'assertion' && (kindsAllowedAfter(instruction.assertion, kindBefore) & kindAfter) !== 0) {
    stack.push(instruction.next)
  }
}
