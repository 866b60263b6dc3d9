// cp, mv, rm, mkdir, rmdir, ln, chmod and install.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { quotedName } from '../quoted-name.ts'
import { resolveFrom } from '../../../../shell/files.ts'
import { has, parseArguments, valueOf, type Arguments } from '../options.ts'
import { changeMode } from './modes.ts'
import { childOf, complain, lastName, pathOf, pathToWrite, permissions, statIfThere } from '../program.ts'
import { Questions } from './questions.ts'
import { copyTree, isFlow, type CopyOptions } from './tree-operations.ts'
import { reasonOf } from '../../errno.ts'

const targetOptions = {
  '-t': 'target=',
  '--target-directory': 'target=',
  '-T': 'no-target',
  '--no-target-directory': 'no-target',
  '-v': 'v',
  '--verbose': 'v',
  '-f': 'force',
  '--force': 'force',
  '-i': 'i',
  '--interactive': 'i',
  '-n': 'n',
  '--no-clobber': 'n',
  '-u': 'u',
  '--update': 'u',
  '-b': 'b',
  '--backup': 'backup?',
  '-S': 'suffix=',
  '--suffix': 'suffix=',
} as const

interface Move {
  readonly from: string
  /** The destination as given on the command line. */
  readonly to: string
}

/** The last of several options that exclude each other, such as `-f`, `-i` and `-n`. */
function lastOf(parsed: Arguments, names: readonly string[]): string | undefined {
  return parsed.options.findLast(({ name }) => names.includes(name))?.name
}

/** The source and destination of each operand, or an error message. */
async function movesOf(context: ShellCommandContext, name: string, parsed: Arguments): Promise<readonly Move[] | string> {
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
  if (last.endsWith('/') && target !== undefined && target.kind !== 'directory')
    return `cannot stat ${quotedName(last)}: Not a directory`
  if (last.endsWith('/') && target === undefined && name === 'cp') {
    const source = await statIfThere(context, pathOf(context, first))
    if (source?.kind !== 'directory') return `cannot create regular file ${quotedName(last)}: Not a directory`
  }
  return [{ from: first, to: last }]
}

