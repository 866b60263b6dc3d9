import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments, valueOf, optionTable } from '../options.ts'
import { complain, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const lookOptions = optionTable(`
  -a --alternative: a, -b --binary: b, -d --alphanum: d, -f --ignore-case: f, -t --terminate: end=
`)

/** `look [-bdf] [-t CHARACTER] PREFIX FILE`: the lines of a sorted file that begin with a word. */
export async function look(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, lookOptions)
  if (typeof parsed === 'string') return complain(context, 'look', parsed)
  const [word, file = '/usr/share/dict/words'] = parsed.operands
  if (word === undefined) return complain(context, 'look', 'bad usage')
  const hasFile = parsed.operands.length > 1
  let text: string
  try {
    text = decodeText(await readNamed(context, file))
  } catch (error) {
    return complain(context, 'look', `${file}: ${reasonOf(error)}`)
  }
  const ending = valueOf(parsed, 'end')
  const cut = ending === undefined ? -1 : word.indexOf(ending)
  const comparable = (line: string): string => {
    const kept = has(parsed, 'd') || !hasFile ? line.replace(/[^\p{L}\p{N}\s]/gu, '') : line
    return has(parsed, 'f') || !hasFile ? kept.toLowerCase() : kept
  }
  const prefix = comparable(cut < 0 ? word : word.slice(0, cut + 1))
  const found = text.split('\n').filter(line => line !== '' && comparable(line).startsWith(prefix))
  await context.stdout.write(found.map(line => `${line}\n`).join(''))
  return found.length > 0 ? 0 : 1
}
