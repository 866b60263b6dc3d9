// A program as bit sets, for patterns that need too many states for a table. One bit per place that reads a character, set if that place
// was the last to read. The copies of a counted repetition are alike, so most successors of a place are at one of a few distances, and
// shifting the set finds them for all copies at once. The rest are exceptions, grouped by places with the same ones. A step costs the size
// of the set, however many places are in it. (Glushkov's automaton, in a bit-parallel form.)

import { isMember, kindBits, kindInvalid, kindOther, kindWord } from './alphabet.ts'
import { kindsAllowedAfter } from './assertion.ts'
import { matchIndex, type Program } from './program.ts'

/** Has one more word at each end than its bits need, so that a shift may write there. */
export interface BitSet {
  readonly words: Int32Array
  /** The nonzero words are between these. */
  readonly firstWord: number
  readonly lastWord: number
}

/** Successors between two neighbours of certain kinds, with all assertions decided. */
export interface BitTable {
  /** Places that may read first. */
  readonly first: BitSet
  /** Places after which a match ends. */
  readonly last: BitSet
  /** The empty text is a match here. */
  readonly matchesEmpty: boolean
  /** Places whose next place may read next. */
  readonly next: Int32Array
  readonly shifts: readonly Shift[]
  /** Groups in sequence: a count and pairs of word and mask, of which one bit must be set; then the bits to set, in the same form. */
  readonly exceptions: Int32Array
  /** The approximate maximum number of words that a step reads or writes. */
  readonly stepCost: number
}

/** From each of `places`, the place at this distance in words and bits may read next. */
export interface Shift {
  readonly words: number
  readonly bits: number
  readonly places: BitSet
}

export interface BitProgram {
  /** A small pattern became so large a program that reading with it takes too long. */
  readonly isTooLarge: () => boolean
  readonly wordCount: number
  readonly tableFor: (previousKind: number, kind: number) => BitTable
  /** Places that read a character with these `members`. */
  readonly readersOf: (classId: number, members: Uint8Array) => Int32Array
}

export function createBitProgram(program: Program): BitProgram {
  const { instructions } = program
  const hasAssertion = instructions.some(instruction => instruction.kind === 'assertion')
  // Programs are built from their end, so the next place has a lower number there.
  const instructionOf: number[] = []
  const bitOf = new Int32Array(instructions.length).fill(-1)
  for (let index = instructions.length - 1; index >= 0; index--) {
    if (instructions[index]?.kind === 'set') bitOf[index] = instructionOf.push(index) - 1
  }
  const wordCount = Math.max(1, Math.ceil(instructionOf.length / 32))
  const tables = new Map<number, BitTable>()
  const readers: (Int32Array | undefined)[] = []

  const reached = new Int32Array(instructions.length)
  let round = 0

  /** Bits that can be reached from `start` without reading, in ascending order, and whether the end can. */
  function follow(start: number, previousKind: number, kind: number): { bits: number[]; isEnd: boolean } {
    round++
    const bits: number[] = []
    const pending = [start]
    let isEnd = false
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (reached[index] === round) continue
      reached[index] = round
      const instruction = instructions[index]
      if (index === matchIndex || instruction === undefined || instruction.kind === 'match') isEnd = true
      else if (instruction.kind === 'set') bits.push(bitOf[index] ?? 0)
      else if (instruction.kind === 'save') pending.push(instruction.next)
      else if (instruction.kind === 'split') pending.push(instruction.next, instruction.other)
      else if ((kindsAllowedAfter(instruction.assertion, previousKind) & kind) !== 0) pending.push(instruction.next)
    }
    return { bits: bits.sort((a, b) => a - b), isEnd }
  }

  function createTable(previousKind: number, kind: number): BitTable {
    const start = follow(program.start, previousKind, kind)
    const last: number[] = []
    const edges = instructionOf.map((index, bit): readonly number[] => {
      const instruction = instructions[index]
      if (instruction?.kind !== 'set') return []
      const { bits, isEnd } = follow(instruction.next, previousKind, kind)
      if (isEnd) last.push(bit)
      return bits
    })
    const step = cheapestStep(edges, wordCount)
    return {
      first: bitSet(wordCount, start.bits),
      last: bitSet(wordCount, last),
      matchesEmpty: start.isEnd,
      ...step,
    }
  }

  function tableFor(previousKind: number, kind: number): BitTable {
    const key = hasAssertion ? (previousKind << kindBits) | kind : 0
    let table = tables.get(key)
    if (table === undefined) {
      table = createTable(previousKind, kind)
      tables.set(key, table)
    }
    return table
  }

  const kinds = program.hasWordAssertion ? [kindOther, kindWord, kindInvalid] : [kindOther]
  let isTooLarge: boolean | undefined
  return {
    isTooLarge: () =>
      (isTooLarge ??= program.hasCopies && kinds.some(left => kinds.some(right => tableFor(left, right).stepCost > maxStepCost))),
    wordCount,
    tableFor,
    readersOf(classId, members) {
      let set = readers[classId]
      if (set === undefined) {
        const bits = [...instructionOf.keys()].filter(bit => {
          const instruction = instructions[instructionOf[bit] ?? 0]
          return instruction?.kind === 'set' && isMember(members, instruction.set)
        })
        set = bitSet(wordCount, bits).words
        readers[classId] = set
      }
      return set
    },
  }
}

