import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Text } from '../../encoding.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { paceOf, type Pace } from '../pace.ts'
import { complain, readNamed, reasonOf } from '../program.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const group = /^(?:[A-Z2-7]{8}|[A-Z2-7]{7}=|[A-Z2-7]{5}={3}|[A-Z2-7]{4}={4}|[A-Z2-7]{2}={6})$/

/** `base32 [-d] [-i] [-w COLUMNS] [FILE]`. */
export async function base32(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-d': 'd',
    '--decode': 'd',
    '-i': 'i',
    '--ignore-garbage': 'i',
    '-w': 'width=',
    '--wrap': 'width=',
  })
  if (typeof parsed === 'string') return complain(context, 'base32', parsed)
  const [name = '-', extra] = parsed.operands
  if (extra !== undefined) return complain(context, 'base32', `extra operand '${extra}'`)
  const width = valueOf(parsed, 'width') ?? '76'
  if (!/^\d+$/.test(width)) return complain(context, 'base32', `invalid wrap size: '${width}'`)
  let bytes: Uint8Array
  try {
    bytes = await readNamed(context, name)
  } catch (error) {
    return complain(context, 'base32', `${name}: ${reasonOf(error)}`)
  }
  const pace = paceOf(context.signal)
  if (has(parsed, 'd')) return decode(bytes, has(parsed, 'i'), context, pace)
  const columns = Number(width)
  let line = ''
  for (let at = 0; at < bytes.length; at += partBytes) {
    const text = line + encode(bytes.subarray(at, at + partBytes))
    const whole = columns === 0 ? text.length : text.length - (text.length % columns)
    line = text.slice(whole)
    const lines = text.slice(0, whole)
    await context.stdout.write(columns === 0 ? lines : lines.replace(new RegExp(`.{${columns}}`, 'g'), '$&\n'))
    if (pace.isDue(4 * partBytes)) await pace.rest()
  }
  if (line !== '') await context.stdout.write(`${line}\n`)
  return 0
}

/** A multiple of the five bytes of a group. */
const partBytes = 40 * 1024

function encode(bytes: Uint8Array): string {
  let text = ''
  let [value, bits] = [0, 0]
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((value >> (bits - 5)) & 31)
    value &= 31
  }
  if (bits > 0) text += alphabet.charAt((value << (5 - bits)) & 31)
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=')
}

/** Decodes base32. Output before the first invalid group is still written. */
async function decode(packed: Uint8Array, ignoresGarbage: boolean, context: ShellCommandContext, pace: Pace): Promise<number> {
  let rest = ''
  for (let at = 0; at < packed.length; at += partBytes) {
    const isLast = at + partBytes >= packed.length
    const text = rest + latin1Text(packed.subarray(at, at + partBytes)).replace(ignoresGarbage ? /[^A-Z2-7=]/g : /\n/g, '')
    const whole = isLast ? text.length : text.length - (text.length % 8)
    rest = text.slice(whole)
    const { bytes, isRight } = decodeGroups(text.slice(0, whole))
    await context.stdout.write(bytes)
    if (!isRight) return complain(context, 'base32', 'invalid input')
    if (pace.isDue(4 * partBytes)) await pace.rest()
  }
  return 0
}

function decodeGroups(text: string): { readonly bytes: Uint8Array; readonly isRight: boolean } {
  const bytes: number[] = []
  let isRight = true
  for (let at = 0; at < text.length && isRight; at += 8) {
    const part = text.slice(at, at + 8)
    isRight = group.test(part)
    let [value, bits] = [0, 0]
    for (const letter of isRight ? part.replace(/=+$/, '') : '') {
      value = (value << 5) | alphabet.indexOf(letter)
      bits += 5
      if (bits < 8) continue
      bits -= 8
      bytes.push((value >> bits) & 255)
      value &= (1 << bits) - 1
    }
  }
  return { bytes: Uint8Array.from(bytes), isRight }
}