export async function cp(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...targetOptions,
    '-r': 'r',
    '-R': 'r',
    '--recursive': 'r',
    '-a': 'a',
    '--archive': 'a',
    '-p': 'p',
    '--preserve': 'p?',
    '--no-preserve': 'no-preserve=',
    '--reflink': 'reflink?',
    '--sparse': 'ignored=',
    '--strip-trailing-slashes': 'strip',
    '--copy-contents': 'ignored',
    '-Z': 'ignored',
    '--one-file-system': 'ignored',
    '-d': 'links',
    '-P': 'links',
    '--no-dereference': 'links',
    '-L': 'follow',
    '--dereference': 'follow',
    '-H': 'follow-named',
    '-l': 'link',
    '--link': 'link',
    '-s': 'symbolic',
    '--symbolic-link': 'symbolic',
    '--parents': 'parents',
    '-x': 'ignored',
    '--remove-destination': 'remove',
  })
  if (typeof parsed === 'string') return complain(context, 'cp', parsed)
  if (/^always$|^$/.test(valueOf(parsed, 'reflink') ?? 'never'))
    return complain(context, 'cp', "'--reflink=always' is not available here; use --reflink=auto")
  const moves = has(parsed, 'parents') ? parentMoves(parsed) : await movesOf(context, 'cp', parsed)
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
    overwrites: lastOf(parsed, ['i', 'n']) === 'n' ? 'never' : has(parsed, 'u') ? 'if-older' : 'always',
    isVerbose: has(parsed, 'v'),
    removesTarget: has(parsed, 'remove') || (makes !== 'copy' && has(parsed, 'force')),
    makes,
  }
  let code = 0
  const questions = lastOf(parsed, ['i', 'n']) === 'i' ? new Questions(context, 'cp') : undefined
  for (const { from, to } of moves) {
    const [source, target] = [pathOf(context, from), pathOf(context, to)]
    try {
      const there = await statIfThere(context, source)
      const isThere = there !== undefined
      if (from.endsWith('/') && there?.kind === 'file') {
        code = await complain(context, 'cp', `cannot stat ${quotedName(from)}: Not a directory`)
        continue
      }
      if (questions !== undefined && isThere && (await statIfThere(context, target))?.kind === 'file') {
        if (!(await questions.ask(`overwrite ${quotedName(to)}`))) continue
      }
      if (has(parsed, 'parents')) await context.files.mkdir(target.slice(0, target.lastIndexOf('/')) || '/', { recursive: true })
      await backUp(context, target, parsed)
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
  return has(parsed, 'follow-named') || from.endsWith('/') ? { ...options, keepsLinks: false } : options
}

function parentMoves(parsed: Arguments): readonly Move[] | string {
  const directory = valueOf(parsed, 'target') ?? parsed.operands.at(-1)
  const sources = valueOf(parsed, 'target') === undefined ? parsed.operands.slice(0, -1) : parsed.operands
  return directory === undefined
    ? 'missing file operand'
    : sources.map(from => ({ from, to: childOf(directory, from.replace(/^\/+/, '')) }))
}

/** `-b` and `--backup=…`: renames the existing `target` to its backup name. */
async function backUp(context: ShellCommandContext, target: string, parsed: Arguments): Promise<void> {
  const wanted = has(parsed, 'b') && !has(parsed, 'backup') ? 'existing' : valueOf(parsed, 'backup')
  if (wanted === undefined || wanted === 'none' || wanted === 'off') return
  if ((await statIfThere(context, target)) === undefined) return
  const [, directory = '', name = ''] = /^([^]*\/)([^/]*)$/.exec(target) ?? []
  const entries = await context.files.readdir(directory === '/' ? '/' : directory.slice(0, -1))
  const numbers = entries.map(entry => (entry.name.startsWith(`${name}.~`) ? Number(/~(\d+)~$/.exec(entry.name)?.[1] ?? 0) : 0))
  const highest = Math.max(0, ...numbers)
  const isNumbered = wanted === 'numbered' || wanted === 't' || (!/^(?:simple|never)$/.test(wanted) && highest > 0)
  await context.files.rename(target, isNumbered ? `${target}.~${highest + 1}~` : `${target}${valueOf(parsed, 'suffix') ?? '~'}`)
}

export async function mv(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, targetOptions)
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
  const found = await statIfThere(context, source, from.endsWith('/'))
  if (found === undefined) return `cannot stat ${quotedName(from)}: No such file or directory`
  if (from.endsWith('/') && found.kind === 'file') return `cannot stat ${quotedName(from)}: Not a directory`
  const there = await statIfThere(context, target, false)
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
    await backUp(context, target, parsed)
  } else if (to.endsWith('/') && found.kind !== 'directory')
    return `cannot move ${quotedName(from)} to ${quotedName(to)}: Not a directory`
  if (from.endsWith('/') && (await statIfThere(context, source, false))?.kind === 'symlink')
    return `cannot move ${quotedName(from)} to ${quotedName(to)}: Not a directory`
  if (target.startsWith(`${source}/`)) return `cannot move ${quotedName(from)} to a subdirectory of itself, ${quotedName(to)}`
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
  if (has(parsed, 'v')) await context.stdout.write(`renamed ${quotedName(from)} -> ${quotedName(to)}\n`)
  return undefined
}