/** A word takes up to 1 ns (2026, one slow core), so this limits a byte to 0.06 µs. */
const maxStepCost = 64

type Step = Pick<BitTable, 'next' | 'shifts' | 'exceptions' | 'stepCost'>

/** A distance gets a shift if at least this many places have it. */
const shiftThresholds = [2, 4, 8, 16, 48, Infinity]

/** `edges` lists the possible successors of each bit. */
function cheapestStep(edges: readonly (readonly number[])[], wordCount: number): Step {
  const counts = new Map<number, number>()
  for (const [bit, targets] of edges.entries()) {
    for (const target of targets) counts.set(target - bit, (counts.get(target - bit) ?? 0) + 1)
  }
  const steps = shiftThresholds.map(threshold => stepWith(edges, wordCount, distance => (counts.get(distance) ?? 0) >= threshold))
  return steps.reduce((best, step) => (step.stepCost < best.stepCost ? step : best))
}

function stepWith(edges: readonly (readonly number[])[], wordCount: number, isShifted: (distance: number) => boolean): Step {
  const next: number[] = []
  const sources = new Map<number, number[]>()
  const groups = new Map<string, { readonly from: number[]; readonly to: readonly number[] }>()
  for (const [bit, targets] of edges.entries()) {
    const others: number[] = []
    for (const target of targets) {
      if (target === bit + 1) next.push(bit)
      else if (!isShifted(target - bit)) others.push(target)
      else pushTo(sources, target - bit, bit)
    }
    if (others.length === 0) continue
    const key = others.join()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { from: [bit], to: others })
    else group.from.push(bit)
  }
  const shifts = [...sources].map(([distance, bits]): Shift => ({
    words: distance >> 5,
    bits: distance & 31,
    places: bitSet(wordCount, bits),
  }))
  const exceptions = Int32Array.from([...groups.values()].flatMap(({ from, to }) => [...maskPairs(from), ...maskPairs(to)]))
  const shiftCost = shifts.reduce((sum, { places }) => sum + 2 + 3 * (places.lastWord - places.firstWord + 1), 0)
  return {
    next: bitSet(wordCount, next).words,
    shifts,
    exceptions,
    stepCost: 3 * wordCount + shiftCost + exceptions.length / 2 + groups.size,
  }
}

function pushTo(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function bitSet(wordCount: number, bits: readonly number[]): BitSet {
  const words = new Int32Array(wordCount + 2)
  let firstWord = wordCount
  let lastWord = 0
  for (const bit of bits) {
    const word = (bit >> 5) + 1
    words[word] = (words[word] ?? 0) | (1 << (bit & 31))
    firstWord = Math.min(firstWord, word)
    lastWord = Math.max(lastWord, word)
  }
  return { words, firstWord, lastWord }
}

/** A count, followed by that many pairs of a word's index and its bits. */
function maskPairs(bits: readonly number[]): readonly number[] {
  const masks = new Map<number, number>()
  for (const bit of bits) masks.set((bit >> 5) + 1, (masks.get((bit >> 5) + 1) ?? 0) | (1 << (bit & 31)))
  return [masks.size, ...[...masks].flat()]
}
