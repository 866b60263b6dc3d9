// strings: prints the text in a binary file.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { TextOutput } from '../filter/output.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain } from '../program.ts'

export async function strings(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-n$1')),
    optionTable(`
      -n --bytes: length=, -a --all: a, -t --radix: radix=, -o: octal, -f --print-file-name: names,
      -s --output-separator: separator=, -w --include-all-whitespace: whitespace
    `),
  )
  if (typeof parsed === 'string') return complain(context, 'strings', parsed)
  const length = Number(valueOf(parsed, 'length') ?? 4)
  const radix = parsed.options.findLast(({ name }) => name === 'radix' || name === 'octal')
  const base = { d: 10, o: 8, x: 16 }[radix?.name === 'octal' ? 'o' : (radix?.value ?? '')]
  const ending = valueOf(parsed, 'separator') ?? '\n'
  const isText = (byte: number): boolean =>
    byte === 9 || (byte >= 32 && byte < 127) || (has(parsed, 'whitespace') && byte >= 9 && byte <= 13)
  const names = parsed.operands.values()
  return eachStream(context, 'strings', parsed.operands, async input => {
    let [run, before] = ['', 0]
    const name = names.next().value ?? '{standard input}'
    const title = has(parsed, 'names') ? `${name}: ` : ''
    const output = new TextOutput(context.stdout)
    const end = (at: number): void => {
      if (run.length >= length)
        output.write(`${title}${base === undefined ? '' : `${(at - run.length).toString(base).padStart(7)} `}${run}${ending}`)
      run = ''
    }
    for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
      for (const [index, byte] of piece.entries()) {
        if (isText(byte)) run += String.fromCharCode(byte)
        else end(before + index)
      }
      before += piece.length
      await output.flush()
    }
    end(before)
    await output.flush()
  })
}