export async function rm(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-r': 'r',
    '-R': 'r',
    '--recursive': 'r',
    '-f': 'f',
    '--force': 'f',
    '-d': 'd',
    '--dir': 'd',
    '-v': 'v',
    '--verbose': 'v',
    '-i': 'i',
    '-I': 'once',
    '--interactive': 'interactive?',
    '--one-file-system': 'ignored',
    '--preserve-root': 'ignored?',
    '--no-preserve-root': 'ignored',
  })
  if (typeof parsed === 'string') return complain(context, 'rm', parsed)
  const asks = howOftenAsked(parsed)
  const isForced = has(parsed, 'f') && asks !== 'always'
  const count = parsed.operands.length
  if (count === 0) return isForced ? 0 : complain(context, 'rm', 'missing operand')
  const questions = asks === 'never' ? undefined : new Questions(context, 'rm')
  if (asks === 'once' && (count > 3 || has(parsed, 'r'))) {
    const how = has(parsed, 'r') ? ' recursively' : ''
    if ((await questions?.ask(`remove ${count} argument${count === 1 ? '' : 's'}${how}`)) === false) return 0
  }
  let code = 0
  for (const name of parsed.operands) {
    const problem = await removeOne(context, name, parsed, isForced, asks === 'always' ? questions : undefined)
    if (problem !== undefined) code = await complain(context, 'rm', problem)
  }
  return code
}

/** The last of `-f`, `-i`, `-I` and `--interactive` applies. */
function howOftenAsked({ options }: Arguments): 'always' | 'once' | 'never' {
  const last = options.findLast(({ name }) => /^(?:f|i|once|interactive)$/.test(name))
  if (last?.name === 'i' || (last?.name === 'interactive' && /^(?:|always|yes)$/.test(last.value))) return 'always'
  return last?.name === 'once' || last?.value === 'once' ? 'once' : 'never'
}

async function removeOne(
  context: ShellCommandContext,
  name: string,
  parsed: Arguments,
  isForced: boolean,
  questions: Questions | undefined,
): Promise<string | undefined> {
  const { files, cwd } = context
  const trimmed = name.replace(/\/+$/, '')
  if (/(?:^|\/)\.\.?$/.test(trimmed)) return `refusing to remove '.' or '..' directory: skipping ${quotedName(name)}`
  if (name === '') return isForced ? undefined : "cannot remove '': No such file or directory"
  const path = resolveFrom(cwd, name)
  if (path === '/') return "it is dangerous to operate recursively on '/'"
  const found = await statIfThere(context, path, false)
  if (found === undefined) return isForced ? undefined : `cannot remove ${quotedName(name)}: No such file or directory`
  if (trimmed !== name && found.kind !== 'directory') return `cannot remove ${quotedName(name)}: Not a directory`
  if (`${cwd}/`.startsWith(`${path}/`))
    return `refusing to remove ${quotedName(name)}, which holds the working directory; cd elsewhere first`
  try {
    if (found.kind !== 'directory') {
      const kind = found.kind === 'symlink' ? 'symbolic link' : found.sizeBytes === 0 ? 'regular empty file' : 'regular file'
      if (questions !== undefined && !(await questions.ask(`remove ${kind} ${quotedName(name)}`))) return undefined
      await files.rm(path, {})
    } else if (has(parsed, 'r')) {
      if (questions !== undefined) return await removeAsked(context, path, name, parsed, questions)
      if (has(parsed, 'v')) await removeVerbosely(context, path, name)
      else await files.rm(path, { recursive: true })
      return undefined
    } else if (has(parsed, 'd')) await files.rm(path, { emptyDirectory: true })
    else return `cannot remove ${quotedName(name)}: Is a directory`
  } catch (error) {
    if (isFlow(error)) throw error
    return `cannot remove ${quotedName(name)}: ${reasonOf(error)}`
  }
  if (has(parsed, 'v'))
    await context.stdout.write(`removed ${found.kind === 'directory' ? 'directory ' : ''}${quotedName(name)}\n`)
  return undefined
}

