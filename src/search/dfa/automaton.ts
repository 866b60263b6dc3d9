// The program made deterministic, one state at a time and only for states that texts reach. A state is a set of places in the program, each
// with the kinds of neighbour that may come next, because an assertion depends on the next character. States are in a table of limited
// size, which is cleared when it is full. The cost of building states is limited too, in proportion to the text read: a pattern that keeps
// needing new states is read with bit sets instead (scan.ts).

import {
  type Alphabet,
  createAlphabet,
  edgeClass,
  firstFreeClass,
  kindEdge,
  kindInvalid,
  kindOther,
  kindWord,
  newlineClass,
  returnClass,
  type AlphabetOptions,
} from './alphabet.ts'
import { type BitProgram, createBitProgram } from './bit-program.ts'
import { certainMatch, Closure, kindsOf, placeOf } from './closure.ts'
import { createPlaceStore } from './place-store.ts'
import { compileProgram, matchIndex, type Program } from './program.ts'
import type { Node } from '../regex/syntax.ts'

/** Entries of the table, four bytes each. */
const maxTableEntries: number = 1 << 20
/** Places in all states together, four bytes each. */
const maxPlaces = 1 << 20
/** Steps for building states before anything was read, plus the same for each instruction of the program. */
const initialBudget = 200_000
const budgetPerInstruction = 50

export interface SavedState {
  readonly generation: number
  readonly state: number
  readonly places: Int32Array
  readonly isAfterReturn: boolean
}

/**
 * For patterns whose size was checked: `sizeOf` in program.ts. A state is the index of its row in the table. A row contains the next state
 * for each class, or 0 if it is not known yet.
 */
export class Automaton {
  readonly program: Program
  readonly alphabet: Alphabet
  readonly scope: AlphabetOptions['scope']
  /** May be replaced, so do not use it after the next {@link Automaton.step}. */
  table: Int32Array = new Int32Array(0)
  /** Reached as soon as the text read contains a match, whatever follows. Every other state is larger. */
  matched = 0
  /** Elementary steps for building states, or for reading without them: the cost of a hostile pattern. */
  work = 0
  /** Steps left for building states; below 0, the scan must read without them. */
  budget: number
  /** Bytes that are still to be read without states. */
  restBytes = 0
  readonly #closure: Closure
  readonly #isLineScope: boolean
  readonly #injectsMidLine: boolean
  #bits: BitProgram | undefined
  /** Increases when all states become invalid. */
  #generation = 0
  #shift = 0
  #states = createPlaceStore()
  #startStates = new Map<number, number>()
  /** Like the start of a line, but a line feed belongs to the line break before. */
  #afterReturn = 0
  /** Nothing can match before the line ends. */
  #dead = 0

