// The places of a program that can be reached without reading, each with the kinds of neighbour that may come next. This is the inner loop
// for hostile patterns, so it uses flat arrays.

import { anyKind, isMember, kindBits } from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import { matchIndex, type Program } from './program.ts'

/** A match, whatever comes next. */
export const certainMatch: number = (matchIndex << kindBits) | anyKind

export function placeOf(place: number): number {
  return place >> kindBits
}

export function kindsOf(place: number): number {
  return place & anyKind
}

export interface Closure {
  /** Valid from `finish` to `begin`: instruction and kinds in one number; the match is first if it is reached. */
  readonly places: Int32Array
  readonly count: () => number
  /** Starts a set of places after a character of `previousKind`. */
  readonly begin: (previousKind: number) => void
  readonly add: (instruction: number) => void
  /** Adds the successors of each of `from` that reads a character with these `members` and `kind`. */
  readonly read: (from: Int32Array, kind: number, members: Uint8Array) => void
  /** Returns the number of steps since `begin`. */
  readonly finish: () => number
}

const opSet = 0
const opMatch = 1
const opSplit = 2
const opAssertion = 3

export function createClosure({ instructions }: Program): Closure {
  const size = instructions.length
  const ops = new Uint8Array(size)
  const next = new Int32Array(size)
  const other = new Int32Array(size)
  for (const [index, instruction] of instructions.entries()) {
    ops[index] = { set: opSet, match: opMatch, split: opSplit, save: opSplit, assertion: opAssertion }[instruction.kind]
    if (instruction.kind !== 'match') next[index] = instruction.next
    if (instruction.kind === 'save') other[index] = instruction.next
    if (instruction.kind === 'split') other[index] = instruction.other
    if (instruction.kind === 'set') other[index] = instruction.set
  }
  const assertions = instructions.map(instruction => (instruction.kind === 'assertion' ? instruction.assertion : undefined))

  /** Kinds allowed so far, by instruction. */
  const allowed = new Uint8Array(size)
  const reached = new Int32Array(size)
  const places = new Int32Array(size)
  const pending: number[] = []
  let reachedCount = 0
  let placeCount = 0
  let behind = 0
  let work = 0

  /** A place may be reached several times with different allowed kinds; the result is their union. */
  function visit(place: number, kinds: number): void {
    const before = allowed[place] ?? 0
    const after = before | kinds
    if (after === before) return
    if (before === 0) reached[reachedCount++] = place
    allowed[place] = after
    work++
    if ((ops[place] ?? 0) >= opSplit) pending.push((place << kindBits) | after)
  }

  function add(instruction: number): void {
    visit(instruction, anyKind)
    while (pending.length > 0) {
      const top = pending.pop() ?? 0
      const place = placeOf(top)
      if (ops[place] === opSplit) {
        visit(next[place] ?? 0, kindsOf(top))
        visit(other[place] ?? 0, kindsOf(top))
      } else {
        const assertion = assertions[place]
        if (assertion !== undefined) visit(next[place] ?? 0, kindsOf(top) & kindsAllowedAfter(assertion, behind))
      }
    }
  }

  return {
    places,
    count: () => placeCount,
    begin(previousKind) {
      behind = previousKind
      reachedCount = 0
      work = 0
    },
    add,
    read(from, kind, members) {
      for (let index = 0; index < from.length; index++) {
        const place = from[index] ?? 0
        const instruction = placeOf(place)
        if ((place & kind) !== 0 && ops[instruction] === opSet && isMember(members, other[instruction] ?? 0)) {
          add(next[instruction] ?? 0)
        }
      }
    },
    finish() {
      placeCount = 0
      if (allowed[matchIndex] !== 0) places[placeCount++] = (matchIndex << kindBits) | (allowed[matchIndex] ?? 0)
      for (let index = 0; index < reachedCount; index++) {
        const place = reached[index] ?? 0
        if (ops[place] === opSet) places[placeCount++] = (place << kindBits) | (allowed[place] ?? 0)
        allowed[place] = 0
      }
      return work + reachedCount
    },
  }
}
