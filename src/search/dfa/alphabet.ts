// The automaton reads classes of characters, not characters: two characters that no part of the pattern distinguishes are in one class. The
// classes of ASCII are computed at the start; those of other characters when a text contains them, so no Unicode table is needed for a
// search.

import type { ClassExpression } from '../regex/syntax.ts'
import { holdsCodePoint } from './class-test.ts'
import type { Program } from './program.ts'
import { isByteCharacter } from '../regex/byte-characters.ts'
import { wordClass } from '../regex/unicode.ts'

/** Kinds of neighbouring characters, as assertions distinguish them. Bits, so that a set of kinds is one number. */
export const kindWord = 1
export const kindOther = 2
export const kindNewline = 4
/** No neighbour: the text has ended, or has not begun. */
export const kindEdge = 8
/** A byte that is not part of a valid character. Where words are those of ASCII, it is `kindOther`. */
export const kindInvalid = 16
/** `\r`, if the pattern has an assertion about it; else it is `kindOther`. */
export const kindReturn = 32
export const anyKind = 63
/** The number of bits of {@link anyKind}. */
export const kindBits = 6

/** Is 0 in every state: the byte starts a character that needs more than one byte to identify. */
export const foreignClass = 0
export const newlineClass = 1
export const returnClass = 2
export const edgeClass = 3
/** The classes below it are the same for every pattern. */
export const firstFreeClass = 4

export interface Alphabet {
  readonly classOfByte: Uint8Array
  /** The class of a non-ASCII character; may create one. */
  readonly classOf: (codePoint: number) => number
  readonly kindOf: (classId: number) => number
  /** One bit for each set: whether the class is in it. Read it with {@link isMember}. */
  readonly membersOf: (classId: number) => Uint8Array
  readonly size: () => number
}

export interface AlphabetOptions {
  /** `line`: a line break ends the text. `text`: it is a character of one or two bytes. */
  readonly scope: 'line' | 'text'
  /** `\r` is an ordinary character. */
  readonly seesCarriageReturns: boolean
  /** Default false: letters of all scripts are word characters. */
  readonly hasAsciiWords?: boolean
}

const lineFeed = 10
const carriageReturn = 13

export function createAlphabet(
  { sets, hasWordAssertion, hasReturnAssertion }: Program,
  { scope, seesCarriageReturns, hasAsciiWords = false }: AlphabetOptions,
): Alphabet {
  const classes = new Map<string, number>()
  const members: Uint8Array[] = []
  const kinds: number[] = []
  const word: ClassExpression = { kind: 'named', classSource: hasAsciiWords ? 'A-Za-z0-9_' : wordClass }

  function addClass(codePoint: number, kind: number): number {
    members.push(memberBits(sets, codePoint))
    return kinds.push(kind) - 1
  }
  function wordKindOf(codePoint: number): number {
    if (!hasAsciiWords && isByteCharacter(codePoint)) return kindInvalid
    return holdsCodePoint(word, codePoint) ? kindWord : kindOther
  }
  function classFor(codePoint: number): number {
    const isReturn = hasReturnAssertion && codePoint === carriageReturn
    const kind = isReturn ? kindReturn : hasWordAssertion ? wordKindOf(codePoint) : kindOther
    const signature = `${kind}${sets.map(set => (holdsCodePoint(set, codePoint) ? '1' : '0')).join('')}`
    const known = classes.get(signature)
    if (known !== undefined) return known
    const added = addClass(codePoint, kind)
    classes.set(signature, added)
    return added
  }

  const nothing = new Uint8Array((sets.length >> 3) + 1)
  for (const kind of [0, kindNewline, kindNewline, kindEdge]) {
    members.push(nothing)
    kinds.push(kind)
  }
  if (members.length !== firstFreeClass) throw new Error('unreachable: reserved classes are numbered wrongly')
  // In a text, both forms of a line break are this one character; a line never contains it.
  if (scope === 'text') members[newlineClass] = memberBits(sets, lineFeed)

  const classOfByte = new Uint8Array(256)
  for (let byte = 0; byte < 128; byte++) {
    if (byte === lineFeed) classOfByte[byte] = newlineClass
    else if (byte === carriageReturn && !seesCarriageReturns) classOfByte[byte] = scope === 'line' ? returnClass : foreignClass
    else classOfByte[byte] = classFor(byte)
  }

  // In pages of 256 code points, which is about the size of a script.
  const pages = new Map<number, Int32Array>()
  return {
    classOfByte,
    classOf(codePoint) {
      let page = pages.get(codePoint >> 8)
      if (page === undefined) {
        page = new Int32Array(256)
        pages.set(codePoint >> 8, page)
      }
      const known = page[codePoint & 0xff] ?? 0
      if (known !== 0) return known
      const found = classFor(codePoint)
      page[codePoint & 0xff] = found
      return found
    },
    kindOf: classId => kinds[classId] ?? 0,
    membersOf: classId => members[classId] ?? nothing,
    size: () => kinds.length,
  }
}

export function isMember(members: Uint8Array, set: number): boolean {
  return (((members[set >> 3] ?? 0) >> (set & 7)) & 1) === 1
}

function memberBits(sets: readonly ClassExpression[], codePoint: number): Uint8Array {
  const bits = new Uint8Array((sets.length >> 3) + 1)
  for (const [index, set] of sets.entries()) {
    if (holdsCodePoint(set, codePoint)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return bits
}
