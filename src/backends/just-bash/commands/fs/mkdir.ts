// mkdir and rmdir.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf } from '../../errno.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { changeMode } from './modes.ts'
import { isFlow } from './tree-operations.ts'

const mkdirOptions = optionTable('-p --parents: p, -m --mode: mode=, -v --verbose: v')

export async function mkdir(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, mkdirOptions)
  if (typeof parsed === 'string') return complain(context, 'mkdir', parsed)
  if (parsed.operands.length === 0) return complain(context, 'mkdir', 'missing operand')
  const written = valueOf(parsed, 'mode')
  const mode = written === undefined ? undefined : changeMode(written, 0o777, true, 0)
  if (written !== undefined && mode === undefined) return complain(context, 'mkdir', `invalid mode '${written}'`)
  let code = 0
  for (const name of parsed.operands) {
    const path = pathOf(context, name)
    try {
      const isThere = has(parsed, 'p') && (await statIfThere(context, path))?.kind === 'directory'
      if (isThere) continue
      const isMade = has(parsed, 'p') || !name.endsWith('/.') || (await statIfThere(context, path)) !== undefined
      if (name === '' || !isMade) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      const made = has(parsed, 'v') && has(parsed, 'p') ? await missingAbove(context, name) : []
      // What `..` leaves is made too.
      if (has(parsed, 'p'))
        for (const { index } of path.matchAll(/\/\.\.(?=\/|$)/g))
          await context.files.mkdir(path.slice(0, index), { recursive: true })
      await context.files.mkdir(path, { recursive: has(parsed, 'p') })
      if (mode !== undefined) await context.files.chmod(path, mode)
      if (has(parsed, 'v'))
        for (const one of [...made, name]) await context.stdout.write(`mkdir: created directory ${quotedName(one)}\n`)
    } catch (error) {
      if (isFlow(error)) throw error
      code = await complain(context, 'mkdir', `cannot create directory ‘${name}’: ${reasonOf(error)}`)
    }
  }
  return code
}

/** The directories above `name` that are not there yet, from the top. */
async function missingAbove(context: ShellCommandContext, name: string): Promise<readonly string[]> {
  const parts = name.replace(/\/+$/, '').split('/')
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  const missing: string[] = []
  for (const one of above) if (one !== '' && (await statIfThere(context, pathOf(context, one))) === undefined) missing.push(one)
  return missing
}

const rmdirOptions = optionTable(`
  -p --parents: p, -v --verbose: v, --ignore-fail-on-non-empty: quiet
`)

export async function rmdir(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, rmdirOptions)
  if (typeof parsed === 'string') return complain(context, 'rmdir', parsed)
  if (parsed.operands.length === 0) return complain(context, 'rmdir', 'missing operand')
  let code = 0
  for (const name of parsed.operands) {
    const names = [name]
    if (has(parsed, 'p'))
      for (let above = name.replace(/\/+[^/]*\/*$/, ''); above !== names.at(-1); above = above.replace(/\/+[^/]*\/*$/, ''))
        names.push(above)
    for (const one of names) {
      try {
        if (has(parsed, 'v')) await context.stdout.write(`rmdir: removing directory, ${quotedName(one)}\n`)
        if (/(?:^|\/)\.\/*$/.test(one)) {
          code = await complain(context, 'rmdir', `failed to remove ${quotedName(one)}: Invalid argument`)
          break
        }
        await context.files.rm(pathOf(context, one), { emptyDirectory: true })
      } catch (error) {
        if (isFlow(error)) throw error
        if (has(parsed, 'quiet') && reasonOf(error) === 'Directory not empty') break
        code = await complain(context, 'rmdir', `failed to remove ${quotedName(one)}: ${reasonOf(error)}`)
        break
      }
    }
  }
  return code
}
