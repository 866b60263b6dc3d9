// Where matches begin and end, and the contents of their groups. Two passes over the text make it linear for every pattern. Backwards, an
// automaton finds at each character from which places of the program a match can be reached. Forwards, a walk takes the preferred one of
// these places, and so never has to backtrack. (Frisch and Cardelli, "Greedy regular expression matching".)

import { isMember, edgeClass, kindEdge, type Alphabet } from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import type { Assertion } from '../regex/syntax.ts'
import { matchIndex, type Program } from './program.ts'
import { readCharacter } from './read-character.ts'

/** Byte offsets. */
export interface Span {
  readonly start: number
  readonly end: number
  /** Start and end of each group at `2 * index`, -1 if it did not participate; 0 and 1 are the match. Empty without captures. */
  readonly groups: readonly number[]
}

/** Characters between two pauses; their places are kept at the same time: about 1 ms (2026). */
const blockSize = 4096
/** Limits for the sets of places that are kept beyond a block, in sets and in words. */
const maxStates = 10_000
const maxWords = 1 << 21

/** What can follow at a position: the places that read its character and can reach a match, and the kind of that character. */
interface State {
  readonly readers: Int32Array
  readonly kind: number
  /** By the class of the previous character. */
  readonly before: (Transition | undefined)[]
}

interface Transition {
  /** Every place from which a match can be reached here. */
  readonly alive: Int32Array
  readonly startsMatch: boolean
  readonly to: State
}

/** A part of the text as characters. `offsets` has one more entry than there are characters. */
interface Block {
  readonly offsets: Int32Array
  readonly classes: Int32Array
  count: number
  /** The transition at each character's start; filled backwards. */
  readonly transitions: Transition[]
}

/** Finds all matches of a program. It may be used for several texts, one after the other. */
export class SpanSearch {
  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #wordCount: number
  /** For each place, the places that lead to it without reading. */
  readonly #before: readonly (readonly number[])[]
  readonly #setPlaces: readonly (readonly [place: number, set: number, next: number])[]
  readonly #slotCount: number
  readonly #withoutCondition: { readonly alive: Int32Array; readonly startsMatch: boolean }
  #states = new Map<string, State>()
  #words = 0

  constructor(program: Program, alphabet: Alphabet, slotCount: number = 0) {
    this.#program = program
    this.#alphabet = alphabet
    this.#slotCount = slotCount
    const { instructions } = program
    this.#wordCount = (instructions.length + 31) >> 5
    const before: number[][] = instructions.map(() => [])
    const setPlaces: [number, number, number][] = []
    for (const [place, instruction] of instructions.entries()) {
      if (instruction.kind === 'set') setPlaces.push([place, instruction.set, instruction.next])
      else if (instruction.kind !== 'match') before[instruction.next]?.push(place)
      if (instruction.kind === 'split') before[instruction.other]?.push(place)
    }
    this.#before = before
    this.#setPlaces = setPlaces
    const alive = this.#leadingToMatch(new Int32Array(this.#wordCount), () => false)
    this.#withoutCondition = { alive, startsMatch: has(alive, program.start) }
  }

  /**
   * Calls `visit` for every match in the bytes from `start` to `end`, from left to right, until it returns false. Matches do not overlap,
   * and an empty match is never adjacent to the previous one. One that needs no condition is also found between the bytes of a character.
   * Bytes outside the range are not read. Yields between blocks.
   */
  *each(bytes: Uint8Array, start: number, end: number, visit: (span: Span) => boolean): Generator<undefined, void, undefined> {
    const starts = blockStarts(bytes, start, end)
    const atEnds = yield* this.#scanBackwards(bytes, starts, end)
    const walk: Walk = { lastEnd: -1, place: undefined, groups: [] }
    for (const [index, from] of starts.entries()) {
      const last = atEnds[index]
      if (last === undefined) return
      const block = this.#readBlock(bytes, from, starts[index + 1] ?? end)
      this.#forgetIfMany()
      this.#fill(block, this.#kept(last))
      const isOver = this.#walkBlock(block, walk, visit)
      if (isOver) return
      if (starts.length > 1) yield
    }
    this.#walkEnd(end, walk, visit)
  }

