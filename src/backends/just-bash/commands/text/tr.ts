// tr as a stream. As in GNU tr, it works on bytes: a multibyte character in a set stands for each of its bytes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { bytesOfArgument } from '../inputs.ts'
import { has, parseArguments, type OptionTable } from '../options.ts'
import { complain } from '../program.ts'

const table: OptionTable = {
  '-d': 'delete',
  '--delete': 'delete',
  '-s': 'squeeze',
  '--squeeze-repeats': 'squeeze',
  '-c': 'complement',
  '-C': 'complement',
  '--complement': 'complement',
  '-t': 'truncate',
  '--truncate-set1': 'truncate',
}

/** `tr [-cdst] SET1 [SET2]` */
export async function tr(context: ShellCommandContext): Promise<number> {
  const take = readTranslation(context.args)
  if (typeof take === 'string') return complain(context, 'tr', take)
  const { stdin, stdout } = context
  for (let piece = await stdin.read(); piece !== undefined; piece = await stdin.read())
    await stdout.write(latin1Bytes(take(latin1Text(piece))))
  return 0
}

/** Translates one piece of input after the other. */
type Translation = (text: string) => string

/** Parses the arguments; a string is an error message. */
function readTranslation(args: readonly string[]): Translation | string {
  const parsed = parseArguments(args, table, true)
  if (typeof parsed === 'string') return parsed
  const [first, second, ...rest] = parsed.operands
  const deletes = has(parsed, 'delete')
  const squeezes = has(parsed, 'squeeze')
  if (first === undefined) return 'missing operand'
  if (rest.length > 0 || (deletes && !squeezes && second !== undefined)) return 'extra operand'
  if (second === undefined && !deletes && !squeezes) return `missing operand after '${first}': two sets are needed to translate`
  if (second === undefined && deletes && squeezes) return 'two sets are needed to delete and squeeze'
  const from = expand(bytesOfArgument(first), Infinity)
  if (typeof from === 'string') return from
  const to = second === undefined ? undefined : expand(bytesOfArgument(second), from.length)
  if (typeof to === 'string') return to
  const set = new Set(from)
  const isFrom = has(parsed, 'complement')
    ? (character: string) => !set.has(character)
    : (character: string) => set.has(character)
  const translates = to !== undefined && !deletes
  if (translates && to.length === 0) return 'when translating, the second set must not be empty'
  const targets = new Map<string, string>()
  if (translates && !has(parsed, 'complement')) {
    // If a character occurs repeatedly in the set, its last occurrence applies.
    for (const [index, character] of from.entries()) {
      const target = to[index] ?? (has(parsed, 'truncate') ? character : to.at(-1))
      targets.set(character, target ?? character)
    }
  }
  const last = to?.at(-1) ?? ''
  const squeezed = squeezes ? (to === undefined ? isFrom : (character: string) => to.includes(character)) : () => false
  let previous: string | undefined
  return text => {
    let output = ''
    for (const character of text) {
      if (deletes && isFrom(character)) continue
      const written = translates && isFrom(character) ? (targets.get(character) ?? last) : character
      if (written === previous && squeezed(written)) continue
      output += written
      previous = written
    }
    return output
  }
}

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
const upper = range(65, 90)
const lower = range(97, 122)
const digits = range(48, 57)
const punctuation = [...range(33, 47), ...range(58, 64), ...range(91, 96), ...range(123, 126)]
const classes: Readonly<Record<string, readonly string[]>> = {
  alnum: [...digits, ...upper, ...lower],
  alpha: [...upper, ...lower],
  blank: ['\t', ' '],
  cntrl: [...range(0, 31), '\x7f'],
  digit: digits,
  graph: range(33, 126),
  lower,
  print: range(32, 126),
  punct: punctuation,
  space: range(9, 13).concat(' '),
  upper,
  xdigit: [...digits, ...range(65, 70), ...range(97, 102)],
}
const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const largestRange = 0x10000

/** The characters of a set in order; a string is an error message. `[x*]` repeats until `length`. */
function expand(set: string, length: number): readonly string[] | string {
  const found: string[] = []
  const parts = [...set.matchAll(/\[:(\w+):\]|\[=(.)=\]|\[(.)\*(\d*)\]|\\([0-7]{1,3})|\\([^])|([^])/gu)]
  for (let index = 0; index < parts.length; index++) {
    const [, name, equal, repeated, times = ''] = parts[index] ?? []
    if (name !== undefined) {
      const members = classes[name]
      if (members === undefined) return `invalid character class '${name}'`
      found.push(...members)
    } else if (repeated !== undefined) {
      const wanted = times === '' ? length - found.length : Number.parseInt(times, times.startsWith('0') ? 8 : 10)
      if (!Number.isFinite(wanted) || wanted > largestRange) return "a repeat such as '[x*]' may stand in the second set only"
      found.push(...Array.from({ length: Math.max(0, wanted) }, () => repeated))
    } else {
      const first = equal ?? single(parts[index])
      const follower = parts[index + 2]
      if (parts[index + 1]?.[7] === '-' && follower !== undefined && follower[1] === undefined) {
        const last = single(follower)
        const [low = 0, high = 0] = [first.codePointAt(0), last.codePointAt(0)]
        if (high < low) return `the range '${first}-${last}' is in reverse order`
        if (high - low > largestRange) return `the range '${first}-${last}' is too large`
        found.push(...range(low, high))
        index += 2
      } else found.push(first)
    }
  }
  return found
}

function single(part: RegExpMatchArray | undefined): string {
  const [, , equal, , , octal, escaped, plain] = part ?? []
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  if (escaped !== undefined) return escapes[escaped] ?? escaped
  return plain ?? equal ?? '['
}
