// strings: the texts in a binary file.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments, valueOf } from '../options.ts'
import { complain, eachInput } from '../program.ts'

export async function strings(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-n$1')),
    { '-n': 'length=', '--bytes': 'length=', '-a': 'a', '-t': 'radix=', '--radix': 'radix=' },
  )
  if (typeof parsed === 'string') return complain(context, 'strings', parsed)
  const length = Number(valueOf(parsed, 'length') ?? 4)
  const base = { d: 10, o: 8, x: 16 }[valueOf(parsed, 'radix') ?? '']
  return eachInput(context, 'strings', parsed.operands, async bytes => {
    let run = ''
    for (let at = 0; at <= bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte === 9 || (byte >= 32 && byte < 127)) {
        run += String.fromCharCode(byte)
        continue
      }
      if (run.length >= length)
        await context.stdout.write(`${base === undefined ? '' : `${(at - run.length).toString(base).padStart(7)} `}${run}\n`)
      run = ''
    }
  })
}
