// Compares sixteen positions of the text at a time with two bytes at given distances. Each `distance` is counted from the position to
// the byte, and each `mask` has the bits to ignore (0x20 for letters of either case, else 0). Returns how many of the first `places`
// positions match, or -1 if there are more than `maxFound`; they are noted from `foundOffset` on.

import {
  add,
  and,
  andVectors,
  bitOfEachByte,
  end,
  equalBytes,
  ifTrue,
  inEachByte,
  isAtLeast,
  isLess,
  leave,
  loadSixteen,
  loop,
  number,
  orVectors,
  repeatIfTrue,
  repeatOuter,
  shiftLeft,
  storeWord,
  subtract,
  trailingZeros,
  type WrittenFunction,
  written,
} from './assembler.ts'
import { foundOffset, maxFound } from './layout.ts'

export const pairScan: WrittenFunction = written(
  {
    parameters: ['places', 'firstDistance', 'firstByte', 'firstMask', 'secondDistance', 'secondByte', 'secondMask'],
    integers: ['at', 'count', 'fits', 'place'],
    vectors: ['firstBytes', 'firstMasks', 'secondBytes', 'secondMasks'],
  },
  ({ get, set, setAndKeep }) => {
    const bytesThatFit = (
      distance: 'firstDistance' | 'secondDistance',
      masks: 'firstMasks' | 'secondMasks',
      bytes: 'firstBytes' | 'secondBytes',
    ) => [
      ...[...get('at'), ...get(distance), ...add, ...loadSixteen(0)],
      ...[...get(masks), ...orVectors, ...get(bytes), ...equalBytes],
    ]
    const noteEachPlace = [
      ...loop,
      ...[...get('at'), ...get('fits'), ...trailingZeros, ...add, ...setAndKeep('place')],
      ...[...get('places'), ...isAtLeast, ...ifTrue, ...get('count'), ...leave, ...end],
      ...[...get('count'), ...number(maxFound), ...isAtLeast, ...ifTrue, ...number(-1), ...leave, ...end],
      ...[...get('count'), ...number(2), ...shiftLeft, ...get('place'), ...storeWord(foundOffset)],
      ...[...get('count'), ...number(1), ...add, ...set('count')],
      // Clears the lowest bit.
      ...[...get('fits'), ...get('fits'), ...number(1), ...subtract, ...and, ...setAndKeep('fits'), ...repeatIfTrue],
      ...end,
    ]
    return [
      ...[...get('firstByte'), ...inEachByte, ...set('firstBytes'), ...get('firstMask'), ...inEachByte, ...set('firstMasks')],
      ...[...get('secondByte'), ...inEachByte, ...set('secondBytes'), ...get('secondMask'), ...inEachByte, ...set('secondMasks')],
      ...[...loop, ...get('at'), ...get('places'), ...isLess, ...ifTrue],
      ...bytesThatFit('firstDistance', 'firstMasks', 'firstBytes'),
      ...bytesThatFit('secondDistance', 'secondMasks', 'secondBytes'),
      ...[...andVectors, ...bitOfEachByte, ...setAndKeep('fits'), ...ifTrue, ...noteEachPlace, ...end],
      ...[...get('at'), ...number(16), ...add, ...set('at'), ...repeatOuter],
      ...[...end, ...end],
      ...get('count'),
    ]
  },
)
