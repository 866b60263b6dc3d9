// The places of a program that can be reached without reading, each with the kinds of neighbour that may come next. This is the inner loop
// for hostile patterns, so it uses flat arrays.

import { anyKind, isMember, kindBits } from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import type { Assertion } from '../regex/syntax.ts'
import { matchIndex, type Program } from './program.ts'

/** A match, whatever comes next. */
export const certainMatch: number = (matchIndex << kindBits) | anyKind

export function placeOf(place: number): number {
  return place >> kindBits
}

export function kindsOf(place: number): number {
  return place & anyKind
}

const opSet = 0
const opMatch = 1
const opSplit = 2
const opAssertion = 3

export class Closure {
  /** Valid from `finish` to `begin`: instruction and kinds in one number; the match is first if it is reached. */
  readonly places: Int32Array
  readonly #ops: Uint8Array
  readonly #next: Int32Array
  readonly #other: Int32Array
  readonly #assertions: readonly (Assertion | undefined)[]
  /** Kinds allowed so far, by instruction. */
  readonly #allowed: Uint8Array
  readonly #reached: Int32Array
  readonly #pending: number[] = []
  #reachedCount = 0
  #placeCount = 0
  #previousKind = 0
  #work = 0

  constructor({ instructions }: Program) {
    const size = instructions.length
    this.places = new Int32Array(size)
    this.#ops = new Uint8Array(size)
    this.#next = new Int32Array(size)
    this.#other = new Int32Array(size)
    this.#allowed = new Uint8Array(size)
    this.#reached = new Int32Array(size)
    this.#assertions = instructions.map(instruction => (instruction.kind === 'assertion' ? instruction.assertion : undefined))
    for (const [index, instruction] of instructions.entries()) {
      this.#ops[index] = { set: opSet, match: opMatch, split: opSplit, save: opSplit, assertion: opAssertion }[instruction.kind]
      if (instruction.kind !== 'match') this.#next[index] = instruction.next
      if (instruction.kind === 'save') this.#other[index] = instruction.next
      if (instruction.kind === 'split') this.#other[index] = instruction.other
      if (instruction.kind === 'set') this.#other[index] = instruction.set
    }
  }

  /** The number of {@link Closure.places}. */
  get count(): number {
    return this.#placeCount
  }

  /** Starts a set of places after a character of `previousKind`. */
  begin(previousKind: number): void {
    this.#previousKind = previousKind
    this.#reachedCount = 0
    this.#work = 0
  }

  add(instruction: number): void {
    this.#visit(instruction, anyKind)
    const pending = this.#pending
    while (pending.length > 0) {
      const top = pending.pop() ?? 0
      const place = placeOf(top)
      if (this.#ops[place] === opSplit) {
        this.#visit(this.#next[place] ?? 0, kindsOf(top))
        this.#visit(this.#other[place] ?? 0, kindsOf(top))
      } else {
        const assertion = this.#assertions[place]
        if (assertion !== undefined)
          this.#visit(this.#next[place] ?? 0, kindsOf(top) & kindsAllowedAfter(assertion, this.#previousKind))
      }
    }
  }

  /** Adds the successors of each of `from` that reads a character with these `members` and `kind`. */
  read(from: Int32Array, kind: number, members: Uint8Array): void {
    for (let index = 0; index < from.length; index++) {
      const place = from[index] ?? 0
      const instruction = placeOf(place)
      if ((place & kind) !== 0 && this.#ops[instruction] === opSet && isMember(members, this.#other[instruction] ?? 0)) {
        this.add(this.#next[instruction] ?? 0)
      }
    }
  }

  /** Returns the number of steps since `begin`. */
  finish(): number {
    const allowed = this.#allowed
    let count = 0
    if (allowed[matchIndex] !== 0) this.places[count++] = (matchIndex << kindBits) | (allowed[matchIndex] ?? 0)
    for (let index = 0; index < this.#reachedCount; index++) {
      const place = this.#reached[index] ?? 0
      if (this.#ops[place] === opSet) this.places[count++] = (place << kindBits) | (allowed[place] ?? 0)
      allowed[place] = 0
    }
    this.#placeCount = count
    return this.#work + this.#reachedCount
  }

  /** A place may be reached several times with different allowed kinds; the result is their union. */
  #visit(place: number, kinds: number): void {
    const before = this.#allowed[place] ?? 0
    const after = before | kinds
    if (after === before) return
    if (before === 0) this.#reached[this.#reachedCount++] = place
    this.#allowed[place] = after
    this.#work++
    if ((this.#ops[place] ?? 0) >= opSplit) this.#pending.push((place << kindBits) | after)
  }
}
