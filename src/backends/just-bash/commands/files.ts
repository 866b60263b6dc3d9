// just-bash's ls, cp and rm go wrong where a model would not look: `ls *.txt` puts an empty line between files, `cp link copy` makes a second
// link, and `rm -rf .` takes the working directory away. These stand in front of them and hand on what is right.

import type { CommandContext, CommandResult } from './command.ts'
import { failed } from './command.ts'
import { reasonOf } from './inputs.ts'
import { has, parseArguments, valueOf, type Arguments } from './options.ts'

/** Its own, with files listed first and together, as GNU's does. */
export async function ls(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(
    args.filter(arg => !/^--color(?:=|$)/.test(arg)),
    {
      ...Object.fromEntries([...'1aAlhRdFStr'].map(letter => [`-${letter}`, letter])),
      '--all': 'a',
      '--almost-all': 'A',
      '--directory': 'd',
      '--human-readable': 'h',
      '--recursive': 'R',
      '--reverse': 'r',
      '--classify': 'F',
      '-p': 'p',
      '-L': 'ignored',
      '-n': 'l',
    },
  )
  if (typeof parsed === 'string') return failed('ls', parsed, 2)
  const letters = [...new Set(parsed.options.map(({ name }) => name))].filter(name => /^[1aAlhRdFStr]$/.test(name))
  const isMarked = has(parsed, 'p')
  const flags = [...letters, ...(isMarked && !letters.includes('F') ? ['F'] : [])].map(letter => `-${letter}`)
  // -p marks directories only.
  const cleaned = (text: string): string => (isMarked && !has(parsed, 'F') ? text.replace(/[*@|=]$/gm, '') : text)
  if (parsed.operands.length === 0) {
    const result = await context.original(flags)
    return { ...result, stdout: cleaned(result.stdout) }
  }
  const { files, folders, problems } = await sorted(parsed, context)
  let [stdout, stderr] = ['', problems]
  let exitCode = problems === '' ? 0 : 2
  const call = async (given: readonly string[]): Promise<string> => {
    const result = await context.original([...flags, '--', ...given])
    stderr += result.stderr
    exitCode ||= result.exitCode
    return cleaned(result.stdout)
  }
  for (const file of files) {
    const path = context.fs.resolvePath(context.cwd, file)
    // A link that leads nowhere: its own looks for what it leads to.
    stdout += (await context.fs.exists(path)) ? await call([file]) : `${file}\n`
  }
  const hasTitles = folders.length + files.length > 1 || problems !== ''
  for (const folder of folders) {
    const listed = await call([folder])
    const title = hasTitles && !has(parsed, 'R') ? `${folder}:\n` : ''
    stdout += `${stdout === '' ? '' : '\n'}${title}${listed}`
  }
  return { stdout, stderr, exitCode }
}

interface Operands {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  readonly problems: string
}

async function sorted(parsed: Arguments, { fs, cwd }: CommandContext): Promise<Operands> {
  const files: { name: string; rank: number }[] = []
  const folders: { name: string; rank: number }[] = []
  let problems = ''
  for (const name of parsed.operands) {
    try {
      const path = fs.resolvePath(cwd, name)
      const own = await fs.lstat(path)
      const found = own.isSymbolicLink && (await fs.exists(path)) && !has(parsed, 'l') ? await fs.stat(path) : own
      const rank = has(parsed, 'S') ? -found.size : has(parsed, 't') ? -found.mtime.getTime() : 0
      const isFolder = (found.isDirectory || (own.isSymbolicLink && name.endsWith('/'))) && !has(parsed, 'd')
      if (isFolder) folders.push({ name, rank })
      else files.push({ name, rank })
    } catch (error) {
      problems += `ls: cannot access '${name}': ${reasonOf(error)}\n`
    }
  }
  const order = (list: { name: string; rank: number }[]): string[] => {
    list.sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1))
    return (has(parsed, 'r') ? list.toReversed() : list).map(({ name }) => name)
  }
  return { files: order(files), folders: order(folders), problems }
}

