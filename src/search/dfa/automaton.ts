// The program made deterministic, one state at a time and only as far as texts ask for it. A state is a set of places in the program,
// each with the kinds of neighbour that may come next, because an assertion is decided by the character behind it. States live in a
// bounded table that is thrown away when it is full: no pattern can make it grow, it can only make it slow.

import {
  type Alphabet,
  anyKind,
  createAlphabet,
  edgeClass,
  firstFreeClass,
  isMember,
  kindEdge,
  kindOther,
  kindWord,
  newlineClass,
  returnClass,
  type AlphabetOptions,
} from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import { compileProgram, matchIndex, type Program } from './program.ts'
import type { Node } from '../regex/syntax.ts'

/** Entries of the table, four bytes each. */
export const maxTableEntries: number = 1 << 20
/** Places in all states together, four bytes each. */
const maxPlaces = 1 << 20
const placeBits = 4

/** A state is where its row begins in the table; what a row holds is the next state by class, or 0 where it is not known yet. */
export interface Automaton {
  readonly program: Program
  readonly alphabet: Alphabet
  /** Grows, so hold it no longer than until the next {@link Automaton.step}. */
  table: Int32Array
  /** Reached as soon as what was read holds a match, whatever follows. Every other state is larger. */
  matched: number
  /** Classes that a row has room for. */
  readonly width: () => number
  /** Counts up when all states became invalid. */
  generation: number
  /** Elementary steps taken to build states: what a hostile pattern costs. */
  readonly work: () => number
  /** The state at the start of a text or line. */
  readonly start: () => number
  /** The state in the middle of a text, behind a character of such a kind. */
  readonly startAfter: (previousKind: number) => number
  /** The next state, when the table has 0 there. All states but the answer may be invalid after it. */
  readonly step: (state: number, classId: number) => number
  /** Keeps a state over the throwing away of others. */
  readonly save: (state: number) => SavedState
  readonly restore: (saved: SavedState) => number
}

export interface SavedState {
  readonly generation: number
  readonly state: number
  readonly places: Int32Array
  readonly isAfterReturn: boolean
}

/** How the automaton of one pattern came to be; `compileProgram` has the bounds. */
export function createAutomaton(node: Node, options: AlphabetOptions): Automaton {
  return buildAutomaton(compileProgram(node), options)
}

