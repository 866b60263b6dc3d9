import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { parseArguments } from '../options.ts'
import { paceOf, partsOf, type Pace } from '../pace.ts'
import { complain } from '../program.ts'

/** `rev [FILE]...`: turns each line around. */
export async function rev(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {})
  if (typeof parsed === 'string') return complain(context, 'rev', parsed)
  const pace = paceOf(context.signal)
  // For rev, `-` is the name of a file.
  const names = parsed.operands.map(name => (name === '-' ? './-' : name))
  return eachStream(context, 'rev', names, input =>
    mapLines(input, context.stdout, line => (line.length <= longLength ? reversed(line) : reversedInParts(line, pace))),
  )
}

const longLength = 64 * 1024

function reversed(line: string): string {
  return Array.from(line).reverse().join('')
}

async function reversedInParts(line: string, pace: Pace): Promise<string> {
  const parts: string[] = []
  for (const part of partsOf(line, longLength)) {
    parts.push(reversed(part))
    if (pace.isDue(4 * longLength)) await pace.rest()
  }
  return parts.reverse().join('')
}
