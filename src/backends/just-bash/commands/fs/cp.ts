// cp: copies files and directories.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf, namesDirectory } from '../../errno.ts'
import { type Arguments, has, optionTable, parseArguments, valueOf } from '../options.ts'
import { childOf, complain, pathOf, statIfThere } from '../program.ts'
import { quotedName } from '../quoted-name.ts'
import { overwriteOptions, targetOptions, type Move, lastOf, movesOf, backUp } from './moves.ts'
import { Questions } from './questions.ts'
import { copyTree, isFlow, type CopyOptions } from './tree-operations.ts'

export async function cp(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...targetOptions,
    ...overwriteOptions,
    ...optionTable(`
      -r -R --recursive: r, -a --archive: a, -p: p, --preserve: p?, --no-preserve: no-preserve=, --reflink: reflink?,
      --sparse: ignored=, --strip-trailing-slashes: strip, --copy-contents -Z --one-file-system: ignored,
      -d -P --no-dereference: links, -L --dereference: follow, -H: follow-named, -l --link: link, -s --symbolic-link: symbolic,
      --parents: parents, -x: ignored, --remove-destination: remove
    `),
  })
  if (typeof parsed === 'string') return complain(context, 'cp', parsed)
  if (/^always$|^$/.test(valueOf(parsed, 'reflink') ?? 'never'))
    return complain(context, 'cp', "'--reflink=always' is not available here; use --reflink=auto")
  const given = await movesOf(context, 'cp', parsed)
  const directory = valueOf(parsed, 'target') ?? parsed.operands.at(-1) ?? ''
  if (
    has(parsed, 'parents') &&
    typeof given !== 'string' &&
    (await statIfThere(context, pathOf(context, directory)))?.kind !== 'directory'
  )
    return complain(context, 'cp', 'with --parents, the destination must be a directory')
  const moves = has(parsed, 'parents') && typeof given !== 'string' ? parentMoves(parsed) : given
  if (typeof moves === 'string') return complain(context, 'cp', moves)
  const isArchive = has(parsed, 'a')
  const isRecursive = isArchive || has(parsed, 'r')
  const makes = has(parsed, 'link') ? 'hard link' : has(parsed, 'symbolic') ? 'symbolic link' : 'copy'
  const options: CopyOptions = {
    name: 'cp',
    isRecursive,
    keepsLinks:
      isArchive ||
      has(parsed, 'links') ||
      (valueOf(parsed, 'p') ?? '').split(',').includes('links') ||
      (isRecursive && !has(parsed, 'follow')),
    keepsTimes: keeps(parsed, 'timestamps'),
    keepsMode: keeps(parsed, 'mode'),
    dropsMode:
      !keeps(parsed, 'mode') &&
      parsed.options.some(({ name, value }) => name === 'no-preserve' && /\b(?:mode|all)\b/.test(value)),
    overwrites: lastOf(parsed, ['i', 'n']) === 'n' ? 'never' : has(parsed, 'u') ? 'if-older' : 'always',
    isVerbose: has(parsed, 'v'),
    removesTarget: has(parsed, 'remove') || (makes !== 'copy' && has(parsed, 'force')),
    makes,
    backUp: path => backUp(context, path, parsed),
  }
  let code = 0
  const questions = lastOf(parsed, ['i', 'n']) === 'i' ? new Questions(context, 'cp') : undefined
  for (const { from, to } of moves) {
    const [source, target] = [pathOf(context, from), pathOf(context, to)]
    try {
      const there = await statIfThere(context, source)
      const isThere = there !== undefined
      if (namesDirectory(from) && there?.kind === 'file') {
        code = await complain(context, 'cp', `cannot stat ${quotedName(from)}: Not a directory`)
        continue
      }
      if (questions !== undefined && isThere && (await statIfThere(context, target))?.kind === 'file') {
        if (!(await questions.ask(`overwrite ${quotedName(to)}`))) continue
      }
      if (has(parsed, 'parents')) await context.files.mkdir(target.slice(0, target.lastIndexOf('/')) || '/', { recursive: true })
      code = (await copyTree(context, source, target, from, to, linkRule(options, parsed, from))) || code
    } catch (error) {
      if (isFlow(error)) throw error
      code = await complain(context, 'cp', `cannot create ${quotedName(to)}: ${reasonOf(error)}`)
    }
  }
  return code
}

/** Whether the last of -a, -p, --preserve and --no-preserve keeps an attribute. */
function keeps({ options }: Arguments, attribute: 'mode' | 'timestamps'): boolean {
  const names = (value: string): readonly string[] => (value === '' ? ['mode', 'timestamps'] : value.split(','))
  return options.reduce((before, { name, value }) => {
    const isNamed = names(value).some(each => each === attribute || each === 'all')
    if (name === 'a') return true
    if (name === 'p') return before || isNamed
    return name === 'no-preserve' && isNamed ? false : before
  }, false)
}

/** `-H`, and a slash at the end of a name: follows symbolic links that are operands. */
function linkRule(options: CopyOptions, parsed: Arguments, from: string): CopyOptions {
  return has(parsed, 'follow-named') || namesDirectory(from) ? { ...options, keepsLinks: false } : options
}

function parentMoves(parsed: Arguments): readonly Move[] {
  const directory = valueOf(parsed, 'target') ?? parsed.operands.at(-1) ?? ''
  const sources = valueOf(parsed, 'target') === undefined ? parsed.operands.slice(0, -1) : parsed.operands
  return sources.map(from => ({ from, to: childOf(directory, from.replace(/^\/+/, '')) }))
}
