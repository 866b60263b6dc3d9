// chmod: changes modes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { checkFileName, reasonOf } from '../../errno.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { childOf, complain, pathOf, permissions, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { changeMode } from './modes.ts'
import { isFlow } from './tree-operations.ts'

const chmodOptions = optionTable(`
  -R --recursive: R, -v --verbose: v, -c --changes: c, -f --silent --quiet: f, --reference: reference=,
  --preserve-root --no-preserve-root: ignored
`)

export async function chmod(context: ShellCommandContext): Promise<number> {
  const end = context.args.indexOf('--')
  // A mode may begin with a hyphen, and several of those add up.
  const isDashedMode = (arg: string, index: number): boolean => /^-[rwxXstugoa,+=0-7]/.test(arg) && (end === -1 || index < end)
  const dashed = context.args.filter(isDashedMode)
  const parsed = parseArguments(
    context.args.filter((arg, index) => !isDashedMode(arg, index)),
    chmodOptions,
  )
  if (typeof parsed === 'string') return complain(context, 'chmod', parsed)
  const reference = valueOf(parsed, 'reference')
  if (reference !== undefined && dashed.length > 0)
    return complain(context, 'chmod', 'cannot combine mode and --reference options')
  const given = reference === undefined && dashed.length === 0 ? parsed.operands.slice(0, 1) : dashed
  const mode = given.join(',')
  const names = given === dashed ? parsed.operands : parsed.operands.slice(1)
  if (names.length === 0)
    return complain(context, 'chmod', given.length === 0 ? 'missing operand' : `missing operand after '${given.at(-1) ?? ''}'`)
  if (reference === undefined && changeMode(mode, 0, false, 0) === undefined)
    return complain(context, 'chmod', `invalid mode: '${mode}'`)
  const isVerbose = has(parsed, 'v')
  const tellsChanges = isVerbose || has(parsed, 'c')
  const wanted = reference === undefined ? undefined : (await statIfThere(context, pathOf(context, reference)))?.mode
  if (reference !== undefined && wanted === undefined)
    return complain(context, 'chmod', `failed to get attributes of ${quotedName(reference)}: No such file or directory`)
  let code = 0
  const change = async (path: string, name: string): Promise<void> => {
    try {
      const found = await context.files.stat(path)
      if (found.kind !== 'directory') checkFileName(name)
      const next = wanted ?? changeMode(mode, found.mode, found.kind === 'directory', context.umask ?? 0o022) ?? found.mode
      await context.files.chmod(path, next)
      if (isVerbose || (tellsChanges && next !== found.mode)) {
        const octal = (value: number): string => `${value.toString(8).padStart(4, '0')} (${permissions(value)})`
        await context.stdout.write(
          next === found.mode
            ? `mode of ${quotedName(name)} retained as ${octal(next)}\n`
            : `mode of ${quotedName(name)} changed from ${octal(found.mode)} to ${octal(next)}\n`,
        )
      }
      if (has(parsed, 'R') && found.kind === 'directory')
        for (const entry of await context.files.readdir(path))
          if (entry.kind !== 'symlink') await change(childOf(path, entry.name), childOf(name, entry.name))
          else if (isVerbose)
            await context.stdout.write(
              `neither symbolic link ${quotedName(childOf(name, entry.name))} nor referent has been changed\n`,
            )
    } catch (error) {
      if (isFlow(error)) throw error
      code = 1
      const isMissing = /^(?:No such file|Not a dir)/.test(reasonOf(error))
      if (isVerbose && isMissing) await context.stdout.write(`${quotedName(name)} could not be accessed\n`)
      if (has(parsed, 'f')) return
      await complain(
        context,
        'chmod',
        `${isMissing ? 'cannot access' : 'changing permissions of'} ${quotedName(name)}: ${reasonOf(error)}`,
      )
    }
  }
  for (const name of names) await change(pathOf(context, name), name)
  return code
}
