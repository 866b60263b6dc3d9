import { ownValue } from '../../../../core/record.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { complain } from '../program.ts'

/** sdiff: diff in two columns. */
export async function sdiff(context: ShellCommandContext): Promise<number> {
  if (context.args.some(arg => /^(?:-o|--output)/.test(arg)))
    return complain(context, 'sdiff', "'-o' asks for each difference, and nobody can answer here; use git merge-file", 2)
  const renamed: Readonly<Record<string, string>> = { '-s': '--suppress-common-lines', '-l': '--left-column', '-w': '-W' }
  const args = context.args.map(arg => ownValue(renamed, arg) ?? arg.replace(/^-w(\d+)$/, '-W$1'))
  return context.exec === undefined ? 2 : context.exec(['diff', '-y', ...args])
}
