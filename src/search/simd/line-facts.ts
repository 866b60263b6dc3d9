// What the index notes about a text, in one pass. Returns bits: 1 if there is a `\r`, 2 if there is a letter that equals an ASCII one if case
// is ignored (U+017F, C5 BF, and U+212A, E2 84 AA). At `factsOffset` follow the number of line feeds and the length of the longest line with
// its line feed. Eighteen null bytes must follow the text.

import {
  add,
  andVectors,
  bitOfEachByte,
  countOnes,
  end,
  equalBytes,
  ifTrue,
  inEachByte,
  isAnyBitSet,
  isLess,
  isMore,
  leadingZeros,
  loadSixteen,
  loop,
  number,
  orVectors,
  repeatOuter,
  shiftLeft,
  storeWord,
  subtract,
  trailingZeros,
  type WrittenFunction,
  written,
} from './assembler.ts'
import { factsOffset } from './layout.ts'

export const lineFacts: WrittenFunction = written(
  {
    parameters: ['length'],
    integers: ['at', 'count', 'fits', 'lineStart', 'size', 'longest'],
    vectors: ['lineFeeds', 'returns', 'bytes', 'found', 'letters'],
  },
  ({ get, set, setAndKeep }) => {
    const noteSize = [
      ...[...get('lineStart'), ...subtract, ...setAndKeep('size'), ...get('longest'), ...isMore],
      ...[...ifTrue, ...get('size'), ...set('longest'), ...end],
    ]
    const has = (distance: number, byte: number) => [
      ...[...get('at'), ...loadSixteen(distance), ...number(byte), ...inEachByte, ...equalBytes],
    ]
    return [
      ...[...number(10), ...inEachByte, ...set('lineFeeds'), ...number(13), ...inEachByte, ...set('returns')],
      ...[...loop, ...get('at'), ...get('length'), ...isLess, ...ifTrue],
      ...[...get('at'), ...loadSixteen(0), ...setAndKeep('bytes'), ...bitOfEachByte, ...ifTrue],
      ...[...has(0, 0xc5), ...has(1, 0xbf), ...andVectors],
      ...[...has(0, 0xe2), ...has(1, 0x84), ...andVectors, ...has(2, 0xaa), ...andVectors, ...orVectors],
      ...[...get('letters'), ...orVectors, ...set('letters'), ...end],
      ...[...get('bytes'), ...get('returns'), ...equalBytes, ...get('found'), ...orVectors, ...set('found')],
      ...[...get('bytes'), ...get('lineFeeds'), ...equalBytes, ...bitOfEachByte, ...setAndKeep('fits'), ...ifTrue],
      ...[...get('fits'), ...countOnes, ...get('count'), ...add, ...set('count')],
      // Lines between two of sixteen bytes are too short to be the longest that matters.
      ...[...get('at'), ...get('fits'), ...trailingZeros, ...add, ...number(1), ...add, ...noteSize],
      ...[...get('at'), ...number(32), ...add, ...get('fits'), ...leadingZeros, ...subtract, ...set('lineStart')],
      ...end,
      ...[...get('at'), ...number(16), ...add, ...set('at'), ...repeatOuter],
      ...[...end, ...end],
      ...[...get('length'), ...noteSize],
      ...[
        ...number(0),
        ...get('count'),
        ...storeWord(factsOffset),
        ...number(0),
        ...get('longest'),
        ...storeWord(factsOffset + 4),
      ],
      ...[...get('letters'), ...isAnyBitSet, ...number(1), ...shiftLeft, ...get('found'), ...isAnyBitSet, ...add],
    ]
  },
)
