// What cp, mv, ln and install have in common: options, the destination of each operand, and backups.

import { namesDirectory } from '../../errno.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { type Arguments, has, type OptionTable, optionTable, valueOf } from '../options.ts'
import { childOf, lastName, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { largest } from '../../../../core/many.ts'

export const targetOptions: OptionTable = optionTable(`
  -t --target-directory: target=, -T --no-target-directory: no-target, -v --verbose: v, -f --force: force, -i --interactive: i,
  -n --no-clobber: n, -u --update: u, -b: b, --backup: backup?, -S --suffix: suffix=
`)

export interface Move {
  readonly from: string
  /** The destination as given on the command line. */
  readonly to: string
}

/** The last of several options that exclude each other, such as `-f`, `-i` and `-n`. */
export function lastOf(parsed: Arguments, names: readonly string[]): string | undefined {
  return parsed.options.findLast(({ name }) => names.includes(name))?.name
}

/** The source and destination of each operand, or an error message. */
export async function movesOf(context: ShellCommandContext, name: string, parsed: Arguments): Promise<readonly Move[] | string> {
  const directory = valueOf(parsed, 'target')
  const { operands } = parsed
  const [first] = operands
  if (first === undefined) return 'missing file operand'
  const last = directory ?? operands.at(-1) ?? ''
  if (directory === undefined && operands.length === 1) return `missing destination file operand after '${first}'`
  const sources = directory === undefined ? operands.slice(0, -1) : operands
  const target = await statIfThere(context, pathOf(context, last))
  const isInto = !has(parsed, 'no-target') && target?.kind === 'directory'
  if (isInto) return sources.map(from => ({ from, to: childOf(last, lastName(from)) }))
  if (sources.length > 1 || directory !== undefined)
    return target === undefined && directory === undefined
      ? `target ${quotedName(last)}: No such file or directory`
      : `target ${quotedName(last)} is not a directory`
  if (namesDirectory(last) && target !== undefined && target.kind !== 'directory')
    return `cannot stat ${quotedName(last)}: Not a directory`
  if (namesDirectory(last) && target === undefined && name !== 'mv') {
    const source = await statIfThere(context, pathOf(context, first))
    if (source?.kind !== 'directory') return `cannot create regular file ${quotedName(last)}: Not a directory`
  }
  return [{ from: first, to: last }]
}

/** How `-b`, `--backup=…` and `-S` ask for a backup, if they do. */
export function backupKindOf(parsed: Arguments): string | undefined {
  const wanted = valueOf(parsed, 'backup') ?? (has(parsed, 'b') || has(parsed, 'suffix') ? 'existing' : 'none')
  return wanted === 'none' || wanted === 'off' ? undefined : wanted
}

/** Renames the existing `target` to its backup name, and returns what that name has behind the target's. */
export async function backUp(context: ShellCommandContext, target: string, parsed: Arguments): Promise<string> {
  const wanted = backupKindOf(parsed)
  if (wanted === undefined || (await statIfThere(context, target, false)) === undefined) return ''
  const [, directory = '', name = ''] = /^([^]*\/)([^/]*)$/.exec(target) ?? []
  const entries = await context.files.readdir(directory === '/' ? '/' : directory.slice(0, -1))
  const numbers = entries.map(entry => (entry.name.startsWith(`${name}.~`) ? Number(/~(\d+)~$/.exec(entry.name)?.[1] ?? 0) : 0))
  const highest = largest(numbers)
  const isNumbered = wanted === 'numbered' || wanted === 't' || (!/^(?:simple|never)$/.test(wanted) && highest > 0)
  const suffix = isNumbered ? `.~${highest + 1}~` : (valueOf(parsed, 'suffix') ?? '~')
  await context.files.rename(target, target + suffix)
  return suffix
}
