// Counts the line feeds in the first `length` bytes of the text; -1 if there is a `\r` among them. Sixteen null bytes must follow.

import {
  add,
  bitOfEachByte,
  countOnes,
  end,
  equalBytes,
  ifTrue,
  inEachByte,
  isAnyBitSet,
  isLess,
  leave,
  loadSixteen,
  loop,
  number,
  orVectors,
  repeatOuter,
  type WrittenFunction,
  written,
} from './assembler.ts'

export const lineCount: WrittenFunction = written(
  { parameters: ['length'], integers: ['at', 'count'], vectors: ['lineFeeds', 'returns', 'bytes', 'found'] },
  ({ get, set, setAndKeep }) => [
    ...[...number(10), ...inEachByte, ...set('lineFeeds'), ...number(13), ...inEachByte, ...set('returns')],
    ...[...loop, ...get('at'), ...get('length'), ...isLess, ...ifTrue],
    ...[...get('at'), ...loadSixteen(0), ...setAndKeep('bytes'), ...get('lineFeeds'), ...equalBytes],
    ...[...bitOfEachByte, ...countOnes, ...get('count'), ...add, ...set('count')],
    ...[...get('bytes'), ...get('returns'), ...equalBytes, ...get('found'), ...orVectors, ...set('found')],
    ...[...get('at'), ...number(16), ...add, ...set('at'), ...repeatOuter],
    ...[...end, ...end],
    ...[...get('found'), ...isAnyBitSet, ...ifTrue, ...number(-1), ...leave, ...end],
    ...get('count'),
  ],
)
