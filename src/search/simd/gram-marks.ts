// Marks the hashes of all runs of three and four bytes in the text, twelve at a time, with one byte for each hash; a bit would have to be
// read before it is written. Then packs the marks into bits, and makes the set small. What the hashes are for: ../index/grams.ts.

import {
  add,
  andVectors,
  bitOfEachByte,
  choosingBytes,
  countOnes,
  end,
  ifTrue,
  inEachByte,
  inEachWord,
  highWord,
  isLess,
  isMore,
  leave,
  lessBytes,
  loadSixteen,
  longAt,
  loop,
  lowWord,
  multiply,
  multiplyWords,
  number,
  orVectors,
  repeatIfTrue,
  repeatOuter,
  shiftRight,
  shiftWordsRight,
  storeByte,
  storeHalf,
  storeSixteen,
  subtractBytes,
  wordAt,
  type WrittenFunction,
  written,
  xorVectors,
} from './assembler.ts'
import { gramFactors, marksOffset, maxTenthsSet, minSetBits, placesAtOnce, setOffset } from './layout.ts'

/** Marks what begins at the first `places` bytes, a multiple of {@link placesAtOnce}. `mask` leaves as many hashes as there are marks. */
export const gramMarks: WrittenFunction = written(
  {
    parameters: ['places', 'mask'],
    integers: ['at'],
    longs: ['two'],
    vectors: ['masks', 'text', 'bytes', 'runs', 'capitalA', 'alphabet', 'caseBit', 'low', 'threeFactor', 'fourFactor'],
  },
  ({ get, set, setAndKeep }) => {
    const constant = (value: number, spread: readonly number[], name: 'capitalA' | 'alphabet' | 'caseBit' | 'low') => [
      ...[...number(value), ...spread, ...set(name)],
    ]
    const hashed = (shift: number, factor: 'threeFactor' | 'fourFactor') => [
      ...[...setAndKeep('bytes'), ...get('bytes'), ...number(shift), ...shiftWordsRight, ...xorVectors],
      ...[...get(factor), ...multiplyWords, ...number(gramFactors.shift), ...shiftWordsRight],
      ...[...get('masks'), ...andVectors, ...set('bytes')],
    ]
    // Two words at a time, because taking one from a vector costs more than dividing a long integer.
    const markEach = [0, 1].flatMap(lane => [
      ...[...get('bytes'), ...longAt(lane), ...setAndKeep('two'), ...lowWord, ...number(-1), ...storeByte(marksOffset)],
      ...[...get('two'), ...highWord, ...lowWord, ...number(-1), ...storeByte(marksOffset)],
    ])
    const markFour = (first: number) => {
      const bytesOfRuns = [0, 1, 2, 3].flatMap(run => [0, 1, 2, 3].map(byte => first + run + byte))
      return [
        ...[...get('text'), ...get('text'), ...choosingBytes(bytesOfRuns)],
        ...[...setAndKeep('runs'), ...get('low'), ...andVectors, ...hashed(11, 'threeFactor'), ...markEach],
        ...[...get('runs'), ...hashed(15, 'fourFactor'), ...markEach],
      ]
    }
    return [
      ...[...get('mask'), ...inEachWord, ...set('masks')],
      ...constant(0x41, inEachByte, 'capitalA'),
      ...constant(26, inEachByte, 'alphabet'),
      ...constant(0x20, inEachByte, 'caseBit'),
      ...constant(0xffffff, inEachWord, 'low'),
      ...[...number(gramFactors.three | 0), ...inEachWord, ...set('threeFactor')],
      ...[...number(gramFactors.four | 0), ...inEachWord, ...set('fourFactor')],
      ...[...loop, ...get('at'), ...get('places'), ...isLess, ...ifTrue],
      // Capital letters become small.
      ...[...get('at'), ...loadSixteen(0), ...setAndKeep('text'), ...get('capitalA'), ...subtractBytes],
      ...[...get('alphabet'), ...lessBytes, ...get('caseBit'), ...andVectors, ...get('text'), ...orVectors, ...set('text')],
      ...[...markFour(0), ...markFour(4), ...markFour(8)],
      ...[...get('at'), ...number(placesAtOnce), ...add, ...set('at'), ...repeatOuter],
      ...[...end, ...end],
      ...get('at'),
    ]
  },
)

/** Packs the first `count` marks, a multiple of sixteen. */
export const markedBits: WrittenFunction = written({ parameters: ['count'], integers: ['at'], vectors: [] }, ({ get, set }) => [
  ...[...loop, ...get('at'), ...get('count'), ...isLess, ...ifTrue],
  ...[...get('at'), ...number(3), ...shiftRight, ...get('at'), ...loadSixteen(marksOffset), ...bitOfEachByte],
  ...storeHalf(setOffset),
  ...[...get('at'), ...number(16), ...add, ...set('at'), ...repeatOuter],
  ...[...end, ...end],
  ...get('at'),
])

/**
 * Halves a set of `bits` while the result is at most so dense, and returns its size. Each half of the smallest set that is halved is a
 * multiple of sixteen bytes.
 */
export const halvedSet: WrittenFunction = written(
  { parameters: ['bits'], integers: ['at', 'halfBytes', 'count'], vectors: ['bytes'] },
  ({ get, set, setAndKeep }) => {
    const both = [
      ...[...get('at'), ...loadSixteen(setOffset)],
      ...[...get('at'), ...get('halfBytes'), ...add, ...loadSixteen(setOffset), ...orVectors],
    ]
    const next = [...get('at'), ...number(16), ...add, ...setAndKeep('at'), ...get('halfBytes'), ...isLess, ...repeatIfTrue]
    const ones = [0, 1, 2, 3].flatMap(lane => [...get('bytes'), ...wordAt(lane), ...countOnes, ...add])
    return [
      ...[...loop, ...get('bits'), ...number(minSetBits), ...isMore, ...ifTrue],
      ...[...get('bits'), ...number(4), ...shiftRight, ...set('halfBytes')],
      ...[...number(0), ...set('at'), ...number(0), ...set('count')],
      ...[...loop, ...both, ...set('bytes'), ...get('count'), ...ones, ...set('count'), ...next, ...end],
      ...[...get('count'), ...number(10), ...multiply, ...get('bits'), ...number(1), ...shiftRight],
      ...[...number(maxTenthsSet), ...multiply, ...isMore, ...ifTrue, ...get('bits'), ...leave, ...end],
      ...[...number(0), ...set('at'), ...loop, ...get('at'), ...both, ...storeSixteen(setOffset), ...next, ...end],
      ...[...get('bits'), ...number(1), ...shiftRight, ...set('bits'), ...repeatOuter],
      ...[...end, ...end],
      ...get('bits'),
    ]
  },
)
