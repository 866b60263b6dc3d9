import { readAll, type ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments } from '../options.ts'
import { complain, pathToWrite } from '../program.ts'
import { reasonOf } from '../../errno.ts'

/** `sponge [-a] [FILE]`: reads all of its input before it writes the file. */
export async function sponge(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { '-a': 'a' })
  if (typeof parsed === 'string') return complain(context, 'sponge', parsed)
  const [name] = parsed.operands
  const bytes = await readAll(context.stdin)
  if (name === undefined) {
    await context.stdout.write(bytes)
    return 0
  }
  try {
    await context.files.writeFile(pathToWrite(context, name), bytes, { append: has(parsed, 'a') })
  } catch (error) {
    return complain(context, 'sponge', `error opening output file: ${name}: ${reasonOf(error)}`)
  }
  return 0
}
