// Turns thirty-two sets of `words` words, a multiple of four, which lie one after the other from 0 on, into a tile from `tileOffset` on: row
// `bit` of it has one bit of each set. The rows of four squares are exchanged with their columns at a time: the halves, then their quarters,
// and so on.

import {
  add,
  and,
  andVectors,
  end,
  inEachWord,
  invert,
  isLess,
  loadSixteen,
  loop,
  multiply,
  number,
  or,
  repeatIfTrue,
  shiftLeft,
  shiftRight,
  shiftWordsLeft,
  shiftWordsRight,
  storeSixteen,
  storeWord,
  wordAt,
  type WrittenFunction,
  written,
  xor,
  xorVectors,
} from './assembler.ts'
import { squaresOffset, tileOffset } from './layout.ts'

export const layTile: WrittenFunction = written(
  {
    parameters: ['words'],
    integers: ['word', 'row', 'partner', 'width', 'mask', 'target'],
    vectors: ['masks', 'upper', 'lower', 'changed'],
  },
  ({ get, set, setAndKeep }) => {
    const addressOf = (row: 'row' | 'partner') => [...get(row), ...number(4), ...shiftLeft]
    const nextRow = [...get('row'), ...number(1), ...add, ...setAndKeep('row'), ...number(32), ...isLess, ...repeatIfTrue]
    const copyRow = [
      ...addressOf('row'),
      ...[...get('row'), ...get('words'), ...multiply, ...get('word'), ...add, ...number(2), ...shiftLeft, ...loadSixteen(0)],
      ...storeSixteen(squaresOffset),
    ]
    const exchange = [
      ...[...get('row'), ...get('width'), ...or, ...set('partner')],
      ...[...addressOf('row'), ...loadSixteen(squaresOffset), ...set('upper')],
      ...[...addressOf('partner'), ...loadSixteen(squaresOffset), ...set('lower')],
      ...[...get('upper'), ...get('width'), ...shiftWordsRight, ...get('lower'), ...xorVectors],
      ...[...get('masks'), ...andVectors, ...set('changed')],
      ...[...addressOf('row'), ...get('upper'), ...get('changed'), ...get('width'), ...shiftWordsLeft, ...xorVectors],
      ...storeSixteen(squaresOffset),
      ...[...addressOf('partner'), ...get('lower'), ...get('changed'), ...xorVectors, ...storeSixteen(squaresOffset)],
      ...[...get('partner'), ...number(1), ...add, ...get('width'), ...invert, ...and, ...setAndKeep('row')],
      ...[...number(32), ...isLess, ...repeatIfTrue],
    ]
    const storeRow = [
      ...[...addressOf('row'), ...loadSixteen(squaresOffset), ...set('upper')],
      ...[...get('word'), ...number(5), ...shiftLeft, ...get('row'), ...add, ...number(2), ...shiftLeft, ...set('target')],
      ...[0, 1, 2, 3].flatMap(lane => [
        ...[...get('target'), ...get('upper'), ...wordAt(lane), ...storeWord(tileOffset + lane * 128)],
      ]),
    ]
    return [
      ...loop,
      ...[...number(0), ...set('row'), ...loop, ...copyRow, ...nextRow, ...end],
      ...[...number(16), ...set('width'), ...number(0xffff), ...set('mask')],
      ...[...loop, ...get('mask'), ...inEachWord, ...set('masks')],
      ...[...number(0), ...set('row'), ...loop, ...exchange, ...end],
      ...[...get('width'), ...number(1), ...shiftRight, ...set('width')],
      ...[...get('mask'), ...get('mask'), ...get('width'), ...shiftLeft, ...xor, ...set('mask')],
      ...[...number(0), ...get('width'), ...isLess, ...repeatIfTrue, ...end],
      ...[...number(0), ...set('row'), ...loop, ...storeRow, ...nextRow, ...end],
      ...[...get('word'), ...number(4), ...add, ...setAndKeep('word'), ...get('words'), ...isLess, ...repeatIfTrue],
      ...end,
      ...get('word'),
    ]
  },
)
