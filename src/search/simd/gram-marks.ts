// Marks the hashes of all runs of three and four bytes in the text, four at a time, with one byte for each hash; a bit would have to be
// read before it is written. Then packs the marks into bits. What the hashes are for: ../index/grams.ts.

import {
  add,
  andVectors,
  bitOfEachByte,
  choosingBytes,
  end,
  ifTrue,
  inEachByte,
  inEachWord,
  isLess,
  lessBytes,
  loadSixteen,
  loop,
  multiplyWords,
  number,
  orVectors,
  repeatOuter,
  shiftRight,
  shiftWordsRight,
  storeByte,
  storeHalf,
  subtractBytes,
  wordAt,
  type WrittenFunction,
  written,
  xorVectors,
} from './assembler.ts'
import { gramFactors, marksOffset, setOffset } from './layout.ts'

/** Marks what begins at the first `places` bytes, a multiple of four. `mask` leaves as many hashes as there are marks. */
export const gramMarks: WrittenFunction = written(
  {
    parameters: ['places', 'mask'],
    integers: ['at'],
    vectors: ['masks', 'bytes', 'runs', 'capitalA', 'alphabet', 'caseBit', 'low', 'threeFactor', 'fourFactor'],
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
    const markEach = [0, 1, 2, 3].flatMap(lane => [
      ...[...get('bytes'), ...wordAt(lane), ...number(-1), ...storeByte(marksOffset)],
    ])
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
      ...[...get('at'), ...loadSixteen(0), ...setAndKeep('bytes'), ...get('capitalA'), ...subtractBytes],
      ...[...get('alphabet'), ...lessBytes, ...get('caseBit'), ...andVectors, ...get('bytes'), ...orVectors],
      ...[...setAndKeep('bytes'), ...get('bytes'), ...choosingBytes([0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6])],
      ...[...setAndKeep('runs'), ...get('low'), ...andVectors, ...hashed(11, 'threeFactor'), ...markEach],
      ...[...get('runs'), ...hashed(15, 'fourFactor'), ...markEach],
      ...[...get('at'), ...number(4), ...add, ...set('at'), ...repeatOuter],
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
