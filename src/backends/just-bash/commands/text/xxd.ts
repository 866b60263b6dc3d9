// xxd: the read tool tells a model to look at a binary file with it.

import { latin1Bytes } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInputs, recordsOf } from '../inputs.ts'
import { has, parseArguments, valueOf } from '../options.ts'

/** `xxd [-p] [-r] [-u] [-i] [-l N] [-s N] [-c N] [-g N] [FILE [OUTPUT]]`: bytes as hexadecimal, and back with -r. */
export async function xxd(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  // `-ps` and `-postscript` are -p, `-len 5` is -l 5.
  const usual = args.map(arg =>
    /^-(?:ps|plain|postscript)$/.test(arg) ? '-p' : arg.replace(/^-(l)en$|^-(s)eek$|^-(c)ols$/, '-$1$2$3'),
  )
  const parsed = parseArguments(usual, {
    '-p': 'plain',
    '-r': 'revert',
    '-u': 'upper',
    '-l': 'length=',
    '-s': 'skip=',
    '-c': 'columns=',
    '-g': 'group=',
  })
  if (typeof parsed === 'string') return failed('xxd', parsed)
  const isPlain = has(parsed, 'plain')
  const numberOf = (name: string, fallback: number): number => Number(valueOf(parsed, name) ?? fallback)
  const [columns, group] = [numberOf('columns', isPlain ? 30 : 16), numberOf('group', 2)]
  const [skip, length] = [numberOf('skip', 0), numberOf('length', Infinity)]
  if (!(columns >= 1 && columns <= 256)) return failed('xxd', 'the number of columns is 1 to 256')
  if ([group, skip, length].some(Number.isNaN)) return failed('xxd', 'the values of -l, -s and -g are numbers')
  const [input = '-', output, ...rest] = parsed.operands
  if (rest.length > 0) return failed('xxd', 'too many operands')
  const { found, problems } = await readInputs('xxd', [input], context)
  const bytes = found[0]?.bytes ?? ''
  if (problems !== '') return bytesResult('', problems, 2)
  const begin = skip < 0 ? Math.max(0, bytes.length + skip) : skip
  const part = bytes.slice(begin, begin + length)
  const text = has(parsed, 'revert')
    ? fromHex(bytes, isPlain)
    : isPlain
      ? plainDump(part, columns)
      : dump(part, begin, columns, group)
  if (text === undefined) return failed('xxd', 'the input is no dump; -r -p reads plain hexadecimal')
  const shown = has(parsed, 'upper') && !has(parsed, 'revert') ? upperHex(text, isPlain) : text
  if (output === undefined) return bytesResult(shown)
  await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), latin1Bytes(shown))
  return bytesResult('')
}

export function hexOf(bytes: string): string[] {
  return [...bytes].map(byte => byte.charCodeAt(0).toString(16).padStart(2, '0'))
}

export function printable(bytes: string): string {
  return bytes.replace(/[^ -~]/g, '.')
}

function plainDump(bytes: string, columns: number): string {
  const digits = hexOf(bytes).join('')
  return digits === '' ? '' : `${digits.match(new RegExp(`.{1,${columns * 2}}`, 'g'))?.join('\n') ?? ''}\n`
}

function dump(bytes: string, offset: number, columns: number, group: number): string {
  const groupSize = group === 0 ? columns : group
  const cells = (part: string): string =>
    hexOf(part).reduce((line, hex, index) => line + (index > 0 && index % groupSize === 0 ? ' ' : '') + hex, '')
  const width = columns * 2 + Math.ceil(columns / groupSize) - 1
  let lines = ''
  for (let at = 0; at < bytes.length; at += columns) {
    const part = bytes.slice(at, at + columns)
    lines += `${(offset + at).toString(16).padStart(8, '0')}: ${cells(part).padEnd(width)}  ${printable(part)}\n`
  }
  return lines
}

function upperHex(text: string, isPlain: boolean): string {
  if (isPlain) return text.toUpperCase()
  return text.replace(
    /^(\S+: )(.*?)(  )/gm,
    (_all, address: string, hex: string, gap: string) => address + hex.toUpperCase() + gap,
  )
}

const mostBytes = 256 * 1024 * 1024

/** `undefined` for what is no dump. A gap between two addresses becomes zeros. */
function fromHex(text: string, isPlain: boolean): string | undefined {
  if (isPlain) {
    const digits = text.replace(/\s+/g, '')
    return /^(?:[\da-fA-F]{2})*$/.test(digits) ? bytesOfHex(digits) : undefined
  }
  let bytes = ''
  for (const line of recordsOf(text)) {
    const [, address, hex] = /^([\da-fA-F]+): ?((?:[\da-fA-F]+ ?)*)/.exec(line) ?? []
    if (address === undefined || hex === undefined) return undefined
    const at = Number.parseInt(address, 16)
    if (at > mostBytes) return undefined
    bytes =
      bytes.padEnd(at, '\0').slice(0, at) +
      bytesOfHex(hex.replaceAll(' ', '')) +
      bytes.slice(at + hex.replaceAll(' ', '').length / 2)
  }
  return bytes
}

function bytesOfHex(digits: string): string {
  return digits.replace(/../g, pair => String.fromCharCode(Number.parseInt(pair, 16)))
}
