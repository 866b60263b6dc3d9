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
import { certainMatch, createClosure, kindsOf, placeOf } from './closure.ts'
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

/** A state is the index of its row in the table. A row contains the next state for each class, or 0 if it is not known yet. */
export interface Automaton {
  readonly program: Program
  readonly alphabet: Alphabet
  /** May be replaced, so do not use it after the next {@link Automaton.step}. */
  table: Int32Array
  /** Reached as soon as the text read contains a match, whatever follows. Every other state is larger. */
  matched: number
  /** The number of classes in a row. */
  readonly width: () => number
  /** Increases when all states become invalid. */
  generation: number
  readonly scope: AlphabetOptions['scope']
  /** Elementary steps for building states, or for reading without them: the cost of a hostile pattern. */
  work: number
  /** Steps left for building states; below 0, the scan must read without them. */
  budget: number
  /** Bytes that are still to be read without states. */
  restBytes: number
  readonly bits: () => BitProgram
  /** The state at the start of a text or line. */
  readonly start: () => number
  /** The state in the middle of a text, after a character of this kind. */
  readonly startAfter: (previousKind: number) => number
  /** The next state, for a 0 in the table. Afterwards, all states except the result may be invalid. */
  readonly step: (state: number, classId: number) => number
  /** Keeps a state while other states are cleared. */
  readonly save: (state: number) => SavedState
  readonly restore: (saved: SavedState) => number
}

export interface SavedState {
  readonly generation: number
  readonly state: number
  readonly places: Int32Array
  readonly isAfterReturn: boolean
}

/** For patterns whose size was checked: `sizeOf` in program.ts. */
export function createAutomaton(node: Node, options: AlphabetOptions): Automaton {
  const program = compileProgram(node)
  const alphabet = createAlphabet(program, options)
  const closure = createClosure(program)
  const { scope } = options
  const isLineScope = scope === 'line'
  let bits: BitProgram | undefined
  const injectsMidLine = [kindWord, kindOther, kindInvalid].some(kind => {
    closure.begin(kind)
    closure.add(program.start)
    return closure.finish() > 0
  })

  let shift = 0
  let states = createPlaceStore()
  let startStates = new Map<number, number>()
  /** Like the start of a line, but a line feed belongs to the line break before. */
  let afterReturn = 0
  /** Nothing can match before the line ends. */
  let dead = 0

  const automaton: Automaton = {
    program,
    alphabet,
    table: new Int32Array(0),
    matched: 0,
    width: () => 1 << shift,
    generation: 0,
    scope,
    work: 0,
    budget: initialBudget + budgetPerInstruction * program.instructions.length,
    restBytes: 0,
    bits: () => (bits ??= createBitProgram(program)),
    start: () => startAfter(kindEdge),
    startAfter,
    step,
    save: state => ({
      generation: automaton.generation,
      state,
      places: states.places(state >> shift).slice(),
      isAfterReturn: state === afterReturn,
    }),
    restore(saved) {
      if (saved.generation === automaton.generation) return saved.state
      return saved.isAfterReturn ? stateAfterReturn() : intern(saved.places)
    },
  }
  reset()
  return automaton

  function reset(): void {
    shift = Math.max(4, 32 - Math.clz32(alphabet.size() - 1))
    automaton.generation++
    automaton.table = new Int32Array(64 << shift)
    automaton.matched = 1 << shift
    dead = 2 << shift
    states = createPlaceStore()
    // Reserve none, matched and dead.
    for (let special = 0; special < 3; special++) states.reserve()
    automaton.table.fill(automaton.matched, automaton.matched, dead)
    automaton.table.fill(dead, dead, 3 << shift)
    automaton.table.fill(0, dead + newlineClass, dead + firstFreeClass)
    startStates = new Map()
    afterReturn = 0
  }

  function startAfter(previousKind: number): number {
    let state = startStates.get(previousKind)
    if (state === undefined) {
      state = intern(startPlaces(previousKind))
      startStates.set(previousKind, state)
    }
    return state
  }

  function stateAfterReturn(): number {
    if (afterReturn === 0) afterReturn = addState(startPlaces(kindEdge))
    return afterReturn
  }

  function startPlaces(previousKind: number): Int32Array {
    closure.begin(previousKind)
    closure.add(program.start)
    spend(closure.finish())
    return closure.places.slice(0, closure.count())
  }

  function spend(steps: number): void {
    automaton.work += steps
    automaton.budget -= steps
  }

  function step(state: number, classId: number): number {
    const generation = automaton.generation
    const next = nextState(state, classId)
    // If the table was cleared meanwhile, the entry is obsolete.
    if (generation === automaton.generation) automaton.table[state + classId] = next
    return next
  }

  function nextState(state: number, classId: number): number {
    const places = states.places(state >> shift)
    const isAfterReturn = state === afterReturn && state !== 0
    spend(places.length + 1)
    if (isLineScope && classId <= edgeClass) {
      if (isAfterReturn && classId === newlineClass) return automaton.start()
      if (endsInMatch(places, kindEdge)) return automaton.matched
      return classId === returnClass ? stateAfterReturn() : automaton.start()
    }
    const kind = alphabet.kindOf(classId)
    if (endsInMatch(places, kind)) return automaton.matched
    if (classId === edgeClass) return dead
    closure.begin(kind)
    closure.read(places, kind, alphabet.membersOf(classId))
    closure.add(program.start)
    spend(closure.finish())
    const next = closure.places.subarray(0, closure.count())
    // There are more classes than columns: rebuild the table with wider rows.
    if (alphabet.size() > 1 << shift) reset()
    return intern(next)
  }

  /** The special state for sets of places like this one; 0 if there is none. */
  function specialOf(places: Int32Array): number {
    if (places.length === 0 && isLineScope && !injectsMidLine) return dead
    return places[0] === certainMatch ? automaton.matched : 0
  }

  function intern(places: Int32Array): number {
    const special = specialOf(places)
    if (special !== 0) return special
    const known = states.find(places)
    return known === -1 ? addState(places) : known << shift
  }

  function addState(places: Int32Array): number {
    if ((states.size() + 1) << shift > maxTableEntries || states.placeCount() + places.length > maxPlaces) reset()
    const state = states.add(places) << shift
    if (state + (1 << shift) > automaton.table.length) {
      const grown = new Int32Array(automaton.table.length * 2)
      grown.set(automaton.table)
      automaton.table = grown
    }
    return state
  }
}

function endsInMatch(places: Int32Array, kind: number): boolean {
  const first = places[0]
  return first !== undefined && placeOf(first) === matchIndex && (kindsOf(first) & kind) !== 0
}
