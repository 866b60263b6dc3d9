// A WebAssembly function that compares sixteen positions of a text at a time with two bytes at given distances. It is written
// here instruction by instruction, because it is short and the build has no tool for another notation.
//
// The memory holds the text from 0 and the results from `foundOffset`. Of the parameters, each `distance` is counted from the
// position to the byte, and each `mask` has the bits to ignore (0x20 for letters of either case, else 0).

/** The maximum size of the text in the memory. Sixteen more bytes follow, which may be compared but never count. */
export const maxTextBytes: number = 2 ** 19 - 16
/** The offset of the results, four bytes each. */
export const foundOffset: number = 2 ** 19
export const maxFound: number = 2 ** 14

/** Returns how many of the first `places` positions match, or -1 if there are more than `maxFound`. */
export type PairScan = (
  places: number,
  firstDistance: number,
  firstByte: number,
  firstMask: number,
  secondDistance: number,
  secondByte: number,
  secondMask: number,
) => number

/** The indexes of the variables: first the parameters, then the locals. */
const variable = {
  places: 0,
  firstDistance: 1,
  firstByte: 2,
  firstMask: 3,
  secondDistance: 4,
  secondByte: 5,
  secondMask: 6,
  at: 7,
  count: 8,
  fits: 9,
  place: 10,
  firstBytes: 11,
  firstMasks: 12,
  secondBytes: 13,
  secondMasks: 14,
} as const

type Variable = keyof typeof variable
type Code = readonly number[]

const unsigned = (value: number): Code => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)])
const signed = (value: number): Code => {
  const rest = value >> 7
  const isLast = (rest === 0 && (value & 64) === 0) || (rest === -1 && (value & 64) !== 0)
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(rest)]
}
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const sized = (code: Code): Code => [...unsigned(code.length), ...code]
const simd = (operation: number): Code => [0xfd, ...unsigned(operation)]

const get = (name: Variable): Code => [0x20, ...unsigned(variable[name])]
const set = (name: Variable): Code => [0x21, ...unsigned(variable[name])]
const setAndKeep = (name: Variable): Code => [0x22, ...unsigned(variable[name])]
const number = (value: number): Code => [0x41, ...signed(value)]

const add = [0x6a]
const subtract = [0x6b]
const and = [0x71]
const shiftLeft = [0x74]
const isLess = [0x49]
const isAtLeast = [0x4f]
const trailingZeros = [0x68]
const store = [0x36, 2, ...unsigned(foundOffset)]
const loadSixteen = [...simd(0x00), 0, 0]
const inEachLane = simd(0x0f)
const equalLanes = simd(0x23)
const andLanes = simd(0x4e)
const orLanes = simd(0x50)
const bitOfEachLane = simd(0x64)

const loop = [0x03, 0x40]
const ifTrue = [0x04, 0x40]
const end = [0x0b]
const leave = [0x0f]
const repeatIfTrue = [0x0d, 0]
const repeatOuter = [0x0c, 1]

const spread = (from: Variable, to: Variable): Code => [...get(from), ...inEachLane, ...set(to)]
const lanesThatFit = (distance: Variable, masks: Variable, bytes: Variable): Code => [
  ...[...get('at'), ...get(distance), ...add, ...loadSixteen],
  ...[...get(masks), ...orLanes, ...get(bytes), ...equalLanes],
]

const noteEachPlace: Code = [
  ...loop,
  ...[...get('at'), ...get('fits'), ...trailingZeros, ...add, ...setAndKeep('place')],
  ...[...get('places'), ...isAtLeast, ...ifTrue, ...get('count'), ...leave, ...end],
  ...[...get('count'), ...number(maxFound), ...isAtLeast, ...ifTrue, ...number(-1), ...leave, ...end],
  ...[...get('count'), ...number(2), ...shiftLeft, ...get('place'), ...store],
  ...[...get('count'), ...number(1), ...add, ...set('count')],
  // Clears the lowest bit.
  ...[...get('fits'), ...get('fits'), ...number(1), ...subtract, ...and, ...setAndKeep('fits'), ...repeatIfTrue],
  ...end,
]

const body: Code = [
  ...spread('firstByte', 'firstBytes'),
  ...spread('firstMask', 'firstMasks'),
  ...spread('secondByte', 'secondBytes'),
  ...spread('secondMask', 'secondMasks'),
  ...[...loop, ...get('at'), ...get('places'), ...isLess, ...ifTrue],
  ...lanesThatFit('firstDistance', 'firstMasks', 'firstBytes'),
  ...lanesThatFit('secondDistance', 'secondMasks', 'secondBytes'),
  ...[...andLanes, ...bitOfEachLane, ...setAndKeep('fits'), ...ifTrue, ...noteEachPlace, ...end],
  ...[...get('at'), ...number(16), ...add, ...set('at'), ...repeatOuter],
  ...[...end, ...end],
  ...[...get('count'), ...end],
]

const integer = 0x7f
const vector = 0x7b
const parameters = 7
const section = (kind: number, code: Code): Code => [kind, ...sized(code)]
const name = (text: string): Code => sized([...text].map(letter => letter.charCodeAt(0)))
const memoryPages = 9

/** Encodes the module, which exports `memory` and `scan`, a {@link PairScan}. */
export function pairScanModule(): Uint8Array<ArrayBuffer> {
  const type = [0x60, ...list(Array.from({ length: parameters }, () => [integer])), ...list([[integer]])]
  const locals = list([
    [4, integer],
    [4, vector],
  ])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([type])),
    ...section(3, list([[0]])),
    ...section(5, list([[1, memoryPages, memoryPages]])),
    ...section(
      7,
      list([
        [...name('memory'), 2, 0],
        [...name('scan'), 0, 0],
      ]),
    ),
    ...section(10, list([sized([...locals, ...body])])),
  ])
}
