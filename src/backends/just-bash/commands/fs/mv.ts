// mv: moves and renames.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf, namesDirectory } from '../../errno.ts'
import { has, parseArguments, type Arguments } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { overwriteOptions, targetOptions, lastOf, movesOf, backUp } from './moves.ts'
import { Questions } from './questions.ts'
import { copyTree, isFlow } from './tree-operations.ts'

export async function mv(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, { ...targetOptions, ...overwriteOptions, '--strip-trailing-slashes': 'strip' })
  if (typeof parsed === 'string') return complain(context, 'mv', parsed)
  const moves = await movesOf(context, 'mv', parsed)
  if (typeof moves === 'string') return complain(context, 'mv', moves)
  const questions = lastOf(parsed, ['i', 'n', 'force']) === 'i' ? new Questions(context, 'mv') : undefined
  let code = 0
  for (const { from, to } of moves) {
    const problem = await moveOne(context, from, to, parsed, questions)
    if (problem !== undefined) code = await complain(context, 'mv', problem)
  }
  return code
}

async function moveOne(
  context: ShellCommandContext,
  from: string,
  to: string,
  parsed: Arguments,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const { files } = context
  const [source, target] = [pathOf(context, from), pathOf(context, to)]
  const found = await statIfThere(context, source, namesDirectory(from))
  if (found === undefined) return `cannot stat ${quotedName(from)}: No such file or directory`
  if (namesDirectory(from) && found.kind === 'file') return `cannot stat ${quotedName(from)}: Not a directory`
  if (/(?:^|\/)\.{1,2}\/*$/.test(from)) return `cannot move ${quotedName(from)} to ${quotedName(to)}: Device or resource busy`
  if (target.startsWith(`${source}/`)) return `cannot move ${quotedName(from)} to a subdirectory of itself, ${quotedName(to)}`
  const there = await statIfThere(context, target, false)
  let suffix = ''
  if (there !== undefined) {
    if (source === target || (there.ino === found.ino && there.kind === found.kind))
      return `${quotedName(from)} and ${quotedName(to)} are the same file`
    if (lastOf(parsed, ['i', 'n', 'force']) === 'n') return undefined
    if (has(parsed, 'u') && there.mtimeMs >= found.mtimeMs) return undefined
    if (there.kind === 'directory' && found.kind !== 'directory')
      return `cannot overwrite directory ${quotedName(to)} with non-directory ${quotedName(from)}`
    if (there.kind !== 'directory' && found.kind === 'directory')
      return `cannot overwrite non-directory ${quotedName(to)} with directory ${quotedName(from)}`
    if (questions !== undefined && !(await questions.ask(`overwrite ${quotedName(to)}`))) return undefined
    suffix = await backUp(context, target, parsed)
  } else if (namesDirectory(to) && (found.kind !== 'directory' || to.endsWith('.')))
    return `cannot move ${quotedName(from)} to ${quotedName(to)}: ${found.kind === 'directory' ? 'No such file or directory' : 'Not a directory'}`
  if (namesDirectory(from) && (await statIfThere(context, source, false))?.kind === 'symlink')
    return `cannot move ${quotedName(from)} to ${quotedName(to)}: Not a directory`
  try {
    await files.rename(source, target)
  } catch (error) {
    if (isFlow(error)) throw error
    if ((error as { readonly code?: string }).code === 'EXDEV') {
      const options = {
        name: 'mv',
        isRecursive: true,
        keepsLinks: true,
        keepsTimes: true,
        keepsMode: true,
        overwrites: 'always',
        isVerbose: false,
        removesTarget: true,
        makes: 'copy',
      } as const
      if ((await copyTree(context, source, target, from, to, options)) !== 0) return undefined
      await files.rm(source, { recursive: true })
    } else return `cannot move ${quotedName(from)} to ${quotedName(to)}: ${reasonOf(error)}`
  }
  if (has(parsed, 'v')) {
    const backup = suffix === '' ? '' : ` (backup: ${quotedName(to + suffix)})`
    await context.stdout.write(`renamed ${quotedName(from)} -> ${quotedName(to)}${backup}\n`)
  }
  return undefined
}
