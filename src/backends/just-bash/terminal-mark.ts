// A script that runs another (`bash build.sh`) should show what that one says while it runs. But only a command whose output goes to the
// terminal may let it out at once: in a pipe or a substitution it belongs to whoever reads it. The script knows, and the command that runs
// the other script must be told; a word in front of its arguments, which nobody could write, says so.

import type { Command } from './ast.ts'

const mark = '\u{10fffe}anchorage: shown'

/** Commands of ours that understand the mark. */
export const markedNames: ReadonlySet<string> = new Set(['bash', 'sh', 'timeout'])

/** `command`, whose output goes to the terminal unless it redirects it itself. */
export function marked(command: Command): Command {
  if (
    command.type !== 'SimpleCommand' ||
    command.name === null ||
    command.redirections.some(({ operator }) => operator.includes('>'))
  )
    return command
  const [part] = command.name.parts
  if (command.name.parts.length !== 1 || part?.type !== 'Literal' || !markedNames.has(part.value)) return command
  return { ...command, args: [{ type: 'Word', parts: [{ type: 'Literal', value: mark }] }, ...command.args] }
}

/** The arguments without the mark, and whether it was there. */
export function unmarked(args: readonly string[]): { readonly isShown: boolean; readonly args: readonly string[] } {
  return args[0] === mark ? { isShown: true, args: args.slice(1) } : { isShown: false, args }
}