/** `rm -ri`: asks before it enters a directory, for each of its entries, and before it removes the directory. */
async function removeAsked(
  context: ShellCommandContext,
  path: string,
  name: string,
  parsed: Arguments,
  questions: Questions,
): Promise<string | undefined> {
  const entries = await context.files.readdir(path)
  if (entries.length > 0 && !(await questions.ask(`descend into directory ${quotedName(name)}`))) return undefined
  for (const entry of entries) {
    const problem = await removeOne(context, childOf(name, entry.name), parsed, false, questions)
    if (problem !== undefined) return problem
  }
  if (!(await questions.ask(`remove directory ${quotedName(name)}`))) return undefined
  await context.files.rm(path, { emptyDirectory: true })
  if (has(parsed, 'v')) await context.stdout.write(`removed directory ${quotedName(name)}\n`)
  return undefined
}

async function removeVerbosely(context: ShellCommandContext, path: string, name: string): Promise<void> {
  const { files, stdout } = context
  for (const entry of await files.readdir(path)) {
    const [inner, shown] = [childOf(path, entry.name), childOf(name, entry.name)]
    if (entry.kind === 'directory') await removeVerbosely(context, inner, shown)
    else {
      await files.rm(inner, {})
      await stdout.write(`removed ${quotedName(shown)}\n`)
    }
  }
  await files.rm(path, { emptyDirectory: true })
  await stdout.write(`removed directory ${quotedName(name)}\n`)
}

export async function mkdir(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-p': 'p',
    '--parents': 'p',
    '-m': 'mode=',
    '--mode': 'mode=',
    '-v': 'v',
    '--verbose': 'v',
  })
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
      if (name === '') throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      const made = has(parsed, 'v') && has(parsed, 'p') ? await missingAbove(context, name) : []
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

