// What the subcommands of `git stash` have in common.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { Stash } from '../merge/stash-list.ts'
import { type OptionRow, type Options, parseOptions } from '../options.ts'
import { commandTable } from './table.ts'

export const usage: string =
  'git stash list [<log-options>]\n   or: git stash show [<diff-options>] [<stash>]\n   or: git stash drop [-q | --quiet] [<stash>]\n' +
  '   or: git stash pop [--index] [-q | --quiet] [<stash>]\n   or: git stash apply [--index] [-q | --quiet] [<stash>]\n' +
  '   or: git stash branch <branchname> [<stash>]\n' +
  '   or: git stash [push [-k | --[no-]keep-index] [-u | --include-untracked] [-a | --all] [-S | --staged] [-q | --quiet]\n' +
  '                [(-m | --message) <message>] [--] [<pathspec>...]]\n   or: git stash clear'

export const pushRows: readonly OptionRow[] = [
  { names: ['k', 'keep-index'] },
  { names: ['S', 'staged'] },
  { names: ['p', 'patch'], refuses: 'choosing hunks by hand is not built into this git' },
  { names: ['q', 'quiet'] },
  { names: ['u', 'include-untracked'] },
  { names: ['a', 'all'] },
  { names: ['m', 'message'], argument: { name: 'message' } },
  { names: ['pathspec-from-file'], argument: { name: 'file' } },
  { names: ['pathspec-file-nul'] },
]
export const quiet: OptionRow = { names: ['q', 'quiet'] }

export function parse(args: readonly string[], rows: readonly OptionRow[] = pushRows): Options {
  return parseOptions({ rows, usage }, args)
}

export async function runCommand(call: GitCall, name: string, args: readonly string[]): Promise<number> {
  const command = await commandTable[name]?.()
  if (command === undefined) throw new GitFailure(`error: git ${name} is not built into this git`, 129)
  return command.run(call, parseOptions(command.options, command.isRaw ? [] : args), args)
}

export function oneName(options: Options): string | undefined {
  const [name, ...more] = options.all
  if (more.length > 0) throw new GitFailure(`Too many revisions specified: ${options.all.map(word => `'${word}'`).join(' ')}`, 1)
  return name
}

export async function tellDropped(call: GitCall, { oid, number = 0 }: Stash, name = ''): Promise<void> {
  await call.print(`Dropped ${/^\d*$/.test(name) ? `refs/stash@{${number}}` : name} (${oid})`)
}
