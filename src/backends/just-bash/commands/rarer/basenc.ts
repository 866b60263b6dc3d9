// basenc: one of several encodings of bytes as text.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Text } from '../../encoding.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, readNamed, reasonOf } from '../program.ts'

interface Encoding {
  readonly alphabet: string
  readonly bits: number
  /** The letters of a whole group; shorter ones are filled with `=`. */
  readonly groupLength: number
  readonly isLowestFirst?: boolean
}

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const encodings: Readonly<Record<string, Encoding>> = {
  base64: { alphabet: `${letters}${letters.toLowerCase()}${digits}+/`, bits: 6, groupLength: 4 },
  base64url: { alphabet: `${letters}${letters.toLowerCase()}${digits}-_`, bits: 6, groupLength: 4 },
  base32: { alphabet: `${letters}234567`, bits: 5, groupLength: 8 },
  base32hex: { alphabet: `${digits}${letters.slice(0, 22)}`, bits: 5, groupLength: 8 },
  base16: { alphabet: `${digits}ABCDEF`, bits: 4, groupLength: 2 },
  base2msbf: { alphabet: '01', bits: 1, groupLength: 8 },
  base2lsbf: { alphabet: '01', bits: 1, groupLength: 8, isLowestFirst: true },
}

export async function basenc(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...Object.fromEntries(Object.keys(encodings).map(name => [`--${name}`, `to-${name}`])),
    '--z85': 'z85',
    '-d': 'd',
    '--decode': 'd',
    '-i': 'i',
    '--ignore-garbage': 'i',
    '-w': 'width=',
    '--wrap': 'width=',
  })
  if (typeof parsed === 'string') return complain(context, 'basenc', parsed)
  if (has(parsed, 'z85'))
    return complain(context, 'basenc', `--z85 is not available here; known are ${Object.keys(encodings).join(', ')}`)
  const chosen = parsed.options.findLast(({ name }) => name.startsWith('to-'))?.name.slice(3)
  const encoding = chosen === undefined ? undefined : encodings[chosen]
  if (encoding === undefined) return complain(context, 'basenc', 'missing encoding type')
  const [name = '-', extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'basenc', `extra operand '${extra}'`)
  const width = valueOf(parsed, 'width') ?? '76'
  if (!/^\d+$/.test(width)) return complain(context, 'basenc', `invalid wrap size: '${width}'`)
  let bytes: Uint8Array
  try {
    bytes = await readNamed(context, name)
  } catch (error) {
    return complain(context, 'basenc', `${name}: ${reasonOf(error)}`)
  }
  if (has(parsed, 'd')) {
    const text = latin1Text(bytes)
    const kept = has(parsed, 'i')
      ? Array.from(text, letter => (letter === '=' || encoding.alphabet.includes(letter) ? letter : '')).join('')
      : text.replaceAll('\n', '')
    const decoded = decode(kept, encoding)
    await context.stdout.write(decoded.bytes)
    return decoded.isWhole ? 0 : complain(context, 'basenc', 'invalid input')
  }
  const text = encode(bytes, encoding)
  await context.stdout.write(Number(width) === 0 ? text : text.replace(new RegExp(`.{1,${Number(width)}}`, 'g'), '$&\n'))
  return 0
}

function encode(bytes: Uint8Array, { alphabet, bits: letterBits, groupLength, isLowestFirst = false }: Encoding): string {
  let text = ''
  let [value, bits] = [0, 0]
  for (const byte of bytes) {
    value = (value << 8) | (isLowestFirst ? reversed(byte) : byte)
    for (bits += 8; bits >= letterBits; bits -= letterBits)
      text += alphabet.charAt((value >> (bits - letterBits)) & ((1 << letterBits) - 1))
    value &= (1 << bits) - 1
  }
  if (bits > 0) text += alphabet.charAt((value << (letterBits - bits)) & ((1 << letterBits) - 1))
  return text.padEnd(Math.ceil(text.length / groupLength) * groupLength, '=')
}

function decode(
  text: string,
  { alphabet, bits: letterBits, groupLength, isLowestFirst = false }: Encoding,
): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const bytes: number[] = []
  let [value, bits, count] = [0, 0, 0]
  const body = text.replace(/=+$/, '')
  for (const letter of body) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) return { bytes: Uint8Array.from(bytes), isWhole: false }
    value = (value << letterBits) | digit
    bits += letterBits
    count += 1
    if (bits < 8) continue
    bits -= 8
    const byte = (value >> bits) & 255
    bytes.push(isLowestFirst ? reversed(byte) : byte)
    value &= (1 << bits) - 1
  }
  return { bytes: Uint8Array.from(bytes), isWhole: text.length % groupLength === 0 && bits < letterBits && count === body.length }
}

function reversed(byte: number): number {
  return Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) << (7 - bit)).reduce((sum, bit) => sum | bit, 0)
}