export async function rmdir(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-p': 'p',
    '--parents': 'p',
    '-v': 'v',
    '--verbose': 'v',
    '--ignore-fail-on-non-empty': 'quiet',
  })
  if (typeof parsed === 'string') return complain(context, 'rmdir', parsed)
  if (parsed.operands.length === 0) return complain(context, 'rmdir', 'missing operand')
  let code = 0
  for (const name of parsed.operands) {
    const names = [name]
    if (has(parsed, 'p'))
      for (let above = name.replace(/\/[^/]*$/, ''); above !== names.at(-1); above = above.replace(/\/[^/]*$/, ''))
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

export async function ln(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...targetOptions,
    '-s': 's',
    '--symbolic': 's',
    '-n': 'no-follow',
    '--no-dereference': 'no-follow',
    '-r': 'r',
    '--relative': 'r',
    '-P': 'keeps-links',
    '--physical': 'keeps-links',
    '-L': 'follows',
    '--logical': 'follows',
  })
  if (typeof parsed === 'string') return complain(context, 'ln', parsed)
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
      await backUp(context, path, parsed)
      if (has(parsed, 'force') && (await statIfThere(context, path, false))?.kind !== undefined) {
        if ((await statIfThere(context, path, false))?.kind === 'directory') {
          code = await complain(context, 'ln', `${to}: cannot overwrite directory`)
          continue
        }
        await context.files.rm(path, {})
      }
      if (kind === 'symbolic')
        await context.files.symlink(has(parsed, 'r') ? relativeTo(path, pathOf(context, source)) : source, path)
      else {
        const original = pathOf(context, source)
        if ((await statIfThere(context, original, false))?.kind === 'directory') {
          code = await complain(context, 'ln', `${source}: hard link not allowed for directory`)
          continue
        }
        await context.files.link(isLogical ? await context.files.realpath(original) : original, path)
      }
      if (has(parsed, 'v'))
        await context.stdout.write(`${quotedName(to)} ${kind === 'symbolic' ? '->' : '=>'} ${quotedName(source)}\n`)
    } catch (error) {
      if (isFlow(error)) throw error
      const isMissing = kind === 'hard' && (await statIfThere(context, pathOf(context, source), false)) === undefined
      code = await complain(
        context,
        'ln',
        isMissing
          ? `failed to access ${quotedName(source)}: ${reasonOf(error)}`
          : `failed to create ${kind} link ${quotedName(to)}: ${reasonOf(error)}`,
      )
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
  const [name, ...others] = context.args[0] === '--' ? context.args.slice(1) : context.args
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

/** The relative path from the directory of `link` to `target`. */
export function relativeTo(link: string, target: string): string {
  const from = link.split('/').slice(1, -1)
  const to = target.split('/').slice(1)
  let common = 0
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/') || '.'
}

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
      const next = wanted ?? changeMode(mode, found.mode, found.kind === 'directory', 0o022)
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
      const isMissing = reasonOf(error) === 'No such file or directory'
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

export async function install(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...targetOptions,
    '-d': 'd',
    '--directory': 'd',
    '-m': 'mode=',
    '--mode': 'mode=',
    '-D': 'D',
    '-o': 'owner=',
    '--owner': 'owner=',
    '-g': 'owner=',
    '--group': 'owner=',
    '-p': 'p',
    '--preserve-timestamps': 'p',
    '-C': 'ignored',
    '-c': 'ignored',
  })
  if (typeof parsed === 'string') return complain(context, 'install', parsed)
  const owner = parsed.options.find(({ name, value }) => name === 'owner' && value !== 'user' && value !== '1000')
  if (owner !== undefined) return complain(context, 'install', `every file belongs to 'user' here; leave '${owner.value}' out`)
  const written = valueOf(parsed, 'mode')
  const mode = written === undefined ? 0o755 : changeMode(written, 0, false, 0)
  if (mode === undefined) return complain(context, 'install', `invalid mode '${written ?? ''}'`)
  try {
    if (has(parsed, 'd')) {
      let directoryCode = parsed.operands.length === 0 ? await complain(context, 'install', 'missing file operand') : 0
      for (const name of parsed.operands) {
        const parts = name.split('/')
        const missing: string[] = []
        for (const [index, part] of parts.entries()) {
          const above = parts.slice(0, index + 1).join('/')
          if (part !== '' && (await statIfThere(context, pathOf(context, above))) === undefined) missing.push(above)
        }
        try {
          await context.files.mkdir(pathOf(context, name), { recursive: true })
          await context.files.chmod(pathOf(context, name), mode)
        } catch (error) {
          if (isFlow(error)) throw error
          directoryCode = await complain(context, 'install', `cannot create directory ‘${name}’: ${reasonOf(error)}`)
          continue
        }
        if (has(parsed, 'v'))
          for (const one of missing) await context.stdout.write(`install: creating directory ${quotedName(one)}\n`)
      }
      return directoryCode
    }
    const last = valueOf(parsed, 'target') ?? parsed.operands.at(-1) ?? ''
    const parent = has(parsed, 'target') ? pathOf(context, last) : pathOf(context, last).replace(/\/[^/]*$/, '') || '/'
    if (has(parsed, 'D')) await context.files.mkdir(parent, { recursive: true })
  } catch (error) {
    if (isFlow(error)) throw error
    return complain(context, 'install', reasonOf(error))
  }
  const moves = await movesOf(context, 'install', parsed)
  if (typeof moves === 'string') return complain(context, 'install', moves)
  let code = 0
  for (const { from, to } of moves) {
    const options = {
      name: 'install',
      isRecursive: false,
      keepsLinks: false,
      keepsTimes: has(parsed, 'p'),
      keepsMode: false,
      overwrites: 'always',
      isVerbose: has(parsed, 'v'),
      removesTarget: true,
      makes: 'copy',
    } as const
    await backUp(context, pathOf(context, to), parsed)
    const copied = await copyTree(context, pathOf(context, from), pathOf(context, to), from, to, options)
    if (copied === 0) await context.files.chmod(pathOf(context, to), mode)
    code = copied || code
  }
  return code
}