  /** The state after each block. */
  *#scanBackwards(bytes: Uint8Array, starts: readonly number[], end: number): Generator<undefined, readonly State[], undefined> {
    let state = this.#stateOf(new Int32Array(this.#wordCount), kindEdge)
    const atEnds: State[] = []
    for (let index = starts.length - 1; index >= 0; index--) {
      atEnds[index] = state
      // No state is needed before the first block.
      if (index === 0) break
      const block = this.#readBlock(bytes, starts[index] ?? 0, starts[index + 1] ?? end)
      this.#forgetIfMany()
      state = this.#fill(block, this.#kept(state))
      yield
    }
    return atEnds
  }

  /** Creates the same state again after all states were dropped. */
  #kept({ readers, kind }: State): State {
    return this.#stateOf(readers, kind)
  }

  #forgetIfMany(): void {
    if (this.#states.size < maxStates && this.#words < maxWords) return
    this.#states = new Map()
    this.#words = 0
  }

  #readBlock(bytes: Uint8Array, from: number, to: number): Block {
    const room = to - from
    const block: Block = { offsets: new Int32Array(room + 1), classes: new Int32Array(room), count: 0, transitions: [] }
    let at = from
    while (at < to) {
      const { classId, sizeBytes } = readCharacter(this.#alphabet, bytes, at)
      block.offsets[block.count] = at
      block.classes[block.count++] = classId
      at += sizeBytes
    }
    block.offsets[block.count] = at
    return block
  }

  /** Computes the transitions backwards from the end of the block, where the state is `last`; returns the state at its start. */
  #fill(block: Block, last: State): State {
    let state = last
    for (let index = block.count - 1; index >= 0; index--) {
      const transition = this.#transition(state, block.classes[index] ?? 0)
      // The transition after a character is stored at the next index.
      block.transitions[index + 1] = transition
      state = transition.to
    }
    block.transitions[0] = { alive: state.readers, startsMatch: false, to: state }
    return state
  }

  #transition(state: State, classBefore: number): Transition {
    const known = state.before[classBefore]
    if (known !== undefined) return known
    const kindBefore = this.#alphabet.kindOf(classBefore)
    const alive = this.#aliveAt(state, kindBefore)
    const readers = new Int32Array(this.#wordCount)
    const members = this.#alphabet.membersOf(classBefore)
    for (const [place, set, next] of this.#setPlaces) {
      if (has(alive, next) && isMember(members, set)) add(readers, place)
    }
    const startsMatch = has(alive, this.#program.start)
    const transition: Transition = { alive, startsMatch, to: this.#stateOf(readers, kindBefore) }
    state.before[classBefore] = transition
    this.#words += this.#wordCount
    return transition
  }

  #aliveAt({ readers, kind }: State, kindBefore: number): Int32Array {
    return this.#leadingToMatch(readers, assertion => (kindsAllowedAfter(assertion, kindBefore) & kind) !== 0)
  }

  /** Every place that leads to a match or to one of `readers`, where `holds` says which assertions are true. */
  #leadingToMatch(readers: Int32Array, holds: (assertion: Assertion) => boolean): Int32Array {
    const { instructions } = this.#program
    const alive = readers.slice()
    const pending: number[] = [matchIndex]
    add(alive, matchIndex)
    for (const [place] of this.#setPlaces) if (has(readers, place)) pending.push(place)
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      for (const before of this.#before[place] ?? []) {
        if (has(alive, before)) continue
        const instruction = instructions[before]
        if (instruction?.kind === 'assertion' && !holds(instruction.assertion)) continue
        add(alive, before)
        pending.push(before)
      }
    }
    return alive
  }

  #stateOf(readers: Int32Array, kind: number): State {
    const key = `${kind} ${readers.join()}`
    let state = this.#states.get(key)
    if (state === undefined) {
      state = { readers, kind, before: [] }
      this.#states.set(key, state)
      this.#words += this.#wordCount
    }
    return state
  }

  /** True if `visit` ended the search. */
  #walkBlock(block: Block, walk: Walk, visit: (span: Span) => boolean): boolean {
    for (let index = 0; index < block.count; index++) {
      const offset = block.offsets[index] ?? 0
      const { alive, startsMatch } = this.#behind(block, index, walk)
      if (!this.#step(walk, alive, startsMatch, offset, visit)) return true
      if (walk.place === undefined && this.#withoutCondition.startsMatch) {
        const next = block.offsets[index + 1] ?? offset
        if (next > offset + 1 && !this.#stepInside(walk, offset, next, visit)) return true
      }
      if (walk.place !== undefined) {
        const instruction = this.#program.instructions[walk.place]
        walk.place = instruction?.kind === 'set' ? instruction.next : undefined
      }
      walk.lastClass = block.classes[index]
    }
    return false
  }

  /** Finds the empty matches inside a character. False if `visit` ended the search. */
  #stepInside(walk: Walk, start: number, end: number, visit: (span: Span) => boolean): boolean {
    for (let offset = start + 1; offset < end; offset++) {
      if (!this.#step(walk, this.#withoutCondition.alive, true, offset, visit)) return false
    }
    return true
  }

  /** The transition at the start of a character; at the start of a block, it depends on the previous character. */
  #behind(block: Block, index: number, walk: Walk): Transition {
    if (index > 0) return block.transitions[index] ?? unreachable()
    const { to } = block.transitions[0] ?? unreachable()
    return this.#transition(to, walk.lastClass ?? edgeClass)
  }

  #walkEnd(end: number, walk: Walk, visit: (span: Span) => boolean): void {
    const state = this.#stateOf(new Int32Array(this.#wordCount), kindEdge)
    const { alive, startsMatch } = this.#transition(state, walk.lastClass ?? edgeClass)
    this.#step(walk, alive, startsMatch, end, visit)
  }

  /**
   * Continues the current match, or begins one, at `offset`, until a character must be read; then `walk.place` is the place that reads it.
   * False if `visit` ended the search.
   */
  #step(walk: Walk, alive: Int32Array, startsMatch: boolean, offset: number, visit: (span: Span) => boolean): boolean {
    for (;;) {
      if (walk.place === undefined) {
        if (!startsMatch) return true
        walk.groups = Array.from({ length: Math.max(2, this.#slotCount) }, () => -1)
        walk.groups[0] = offset
        walk.place = this.#program.start
      }
      const place = this.#follow(walk, alive, offset)
      walk.place = place
      if (place !== matchIndex) return true
      walk.place = undefined
      const start = walk.groups[0] ?? offset
      walk.groups[1] = offset
      const isEmpty = start === offset
      // An empty match directly after another match does not count; after an empty match, the next one begins a character later.
      const isWanted = !isEmpty || walk.lastEnd !== offset
      if (isWanted) walk.lastEnd = offset
      if (isWanted && !visit({ start, end: offset, groups: this.#slotCount === 0 ? [] : walk.groups })) return false
      if (isEmpty) return true
    }
  }

  /** The preferred place, reached without reading, that reads a character or is the match. */
  #follow(walk: Walk, alive: Int32Array, offset: number): number {
    const { instructions } = this.#program
    const tried = new Set<number>()
    const stack: (number | readonly [slot: number, value: number])[] = [walk.place ?? this.#program.start]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (typeof top !== 'number') {
        walk.groups[top[0]] = top[1]
        continue
      }
      if (tried.has(top) || !has(alive, top)) continue
      tried.add(top)
      const instruction = instructions[top]
      if (instruction === undefined || instruction.kind === 'set' || instruction.kind === 'match') return top
      if (instruction.kind === 'split') stack.push(instruction.other, instruction.next)
      else if (instruction.kind === 'save') {
        stack.push([instruction.slot, walk.groups[instruction.slot] ?? -1], instruction.next)
        walk.groups[instruction.slot] = offset
      } else stack.push(instruction.next)
    }
    return unreachable()
  }
}

/** The state of the walk between two characters. */
interface Walk {
  /** Where the last match ended. */
  lastEnd: number
  /** Where the current match continues. */
  place: number | undefined
  groups: number[]
  lastClass?: number | undefined
}

/** Every block begins with a character: a byte that is not a continuation byte always begins one. */
function blockStarts(bytes: Uint8Array, start: number, end: number): readonly number[] {
  const starts = [start]
  for (let at = start + blockSize; at < end; at += blockSize) {
    while (at < end && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
    // The two bytes of a line break may be one character.
    if (bytes[at] === 10) at++
    if (at < end) starts.push(at)
  }
  return starts
}

function has(set: Int32Array, place: number): boolean {
  return (((set[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

function add(set: Int32Array, place: number): void {
  set[place >> 5] = (set[place >> 5] ?? 0) | (1 << (place & 31))
}

function unreachable(): never {
  throw new Error('unreachable: a match that was found cannot be walked')
}
