// What cp, mv, ln and install have in common: options, the destination of each operand, and backups.

import { namesDirectory } from '../../errno.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { type Arguments, has, type OptionTable, optionTable, valueOf } from '../options.ts'
import { childOf, lastName, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { largest } from '../../../../core/many.ts'

export const targetOptions: OptionTable = optionTable(`
  -t --target-directory: target=, -T --no-target-directory: no-target, -v --verbose: v, -b: b, --backup: backup?,
  -S --suffix: suffix=
`)

/** What cp and mv do with a file that is there. */
export const overwriteOptions: OptionTable = optionTable(`
  -f --force: force, -i --interactive: i, -n --no-clobber: n, -u --update: u
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
  const backup = invalidBackup(context, parsed)
  if (backup !== undefined) return backup
  // With mv, -f and -i take back -n.
  const overwriting = name === 'mv' ? ['i', 'n', 'force'] : ['i', 'n']
  if (lastOf(parsed, overwriting) === 'n' && asksForBackup(parsed))
    return 'options --backup and --no-clobber are mutually exclusive'
  const [first] = operands
  if (first === undefined) return 'missing file operand'
  const last = directory ?? operands.at(-1) ?? ''
  if (directory === undefined && operands.length === 1) return `missing destination file operand after '${first}'`
  const sources = directory === undefined ? operands.slice(0, -1) : operands
  const target = await statIfThere(context, pathOf(context, last))
  const isInto = !has(parsed, 'no-target') && target?.kind === 'directory'
  // `cp -r .. d` fills the directory itself, and not that above it.
  const nameIn = (from: string): string => (name === 'cp' && lastName(from) === '..' ? '.' : lastName(from))
  if (isInto) return sources.map(from => ({ from, to: childOf(last, nameIn(from)) }))
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

type BackupKind = 'none' | 'simple' | 'existing' | 'numbered'

const backupKinds: Readonly<Record<string, BackupKind>> = {
  none: 'none',
  off: 'none',
  simple: 'simple',
  never: 'simple',
  existing: 'existing',
  nil: 'existing',
  numbered: 'numbered',
  t: 'numbered',
}

function asksForBackup(parsed: Arguments): boolean {
  return ['backup', 'b', 'suffix'].some(name => has(parsed, name))
}

/** The kind of backup that is asked for as it is written: by `--backup=…`, or by the environment for `-b` and `-S`. */
function writtenBackup({ env }: ShellCommandContext, parsed: Arguments): string {
  if (!asksForBackup(parsed)) return 'none'
  return valueOf(parsed, 'backup') || env['VERSION_CONTROL'] || 'existing'
}

/** The kind of backup; `undefined` for an unknown one. */
export function backupKindOf(context: ShellCommandContext, parsed: Arguments): BackupKind | undefined {
  const written = writtenBackup(context, parsed)
  const kinds = new Set(Object.keys(backupKinds).flatMap(name => (name.startsWith(written) ? (backupKinds[name] ?? []) : [])))
  const [only] = kinds
  return backupKinds[written] ?? (kinds.size === 1 ? only : undefined)
}

/** The message about an unknown kind of backup. */
export function invalidBackup(context: ShellCommandContext, parsed: Arguments): string | undefined {
  if (backupKindOf(context, parsed) !== undefined) return undefined
  return `invalid argument '${writtenBackup(context, parsed)}' for 'backup type'; valid are ${Object.keys(backupKinds).join(', ')}`
}

/** Renames the existing `target` to its backup name, and returns what that name has behind the target's. */
export async function backUp(context: ShellCommandContext, target: string, parsed: Arguments): Promise<string> {
  const wanted = backupKindOf(context, parsed)
  if (wanted === undefined || wanted === 'none' || (await statIfThere(context, target, false)) === undefined) return ''
  const [, directory = '', name = ''] = /^([^]*\/)([^/]*)$/.exec(target) ?? []
  const entries = await context.files.readdir(directory === '/' ? '/' : directory.slice(0, -1))
  const numbers = entries.map(entry => (entry.name.startsWith(`${name}.~`) ? Number(/~(\d+)~$/.exec(entry.name)?.[1] ?? 0) : 0))
  const highest = largest(numbers)
  const isNumbered = wanted === 'numbered' || (wanted === 'existing' && highest > 0)
  const suffix = isNumbered ? `.~${highest + 1}~` : (valueOf(parsed, 'suffix') ?? (context.env['SIMPLE_BACKUP_SUFFIX'] || '~'))
  await context.files.rename(target, target + suffix)
  return suffix
}