function buildAutomaton(program: Program, options: AlphabetOptions): Automaton {
  const { instructions } = program
  const alphabet = createAlphabet(program, options)
  const isLineScope = options.scope === 'line'

  let shift = 0
  let states: Int32Array[] = []
  let byHash = new Map<number, number[]>()
  let placeCount = 0
  let startStates = new Map<number, number>()
  /** Like the start of a line, but a line feed belongs to the line break before. */
  let afterReturn = 0
  /** Nothing can match before the line ends. */
  let dead = 0
  let work = 0

  // Kinds allowed so far by instruction, and the instructions in the order they were reached.
  const allowed = new Uint8Array(instructions.length)
  const reached: number[] = []
  const pending: number[] = []
  const injectsMidLine = [kindWord, kindOther].some(kind => closureOf(kind, [program.start]).length > 0)

  const automaton: Automaton = {
    program,
    alphabet,
    table: new Int32Array(0),
    matched: 0,
    width: () => 1 << shift,
    generation: 0,
    work: () => work,
    start: () => startAfter(kindEdge),
    startAfter,
    step,
    save: state => ({
      generation: automaton.generation,
      state,
      places: states[state >> shift] ?? new Int32Array(0),
      isAfterReturn: state === afterReturn,
    }),
    restore(saved) {
      if (saved.generation === automaton.generation) return saved.state
      if (saved.isAfterReturn) return stateAfterReturn()
      return intern(saved.places)
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
    const none = new Int32Array(0)
    states = [none, none, none]
    automaton.table.fill(automaton.matched, automaton.matched, dead)
    automaton.table.fill(dead, dead, 3 << shift)
    automaton.table.fill(0, dead + newlineClass, dead + firstFreeClass)
    byHash = new Map()
    placeCount = 0
    startStates = new Map()
    afterReturn = 0
  }

  function startAfter(previousKind: number): number {
    let state = startStates.get(previousKind)
    if (state === undefined) {
      state = intern(closureOf(previousKind, [program.start]))
      startStates.set(previousKind, state)
    }
    return state
  }

  function stateAfterReturn(): number {
    if (afterReturn === 0) afterReturn = addState(closureOf(kindEdge, [program.start]))
    return afterReturn
  }

  function step(state: number, classId: number): number {
    const places = states[state >> shift] ?? new Int32Array(0)
    const isAfterReturn = state === afterReturn && state !== 0
    const generation = automaton.generation
    const next = nextState(places, classId, isAfterReturn)
    // A table that was thrown away meanwhile has nothing to remember.
    if (generation === automaton.generation && classId < 1 << shift) automaton.table[state + classId] = next
    return next
  }

  function nextState(places: Int32Array, classId: number, isAfterReturn: boolean): number {
    // More classes than a row is wide: all rows have to be laid out again.
    if (alphabet.size() > 1 << shift) reset()
    if (isLineScope && classId <= edgeClass) {
      if (isAfterReturn && classId === newlineClass) return automaton.start()
      if (endsInMatch(places, kindEdge)) return automaton.matched
      return classId === returnClass ? stateAfterReturn() : automaton.start()
    }
    const kind = alphabet.kindOf(classId)
    if (endsInMatch(places, kind)) return automaton.matched
    if (classId === edgeClass) return dead
    const members = alphabet.membersOf(classId)
    const targets: number[] = []
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0
      const instruction = instructions[place >> placeBits]
      if ((place & kind) !== 0 && instruction?.kind === 'set' && isMember(members, instruction.set))
        targets.push(instruction.next)
    }
    work += places.length + 1
    targets.push(program.start)
    return intern(closureOf(kind, targets))
  }

  function endsInMatch(places: Int32Array, kind: number): boolean {
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0
      if (place >> placeBits === matchIndex) return (place & kind) !== 0
    }
    return false
  }

  /** The places where something is read or matched that can be reached from `targets` without reading, by what may come next. */
  function closureOf(previousKind: number, targets: readonly number[]): Int32Array {
    reached.length = 0
    for (const target of targets) {
      visit(target, anyKind)
      while (pending.length > 0) {
        const top = pending.pop() ?? 0
        follow(top >> placeBits, top & anyKind, previousKind)
      }
    }
    let count = 0
    const places = new Int32Array(reached.length)
    for (const place of reached) {
      const { kind } = instructions[place] ?? { kind: 'match' }
      if (kind === 'set' || kind === 'match') places[count++] = (place << placeBits) | (allowed[place] ?? 0)
      allowed[place] = 0
    }
    work += reached.length
    return places.subarray(0, count)
  }

  /** A place may be reached more than once, each time with other kinds allowed: what counts is all of them together. */
  function visit(place: number, kinds: number): void {
    const before = allowed[place] ?? 0
    const after = before | kinds
    if (after === before) return
    if (before === 0) reached.push(place)
    allowed[place] = after
    pending.push((place << placeBits) | after)
  }

  function follow(place: number, kinds: number, previousKind: number): void {
    const instruction = instructions[place]
    if (instruction === undefined) return
    if (instruction.kind === 'split') {
      visit(instruction.next, kinds)
      visit(instruction.other, kinds)
    } else if (instruction.kind === 'assertion') {
      visit(instruction.next, kinds & kindsAllowedAfter(instruction.assertion, previousKind))
    }
  }

  function intern(places: Int32Array): number {
    if (places.length === 0 && isLineScope && !injectsMidLine) return dead
    let hash = 0x811c9dc5
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0
      if (place === ((matchIndex << placeBits) | anyKind)) return automaton.matched
      hash = Math.imul(hash ^ place, 0x01000193)
    }
    const sameHash = byHash.get(hash)
    const known = sameHash?.find(state => isEqual(states[state >> shift], places))
    if (known !== undefined) return known
    const state = addState(places)
    // Adding may have thrown the others away.
    const list = byHash.get(hash)
    if (list === undefined) byHash.set(hash, [state])
    else list.push(state)
    return state
  }

  function addState(places: Int32Array): number {
    if ((states.length + 1) << shift > maxTableEntries || placeCount + places.length > maxPlaces) reset()
    const state = (states.push(places.slice()) - 1) << shift
    placeCount += places.length
    if (state + (1 << shift) > automaton.table.length) {
      const grown = new Int32Array(automaton.table.length * 2)
      grown.set(automaton.table)
      automaton.table = grown
    }
    return state
  }
}

function isEqual(left: Int32Array | undefined, right: Int32Array): boolean {
  if (left?.length !== right.length) return false
  for (let index = 0; index < right.length; index++) if (left[index] !== right[index]) return false
  return true
}