  constructor(node: Node, options: AlphabetOptions) {
    this.program = compileProgram(node)
    this.alphabet = createAlphabet(this.program, options)
    this.scope = options.scope
    this.budget = initialBudget + budgetPerInstruction * this.program.instructions.length
    this.#closure = new Closure(this.program)
    this.#isLineScope = options.scope === 'line'
    this.#injectsMidLine = [kindWord, kindOther, kindInvalid].some(kind => {
      this.#closure.begin(kind)
      this.#closure.add(this.program.start)
      return this.#closure.finish() > 0
    })
    this.#reset()
  }

  /** The number of classes in a row. */
  get width(): number {
    return 1 << this.#shift
  }

  bits(): BitProgram {
    return (this.#bits ??= createBitProgram(this.program))
  }

  /** The state at the start of a text or line. */
  start(): number {
    return this.startAfter(kindEdge)
  }

  /** The state in the middle of a text, after a character of this kind. */
  startAfter(previousKind: number): number {
    let state = this.#startStates.get(previousKind)
    if (state === undefined) {
      state = this.#intern(this.#startPlaces(previousKind))
      this.#startStates.set(previousKind, state)
    }
    return state
  }

  /** The next state, for a 0 in the table. Afterwards, all states except the result may be invalid. */
  step(state: number, classId: number): number {
    const generation = this.#generation
    const next = this.#nextState(state, classId)
    // If the table was cleared meanwhile, the entry is obsolete.
    if (generation === this.#generation) this.table[state + classId] = next
    return next
  }

  /** Keeps a state while other states are cleared. */
  save(state: number): SavedState {
    const places = this.#states.places(state >> this.#shift).slice()
    return { generation: this.#generation, state, places, isAfterReturn: state === this.#afterReturn }
  }

  restore(saved: SavedState): number {
    if (saved.generation === this.#generation) return saved.state
    return saved.isAfterReturn ? this.#stateAfterReturn() : this.#intern(saved.places)
  }

  #reset(): void {
    this.#shift = Math.max(4, 32 - Math.clz32(this.alphabet.size() - 1))
    this.#generation++
    this.table = new Int32Array(64 << this.#shift)
    this.matched = 1 << this.#shift
    this.#dead = 2 << this.#shift
    this.#states = createPlaceStore()
    // Reserve none, matched and dead.
    for (let special = 0; special < 3; special++) this.#states.reserve()
    this.table.fill(this.matched, this.matched, this.#dead)
    this.table.fill(this.#dead, this.#dead, 3 << this.#shift)
    this.table.fill(0, this.#dead + newlineClass, this.#dead + firstFreeClass)
    this.#startStates = new Map()
    this.#afterReturn = 0
  }

  #stateAfterReturn(): number {
    if (this.#afterReturn === 0) this.#afterReturn = this.#addState(this.#startPlaces(kindEdge))
    return this.#afterReturn
  }

  #startPlaces(previousKind: number): Int32Array {
    const closure = this.#closure
    closure.begin(previousKind)
    closure.add(this.program.start)
    this.#spend(closure.finish())
    return closure.places.slice(0, closure.count)
  }

  #spend(steps: number): void {
    this.work += steps
    this.budget -= steps
  }

  #nextState(state: number, classId: number): number {
    const { alphabet } = this
    const closure = this.#closure
    const places = this.#states.places(state >> this.#shift)
    const isAfterReturn = state === this.#afterReturn && state !== 0
    this.#spend(places.length + 1)
    if (this.#isLineScope && classId <= edgeClass) {
      if (isAfterReturn && classId === newlineClass) return this.start()
      if (endsInMatch(places, kindEdge)) return this.matched
      return classId === returnClass ? this.#stateAfterReturn() : this.start()
    }
    const kind = alphabet.kindOf(classId)
    if (endsInMatch(places, kind)) return this.matched
    if (classId === edgeClass) return this.#dead
    closure.begin(kind)
    closure.read(places, kind, alphabet.membersOf(classId))
    closure.add(this.program.start)
    this.#spend(closure.finish())
    const next = closure.places.subarray(0, closure.count)
    // There are more classes than columns: rebuild the table with wider rows.
    if (alphabet.size() > this.width) this.#reset()
    return this.#intern(next)
  }

  /** The special state for sets of places like this one; 0 if there is none. */
  #specialOf(places: Int32Array): number {
    if (places.length === 0 && this.#isLineScope && !this.#injectsMidLine) return this.#dead
    return places[0] === certainMatch ? this.matched : 0
  }

  #intern(places: Int32Array): number {
    const special = this.#specialOf(places)
    if (special !== 0) return special
    const known = this.#states.find(places)
    return known === -1 ? this.#addState(places) : known << this.#shift
  }

  #addState(places: Int32Array): number {
    const states = this.#states
    if ((states.size() + 1) << this.#shift > maxTableEntries || states.placeCount() + places.length > maxPlaces) this.#reset()
    const state = this.#states.add(places) << this.#shift
    if (state + this.width > this.table.length) {
      const grown = new Int32Array(this.table.length * 2)
      grown.set(this.table)
      this.table = grown
    }
    return state
  }
}

function endsInMatch(places: Int32Array, kind: number): boolean {
  const first = places[0]
  return first !== undefined && placeOf(first) === matchIndex && (kindsOf(first) & kind) !== 0
}
