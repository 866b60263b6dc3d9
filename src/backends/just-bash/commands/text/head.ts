// head as a stream: it stops reading, and so whoever writes, as soon as it has what it prints.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { bufferedContext, bytesOfResult } from '../buffered.ts'
import { countOf, parseArguments } from '../options.ts'
import { head as headOfAll } from './head-tail.ts'

export async function head(context: ShellCommandContext): Promise<number> {
  const args = context.args.map((arg, index) => (index === 0 ? arg.replace(/^-(\d+)$/, '-n$1') : arg))
  const parsed = parseArguments(args, { '-n': 'lines=', '--lines': 'lines=', '-c': 'bytes=', '--bytes': 'bytes=', '-q': 'quiet' })
  const option = typeof parsed === 'string' ? undefined : parsed.options.findLast(({ name }) => name !== 'quiet')
  const count = option === undefined ? 10 : countOf(option.value.replace(/^\+/, ''))
  const isStream =
    typeof parsed !== 'string' && (parsed.operands.length === 0 || (parsed.operands.length === 1 && parsed.operands[0] === '-'))
  if (isStream && count !== undefined) return headOfInput(context, count, option?.name === 'bytes')
  const [name] = typeof parsed === 'string' ? [] : parsed.operands
  if (name?.startsWith('/dev/') === true && count !== undefined && option?.name === 'bytes') {
    // A device has no end: only what is asked for is read.
    await context.stdout.write(await context.files.readFile(name, { end: count }))
    return 0
  }
  const result = await headOfAll(context.args, await bufferedContext('head', context))
  await context.stderr.write(result.stderr)
  await context.stdout.write(bytesOfResult(result))
  return result.exitCode
}

async function headOfInput({ stdin, stdout }: ShellCommandContext, count: number, isBytes: boolean): Promise<number> {
  let left = count
  while (left > 0) {
    const part = await stdin.read()
    if (part === undefined) break
    let end = 0
    if (isBytes) {
      end = Math.min(left, part.length)
      left -= end
    } else {
      while (left > 0 && end < part.length) {
        const newline = part.indexOf(10, end)
        end = newline < 0 ? part.length : newline + 1
        if (newline >= 0) left -= 1
      }
    }
    await stdout.write(part.subarray(0, end))
  }
  return 0
}
