// What the subcommands of `git stash` have in common.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { Stash } from '../merge/stash-list.ts'
import { type OptionRow, type Options, parseOptions } from '../options.ts'
import { commandTable } from './table.ts'

export const usages: Readonly<
  Record<'list' | 'show' | 'drop' | 'pop' | 'apply' | 'branch' | 'push' | 'save' | 'clear' | 'create' | 'store', string>
> = {
  list: 'git stash list [<log-options>]',
  show: 'git stash show [<diff-options>] [<stash>]',
  drop: 'git stash drop [-q | --quiet] [<stash>]',
  pop: 'git stash pop [--index] [-q | --quiet] [<stash>]',
  apply: 'git stash apply [--index] [-q | --quiet] [<stash>]',
  branch: 'git stash branch <branchname> [<stash>]',
  push:
    'git stash [push [-k | --[no-]keep-index] [-u | --include-untracked] [-a | --all] [-S | --staged] [-q | --quiet]\n' +
    '                [(-m | --message) <message>] [--] [<pathspec>...]]',
  save: 'git stash save [-k | --[no-]keep-index] [-q | --quiet] [-u | --include-untracked] [-a | --all] [<message>]',
  clear: 'git stash clear',
  create: 'git stash create [<message>]',
  store: 'git stash store [(-m | --message) <message>] [-q | --quiet] <commit>',
}
export const usage: string = Object.values(usages).join('\n   or: ')

export const pushRows: readonly OptionRow[] = [
  { names: ['k', 'keep-index'] },
  { names: ['S', 'staged'] },
  { names: ['p', 'patch'] },
  { names: ['q', 'quiet'] },
  { names: ['u', 'include-untracked'] },
  { names: ['a', 'all'] },
  { names: ['m', 'message'], argument: { name: 'message' } },
  { names: ['pathspec-from-file'], argument: { name: 'file' } },
  { names: ['pathspec-file-nul'] },
]
export const quiet: OptionRow = { names: ['q', 'quiet'] }

export function parse(args: readonly string[], shown: string, rows: readonly OptionRow[] = pushRows): Options {
  return parseOptions({ rows, usage: shown }, args)
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
