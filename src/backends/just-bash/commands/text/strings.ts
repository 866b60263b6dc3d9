// strings: prints the text in a binary file.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { TextOutput } from '../filter/output.ts'
import { parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'

export async function strings(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-n$1')),
    { '-n': 'length=', '--bytes': 'length=', '-a': 'a', '-t': 'radix=', '--radix': 'radix=' },
  )
  if (typeof parsed === 'string') return complain(context, 'strings', parsed)
  const length = Number(valueOf(parsed, 'length') ?? 4)
  const base = { d: 10, o: 8, x: 16 }[valueOf(parsed, 'radix') ?? '']
  return eachStream(context, 'strings', parsed.operands, async input => {
    let [run, before] = ['', 0]
    const output = new TextOutput(context.stdout)
    const end = (at: number): void => {
      if (run.length >= length)
        output.write(`${base === undefined ? '' : `${(at - run.length).toString(base).padStart(7)} `}${run}\n`)
      run = ''
    }
    for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
      for (const [index, byte] of piece.entries()) {
        if (byte === 9 || (byte >= 32 && byte < 127)) run += String.fromCharCode(byte)
        else end(before + index)
      }
      before += piece.length
      await output.flush()
    }
    end(before)
    await output.flush()
  })
}
