// ln, link and unlink: names of files.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf } from '../../errno.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { childOf, complain, lastName, pathOf, pathToWrite, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { canonical } from '../utilities/names.ts'
import { targetOptions, lastOf, backUp, backupKindOf, invalidBackup } from './moves.ts'
import { Questions } from './questions.ts'
import { isFlow } from './tree-operations.ts'

const lnOptions = {
  ...targetOptions,
  ...optionTable(`
    -f --force: force, -i --interactive: i, -s --symbolic: s, -n --no-dereference: no-follow, -r --relative: r, -P --physical: keeps-links, -L --logical: follows
  `),
}

export async function ln(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, lnOptions)
  if (typeof parsed === 'string') return complain(context, 'ln', parsed)
  if (has(parsed, 'r') && !has(parsed, 's')) return complain(context, 'ln', 'cannot do --relative without --symbolic')
  const unknown = invalidBackup(context, parsed)
  if (unknown !== undefined) return complain(context, 'ln', unknown)
  const questions = lastOf(parsed, ['i', 'force']) === 'i' ? new Questions(context, 'ln') : undefined
  const directory = valueOf(parsed, 'target')
  const { operands } = parsed
  const last = directory ?? (operands.length > 1 ? operands.at(-1) : '.') ?? '.'
  const sources = directory === undefined && operands.length > 1 ? operands.slice(0, -1) : operands
  if (sources.length === 0) return complain(context, 'ln', 'missing file operand')
  const there = await statIfThere(context, pathOf(context, last), !has(parsed, 'no-follow'))
  const isInto = !has(parsed, 'no-target') && there?.kind === 'directory'
  if (!isInto && (directory !== undefined || sources.length > 1))
    return complain(
      context,
      'ln',
      `target ${quotedName(last)}${there === undefined ? ': No such file or directory' : ' is not a directory'}`,
    )
  const isLogical = lastOf(parsed, ['follows', 'keeps-links']) === 'follows'
  let code = 0
  for (const source of sources) {
    const to = isInto ? childOf(last, lastName(source)) : last
    const path = pathOf(context, to)
    const kind = has(parsed, 's') ? 'symbolic' : 'hard'
    try {
      pathToWrite(context, to)
      const original = pathOf(context, source)
      const target = has(parsed, 'r')
        ? relativeTo(await canonical(context, childOf(path, '..'), 'none'), await canonical(context, source, 'none'))
        : source
      // What is there goes only when nothing can fail any more.
      const found = await statIfThere(context, original, kind === 'symbolic' || isLogical || source.endsWith('/'))
      const old = await statIfThere(context, path, false)
      const isSame = found !== undefined && found.ino === old?.ino && (found.nlink === 1 || original === path)
      const isForced = has(parsed, 'force') || questions !== undefined
      const problem =
        kind === 'hard' && (found === undefined || (source.endsWith('/') && found.kind !== 'directory'))
          ? `failed to access ${quotedName(source)}: ${found === undefined ? 'No such file or' : 'Not a'} directory`
          : kind === 'hard' && found?.kind === 'directory'
            ? `${source}: hard link not allowed for directory`
            : isForced && old?.kind === 'directory'
              ? `${to}: cannot overwrite directory`
              : isForced && isSame && (kind === 'hard' || backupKindOf(context, parsed) === 'none')
                ? `${quotedName(source)} and ${quotedName(to)} are the same file`
                : undefined
      if (problem !== undefined) {
        code = await complain(context, 'ln', problem)
        continue
      }
      if (questions !== undefined && old !== undefined && !(await questions.ask(`replace ${quotedName(to)}`))) continue
      await backUp(context, path, parsed)
      if (isForced && (await statIfThere(context, path, false)) !== undefined) await context.files.rm(path, {})
      if (kind === 'symbolic') await context.files.symlink(target, path)
      else await context.files.link(isLogical ? await context.files.realpath(original) : original, path)
      if (has(parsed, 'v'))
        await context.stdout.write(`${quotedName(to)} ${kind === 'symbolic' ? '->' : '=>'} ${quotedName(target)}\n`)
    } catch (error) {
      if (isFlow(error)) throw error
      code = await complain(context, 'ln', `failed to create ${kind} link ${quotedName(to)}: ${reasonOf(error)}`)
    }
  }
  return code
}

/** `link FILE NEW`: a hard link, without options. */
export async function link(context: ShellCommandContext): Promise<number> {
  const [source, to, ...others] = context.args[0] === '--' ? context.args.slice(1) : context.args
  if (source === undefined || to === undefined)
    return complain(context, 'link', source === undefined ? 'missing operand' : `missing operand after ${quotedName(source)}`)
  if (others[0] !== undefined) return complain(context, 'link', `extra operand ${quotedName(others[0])}`)
  try {
    await context.files.link(pathOf(context, source), pathToWrite(context, to))
    return 0
  } catch (error) {
    if (isFlow(error)) throw error
    return complain(context, 'link', `cannot create link ${quotedName(to)} to ${quotedName(source)}: ${reasonOf(error)}`)
  }
}

/** `unlink FILE`: removes one name that is not a directory. */
export async function unlink(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {})
  if (typeof parsed === 'string') return complain(context, 'unlink', parsed)
  const [name, ...others] = parsed.operands
  if (name === undefined) return complain(context, 'unlink', 'missing operand')
  if (others[0] !== undefined) return complain(context, 'unlink', `extra operand ${quotedName(others[0])}`)
  try {
    const path = pathOf(context, name)
    if ((await context.files.lstat(path)).kind === 'directory')
      return await complain(context, 'unlink', `cannot unlink ${quotedName(name)}: Is a directory`)
    await context.files.rm(path, {})
    return 0
  } catch (error) {
    if (isFlow(error)) throw error
    return complain(context, 'unlink', `cannot unlink ${quotedName(name)}: ${reasonOf(error)}`)
  }
}

function relativeTo(directory: string, target: string): string {
  const from = directory.split('/').filter(Boolean)
  const to = target.split('/').slice(1)
  let common = 0
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/') || '.'
}
