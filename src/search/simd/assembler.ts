// WebAssembly, written instruction by instruction: the functions are short, and the build has no tool for another notation.

export type Code = readonly number[]

const unsigned = (value: number): Code => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)])
const signed = (value: number): Code => {
  const rest = value >> 7
  const isLast = (rest === 0 && (value & 64) === 0) || (rest === -1 && (value & 64) !== 0)
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(rest)]
}
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const sized = (code: Code): Code => [...unsigned(code.length), ...code]
const section = (kind: number, code: Code): Code => [kind, ...sized(code)]
const nameOf = (text: string): Code => sized([...text].map(letter => letter.charCodeAt(0)))
const vectorOperation = (operation: number): Code => [0xfd, ...unsigned(operation)]

const integer = 0x7f
const longInteger = 0x7e
const vector = 0x7b

export const number = (value: number): Code => [0x41, ...signed(value)]

export const add: Code = [0x6a]
export const subtract: Code = [0x6b]
export const multiply: Code = [0x6c]
export const and: Code = [0x71]
export const or: Code = [0x72]
export const xor: Code = [0x73]
/** Each bit of an integer. */
export const invert: Code = [0x41, 0x7f, 0x73]
export const shiftLeft: Code = [0x74]
export const shiftRight: Code = [0x76]
export const isLess: Code = [0x49]
export const isAtLeast: Code = [0x4f]
export const isMore: Code = [0x4b]
export const leadingZeros: Code = [0x67]
export const trailingZeros: Code = [0x68]
export const countOnes: Code = [0x69]

export const lowWord: Code = [0xa7]
/** The high word of a long integer, as one. */
export const highWord: Code = [0x42, 32, 0x88]

/** At the address, plus `offset`: a word, its low half, or its low byte. */
export const storeWord = (offset: number): Code => [0x36, 2, ...unsigned(offset)]
export const storeHalf = (offset: number): Code => [0x3b, 0, ...unsigned(offset)]
export const storeByte = (offset: number): Code => [0x3a, 0, ...unsigned(offset)]
export const storeSixteen = (offset: number): Code => [...vectorOperation(0x0b), 0, ...unsigned(offset)]
export const loadSixteen = (offset: number): Code => [...vectorOperation(0x00), 0, ...unsigned(offset)]

export const inEachByte: Code = vectorOperation(0x0f)
export const inEachWord: Code = vectorOperation(0x11)
export const equalBytes: Code = vectorOperation(0x23)
/** Without sign. */
export const lessBytes: Code = vectorOperation(0x26)
export const subtractBytes: Code = vectorOperation(0x71)
export const shiftWordsLeft: Code = vectorOperation(0xab)
export const shiftWordsRight: Code = vectorOperation(0xad)
export const multiplyWords: Code = vectorOperation(0xb5)
export const wordAt = (lane: number): Code => [...vectorOperation(0x1b), lane]
export const longAt = (lane: number): Code => [...vectorOperation(0x1d), lane]
/** The bytes of two vectors, 0 to 31, in the given order. */
export const choosingBytes = (places: readonly number[]): Code => [...vectorOperation(0x0d), ...places]
export const andVectors: Code = vectorOperation(0x4e)
export const orVectors: Code = vectorOperation(0x50)
export const xorVectors: Code = vectorOperation(0x51)
export const isAnyBitSet: Code = vectorOperation(0x53)
/** The high bit of each byte. */
export const bitOfEachByte: Code = vectorOperation(0x64)

export const loop: Code = [0x03, 0x40]
export const ifTrue: Code = [0x04, 0x40]
export const end: Code = [0x0b]
export const leave: Code = [0x0f]
export const repeatIfTrue: Code = [0x0d, 0]
/** From inside of an `ifTrue` in the loop. */
export const repeatOuter: Code = [0x0c, 1]

export interface Variables<Name extends string> {
  readonly get: (name: Name) => Code
  readonly set: (name: Name) => Code
  readonly setAndKeep: (name: Name) => Code
}

/** A function of integers that returns an integer, which its body leaves on the stack. */
export interface WrittenFunction {
  readonly parameterCount: number
  readonly code: Code
}

export function written<P extends string, I extends string, V extends string, L extends string = never>(
  names: {
    readonly parameters: readonly P[]
    readonly integers: readonly I[]
    readonly longs?: readonly L[]
    readonly vectors: readonly V[]
  },
  bodyOf: (variables: Variables<P | I | L | V>) => Code,
): WrittenFunction {
  const { longs = [] } = names
  const all: readonly (P | I | L | V)[] = [...names.parameters, ...names.integers, ...longs, ...names.vectors]
  const index = (name: P | I | L | V): Code => unsigned(all.indexOf(name))
  const body = bodyOf({
    get: name => [0x20, ...index(name)],
    set: name => [0x21, ...index(name)],
    setAndKeep: name => [0x22, ...index(name)],
  })
  const locals = list([
    [...unsigned(names.integers.length), integer],
    [...unsigned(longs.length), longInteger],
    [...unsigned(names.vectors.length), vector],
  ])
  return { parameterCount: names.parameters.length, code: sized([...locals, ...body, ...end]) }
}

/** A module that exports `memory` and the functions under their names. */
export function moduleOf(memoryPages: number, functions: Readonly<Record<string, WrittenFunction>>): Uint8Array<ArrayBuffer> {
  const all = Object.entries(functions)
  const types = all.map(([, { parameterCount }]) => [
    0x60,
    ...list(Array.from({ length: parameterCount }, () => [integer])),
    ...list([[integer]]),
  ])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(3, list(all.map((_, index) => unsigned(index)))),
    ...section(5, list([[1, ...unsigned(memoryPages), ...unsigned(memoryPages)]])),
    ...section(7, list([[...nameOf('memory'), 2, 0], ...all.map(([name], index) => [...nameOf(name), 0, ...unsigned(index)])])),
    ...section(10, list(all.map(([, { code }]) => code))),
  ])
}
