// cmp, with which scripts ask whether two files are the same.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInputs } from '../inputs.ts'
import { countOf, has, parseArguments, valueOf } from '../options.ts'

/** `cmp [-s] [-l] [-n N] FILE1 [FILE2]`: 0 when they are the same, 1 when not, 2 for trouble. */
export async function cmp(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    '-s': 'silent',
    '--silent': 'silent',
    '--quiet': 'silent',
    '-l': 'verbose',
    '--verbose': 'verbose',
    '-n': 'length=',
    '--bytes': 'length=',
  })
  if (typeof parsed === 'string') return failed('cmp', parsed, 2)
  const [first, second = '-', ...rest] = parsed.operands
  if (first === undefined || rest.length > 0) return failed('cmp', 'give two files', 2)
  const length = countOf(valueOf(parsed, 'length') ?? String(Number.MAX_SAFE_INTEGER))
  if (length === undefined) return failed('cmp', 'the value of -n is a number', 2)
  const { found, problems } = await readInputs('cmp', [first, second], context)
  if (problems !== '') return bytesResult('', has(parsed, 'silent') ? '' : problems, 2)
  const [one = '', other = ''] = found.map(({ bytes }) => bytes.slice(0, length))
  if (one === other) return bytesResult('')
  if (has(parsed, 'silent')) return bytesResult('', '', 1)
  const shorter = Math.min(one.length, other.length)
  let lines = ''
  let at = 0
  const octal = (text: string): string => text.charCodeAt(at).toString(8).padStart(3)
  for (; at < shorter; at++) {
    if (one.charAt(at) === other.charAt(at)) continue
    if (!has(parsed, 'verbose')) {
      const line = one.slice(0, at).split('\n').length
      return bytesResult(`${first} ${second} differ: byte ${at + 1}, line ${line}\n`, '', 1)
    }
    lines += `${String(at + 1).padStart(String(shorter).length)} ${octal(one)} ${octal(other)}\n`
  }
  const ended = one.length < other.length ? first : second
  const where = shorter === 0 ? 'which is empty' : `after byte ${shorter}`
  return bytesResult(lines, one.length === other.length ? '' : `cmp: EOF on ${ended} ${where}\n`, 1)
}
