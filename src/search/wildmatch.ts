// Git's wildcard rules, applied to bytes as in git: `?` is one byte of a name, not one character, and `**` is special only between slashes.
// Written from gitignore(5) and checked against `git check-ignore` (ignore.test.ts).

type Token =
  | { readonly kind: 'byte'; readonly byte: number }
  /** `?` and `[…]`: a table of 256 flags. Neither matches a slash in a path. */
  | { readonly kind: 'oneOf'; readonly table: Uint8Array }
  /** `canVanish`: `**` before a slash may match no directory at all, including its slash. */
  | { readonly kind: 'star'; readonly crossesSlashes: boolean; readonly canVanish: boolean }

/** `undefined`: the pattern is malformed and matches nothing, as in git. */
export type Wildcard = readonly Token[] | undefined

const slash = 0x2f
const star = 0x2a
const backslash = 0x5c

/** `isPath`: only `**` between slashes crosses a slash. Otherwise every star may, because the text is a single name. */
export function compileWildcard(pattern: Uint8Array, isPath: boolean): Wildcard {
  const tokens: Token[] = []
  let index = 0
  while (index < pattern.length) {
    const byte = pattern[index] ?? 0
    if (byte === backslash) {
      const escaped = pattern[index + 1]
      if (escaped === undefined) return undefined
      tokens.push({ kind: 'byte', byte: escaped })
      index += 2
    } else if (byte === 0x3f) {
      tokens.push({ kind: 'oneOf', table: oneOf(isPath, () => true) })
      index++
    } else if (byte === star) {
      const start = index
      while (pattern[index] === star) index++
      tokens.push(starToken(pattern, start, index, isPath))
    } else if (byte === 0x5b) {
      const read = readClass(pattern, index + 1)
      if (read === undefined) return undefined
      tokens.push({ kind: 'oneOf', table: oneOf(isPath, candidate => read.has(candidate)) })
      index = read.next
    } else {
      tokens.push({ kind: 'byte', byte })
      index++
    }
  }
  return tokens
}

function starToken(pattern: Uint8Array, start: number, end: number, isPath: boolean): Token {
  if (!isPath) return { kind: 'star', crossesSlashes: true, canVanish: false }
  const next = pattern[end]
  const isBeforeSlash = next === slash || (next === backslash && pattern[end + 1] === slash)
  const isWhole = (start === 0 || pattern[start - 1] === slash) && (next === undefined || isBeforeSlash)
  const isDouble = end - start > 1 && isWhole
  return { kind: 'star', crossesSlashes: isDouble, canVanish: isDouble && next === slash }
}

function oneOf(isPath: boolean, has: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (byte !== 0 && !(isPath && byte === slash) && has(byte) ? 1 : 0))
}

interface ReadClass {
  readonly has: (byte: number) => boolean
  /** After the closing bracket. */
  readonly next: number
}

/** Parses a class after its `[`; `undefined` if it is malformed. A `]` in first place is a member. */
function readClass(pattern: Uint8Array, start: number): ReadClass | undefined {
  let index = start
  const isNegated = pattern[index] === 0x21 || pattern[index] === 0x5e
  if (isNegated) index++
  const members = new Uint8Array(256)
  // Where a range may begin: directly after a single member, not after a range or a named class.
  let rangeStart: number | undefined
  for (let isFirst = true; isFirst || pattern[index] !== 0x5d; isFirst = false) {
    const byte = pattern[index]
    if (byte === undefined) return undefined
    if (byte === 0x2d && rangeStart !== undefined && pattern[index + 1] !== undefined && pattern[index + 1] !== 0x5d) {
      index++
      if (pattern[index] === backslash) index++
      const last = pattern[index]
      if (last === undefined) return undefined
      for (let member = rangeStart; member <= last; member++) members[member] = 1
      rangeStart = undefined
      index++
    } else if (byte === 0x5b && pattern[index + 1] === 0x3a) {
      const end = pattern.indexOf(0x5d, index + 2)
      if (end === -1) return undefined
      if (end === index + 2 || pattern[end - 1] !== 0x3a) {
        // `[:` without `:]` is two plain members.
        members[byte] = 1
        rangeStart = byte
        index++
      } else {
        const name = namedClasses[String.fromCharCode(...pattern.subarray(index + 2, end - 1))]
        if (name === undefined) return undefined
        for (let member = 0; member < 128; member++) if (name.test(String.fromCharCode(member))) members[member] = 1
        rangeStart = undefined
        index = end + 1
      }
    } else {
      if (byte === backslash) index++
      const member = pattern[index]
      if (member === undefined) return undefined
      members[member] = 1
      rangeStart = member
      index++
    }
  }
  return { has: byte => (members[byte] === 1) !== isNegated, next: index + 1 }
}

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

/** Whether `wildcard` matches all of `text`. Takes at most tokens × bytes steps, because each failed pair is remembered. */
export function matchesWildcard(wildcard: Wildcard, text: Uint8Array): boolean {
  if (wildcard === undefined) return false
  return matchFrom(wildcard, 0, text, 0, new Uint8Array((wildcard.length + 1) * (text.length + 1)))
}

function matchFrom(
  tokens: readonly Token[],
  tokenStart: number,
  text: Uint8Array,
  textStart: number,
  failed: Uint8Array,
): boolean {
  let at = textStart
  for (let index = tokenStart; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'star') return matchStar(tokens, index, token, text, at, failed)
    const byte = text[at]
    if (byte === undefined || (token.kind === 'byte' ? token.byte !== byte : token.table[byte] !== 1)) return false
    at++
  }
  return at === text.length
}

function matchStar(
  tokens: readonly Token[],
  index: number,
  token: Extract<Token, { kind: 'star' }>,
  text: Uint8Array,
  start: number,
  failed: Uint8Array,
): boolean {
  const key = index * (text.length + 1) + start
  if (failed[key] === 1) return false
  if (token.canVanish && matchFrom(tokens, index + 2, text, start, failed)) return true
  for (let at = start; at <= text.length; at++) {
    if (matchFrom(tokens, index + 1, text, at, failed)) return true
    if (text[at] === slash && !token.crossesSlashes) break
  }
  failed[key] = 1
  return false
}
