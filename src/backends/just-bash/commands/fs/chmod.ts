// chmod: changes modes.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { checkFileName, reasonOf } from '../../errno.ts'
import { childOf, complain, pathOf, permissions, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { changeMode } from './modes.ts'
import { isFlow } from './tree-operations.ts'

export async function chmod(context: ShellCommandContext): Promise<number> {
  const { args } = context
  const isMode = (arg: string): boolean => /^[-+=]?[0-7]+$|^[ugoa]*[-+=][rwxXstugo]*(?:,|$|[-+=])/.test(arg)
  const flags = args.filter(arg => /^-[Rcfv]+$|^--/.test(arg) && !arg.startsWith('--reference'))
  const reference = args.find(arg => arg.startsWith('--reference='))?.slice('--reference='.length)
  const rest = args.filter(arg => !flags.includes(arg) && !arg.startsWith('--reference='))
  const [mode = '', ...names] = reference === undefined ? rest : ['', ...rest]
  if (names.length === 0)
    return complain(context, 'chmod', rest.length === 0 ? 'missing operand' : `missing operand after '${mode}'`)
  if (reference === undefined && !isMode(mode)) return complain(context, 'chmod', `invalid mode: '${mode}'`)
  const isRecursive = flags.some(flag => flag.includes('R') || flag === '--recursive')
  const isVerbose = flags.some(flag => /^-\w*v/.test(flag) || flag === '--verbose')
  const tellsChanges = isVerbose || flags.some(flag => /^-\w*c/.test(flag) || flag === '--changes')
  const wanted = reference === undefined ? undefined : (await statIfThere(context, pathOf(context, reference)))?.mode
  let code = 0
  const change = async (path: string, name: string): Promise<void> => {
    try {
      const found = await context.files.stat(path)
      if (found.kind !== 'directory') checkFileName(name)
      const next = wanted ?? changeMode(mode, found.mode, found.kind === 'directory', context.umask ?? 0o022)
      if (next === undefined) {
        code = await complain(context, 'chmod', `invalid mode: '${mode}'`)
        return
      }
      await context.files.chmod(path, next)
      if (isVerbose || (tellsChanges && next !== found.mode)) {
        const octal = (value: number): string => `${value.toString(8).padStart(4, '0')} (${permissions(value)})`
        await context.stdout.write(
          next === found.mode
            ? `mode of ${quotedName(name)} retained as ${octal(next)}\n`
            : `mode of ${quotedName(name)} changed from ${octal(found.mode)} to ${octal(next)}\n`,
        )
      }
      if (isRecursive && found.kind === 'directory')
        for (const entry of await context.files.readdir(path))
          if (entry.kind !== 'symlink') await change(childOf(path, entry.name), childOf(name, entry.name))
    } catch (error) {
      if (isFlow(error)) throw error
      const isMissing = /^(?:No such file|Not a dir)/.test(reasonOf(error))
      code = await complain(
        context,
        'chmod',
        `${isMissing ? 'cannot access' : 'changing permissions of'} ${quotedName(name)}: ${reasonOf(error)}`,
      )
    }
  }
  for (const name of names) await change(pathOf(context, name), name)
  return code
}