/** Its own, where a link that is named is followed unless whole trees are copied; also -a, -d, -f, -P, -L, -t and -T. */
export async function cp(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    '-r': 'r',
    '-R': 'r',
    '--recursive': 'r',
    '-a': 'archive',
    '--archive': 'archive',
    '-p': 'p',
    '--preserve': 'p',
    '-d': 'links',
    '-P': 'links',
    '--no-dereference': 'links',
    '-L': 'follow',
    '-H': 'follow',
    '-f': 'ignored',
    '--force': 'ignored',
    '-n': 'n',
    '--no-clobber': 'n',
    '-v': 'v',
    '--verbose': 'v',
    '-t': 'target=',
    '--target-directory': 'target=',
    '-T': 'no-target',
  })
  if (typeof parsed === 'string') return failed('cp', parsed)
  const { fs, cwd } = context
  const target = valueOf(parsed, 'target')
  const operands = target === undefined ? parsed.operands : [...parsed.operands, target]
  const last = operands.at(-1)
  const sources = operands.slice(0, -1)
  const isTree = has(parsed, 'r') || has(parsed, 'archive')
  const keepsLinks = has(parsed, 'links') || (isTree && !has(parsed, 'follow'))
  const flags = [...(isTree || has(parsed, 'links') ? ['-r'] : []), ...(has(parsed, 'p') || has(parsed, 'archive') ? ['-p'] : [])]
  for (const flag of ['n', 'v']) if (has(parsed, flag)) flags.push(`-${flag}`)
  const isFolder = last !== undefined && (await isDirectory(context, last))
  if (has(parsed, 'no-target') && isFolder) return failed('cp', `cannot overwrite directory '${last ?? ''}' with -T`)
  let [stdout, stderr, exitCode] = ['', '', 0]
  const plain: string[] = []
  for (const source of sources) {
    const path = fs.resolvePath(cwd, source)
    const isLink = !keepsLinks && (await isSymbolicLink(context, path)) && (await fs.exists(path))
    if (!isLink) {
      plain.push(source)
      continue
    }
    // What it leads to, under the link's own name.
    const to = isFolder ? `${last.replace(/\/$/, '')}/${path.slice(path.lastIndexOf('/') + 1)}` : (last ?? '')
    const result = await context.original([...flags, '--', await fs.realpath(path), to])
    stdout += result.stdout
    stderr += result.stderr
    exitCode ||= result.exitCode
  }
  if (plain.length > 0 || sources.length === 0 || last === undefined) {
    const result = await context.original([...flags, '--', ...plain, ...(last === undefined ? [] : [last])])
    stdout += result.stdout
    stderr += result.stderr
    exitCode ||= result.exitCode
  }
  return { stdout, stderr, exitCode }
}

/** Its own, but never the working directory or what a link with a slash behind it leads to. */
export async function rm(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const { fs, cwd } = context
  const end = args.indexOf('--')
  const kept: string[] = []
  let problems = ''
  for (const [index, arg] of args.entries()) {
    const isOperand = (end >= 0 && index > end) || !arg.startsWith('-') || arg === '-'
    const name = arg.replace(/\/+$/, '')
    if (!isOperand) kept.push(arg)
    else if (/(?:^|\/)\.\.?$/.test(name)) problems += `rm: refusing to remove '.' or '..' directory: skipping '${arg}'\n`
    else if (name !== arg && name !== '' && (await isSymbolicLink(context, fs.resolvePath(cwd, name))))
      problems += `rm: cannot remove '${arg}': Not a directory\n`
    else if (`${cwd}/`.startsWith(`${fs.resolvePath(cwd, arg)}/`))
      problems += `rm: refusing to remove '${arg}', which holds the working directory; cd elsewhere first\n`
    else kept.push(arg)
  }
  if (problems === '') return context.original(args)
  const hasOperand = kept.some(
    (arg, index) => !arg.startsWith('-') || arg === '-' || (kept.indexOf('--') >= 0 && index > kept.indexOf('--')),
  )
  const result = hasOperand ? await context.original(kept) : { stdout: '', stderr: '', exitCode: 1 }
  return { ...result, stderr: problems + result.stderr, exitCode: 1 }
}

async function isSymbolicLink({ fs }: CommandContext, path: string): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink
  } catch {
    // Not there: the command itself says so.
    return false
  }
}

async function isDirectory({ fs, cwd }: CommandContext, name: string): Promise<boolean> {
  const path = fs.resolvePath(cwd, name)
  return (await fs.exists(path)) && (await fs.stat(path)).isDirectory
}
