// realpath: resolves symbolic links.

import { resolveFrom } from '../../../shell/files.ts'
import { has, optionTable, parseArguments, valueOf } from './options.ts'
import { failed, type CommandContext, type CommandResult } from './command.ts'

const realpathOptions = optionTable(`
  -e --canonicalize-existing: mode-all, -m --canonicalize-missing: mode-none, -s --strip --no-symlinks: names, -L --logical: logical, -P --physical: physical,
  -q --quiet: quiet, -z --zero: zero, --relative-to: relative-to=, --relative-base: relative-base=
`)

/** Without an option the last component may be missing, as in coreutils. */
export async function realpath(args: readonly string[], { fs, cwd }: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, realpathOptions)
  if (typeof parsed === 'string') return failed('realpath', parsed)
  if (parsed.operands.length === 0) return failed('realpath', 'missing operand')
  const mode =
    parsed.options.findLast(({ name }) => name.startsWith('mode-'))?.name === 'mode-all'
      ? 'all'
      : has(parsed, 'mode-none')
        ? 'none'
        : 'last'
  // `..` leads back to where a link stands.
  const isLogical = parsed.options.findLast(({ name }) => name === 'logical' || name === 'physical')?.name === 'logical'
  const realOf = async (file: string): Promise<string | undefined> => {
    if (file === '') return undefined
    const written = resolveFrom(cwd, file)
    if (has(parsed, 'names')) return written
    return resolve(fs, isLogical ? written : fs.resolvePath(cwd, file), mode)
  }
  const [toText, baseText] = [valueOf(parsed, 'relative-to'), valueOf(parsed, 'relative-base')]
  const to = toText === undefined ? undefined : await realOf(toText)
  const base = baseText === undefined ? undefined : await realOf(baseText)
  for (const [text, found] of [
    [toText, to],
    [baseText, base],
  ])
    if (text !== undefined && found === undefined) return failed('realpath', `${text}: No such file or directory`)
  const found: string[] = []
  const problems: string[] = []
  for (const file of parsed.operands) {
    const real = await realOf(file)
    const isNoDirectory = mode !== 'none' && (await isBehindFile(fs, fs.resolvePath(cwd, file), file))
    if (isNoDirectory) problems.push(`realpath: ${file}: Not a directory\n`)
    else if (real === undefined) problems.push(`realpath: ${file === '' ? "''" : file}: No such file or directory\n`)
    else found.push(shown(real, to, base) + (has(parsed, 'zero') ? '\0' : '\n'))
  }
  return {
    stdout: found.join(''),
    stderr: has(parsed, 'quiet') ? '' : problems.join(''),
    exitCode: problems.length === 0 ? 0 : 1,
  }
}

function shown(path: string, to: string | undefined, base: string | undefined): string {
  if (base !== undefined && !isBelow(path, base)) return path
  const from = to ?? base
  if (from === undefined || (base !== undefined && !isBelow(from, base))) return path
  const [there, here] = [path, from].map(name => name.split('/').filter(Boolean))
  if (there === undefined || here === undefined) return path
  let common = 0
  while (common < there.length && there[common] === here[common]) common += 1
  return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('/') || '.'
}

function isBelow(path: string, base: string): boolean {
  return path === base || base === '/' || path.startsWith(`${base}/`)
}

/** Whether the name passes through something that is not a directory, or ends in a slash behind it. */
async function isBehindFile(fs: CommandContext['fs'], path: string, name: string): Promise<boolean> {
  const directory = name.endsWith('/') ? path : path.slice(0, path.lastIndexOf('/')) || '/'
  return (await fs.exists(directory)) && !(await fs.stat(directory)).isDirectory
}

/** The target of a broken symbolic link; `undefined` if `path` is not a link. */
async function linkTarget(fs: CommandContext['fs'], path: string): Promise<string | undefined> {
  try {
    return fs.resolvePath(path.slice(0, path.lastIndexOf('/')) || '/', await fs.readlink(path))
  } catch {
    return undefined
  }
}

async function resolve(
  fs: CommandContext['fs'],
  path: string,
  mode: 'all' | 'none' | 'last',
  linksLeft = 40,
): Promise<string | undefined> {
  if (await fs.exists(path)) return fs.realpath(path)
  if (mode === 'all' || path === '/') return undefined
  const target = await linkTarget(fs, path)
  if (target !== undefined) return linksLeft > 0 ? resolve(fs, target, mode, linksLeft - 1) : undefined
  const cut = path.lastIndexOf('/')
  const parent = path.slice(0, cut) || '/'
  const real =
    mode === 'none' ? await resolve(fs, parent, mode) : (await fs.exists(parent)) ? await fs.realpath(parent) : undefined
  if (real === undefined) return undefined
  return path.endsWith('/..') ? resolveFrom(real, '..') : `${real === '/' ? '' : real}${path.slice(cut)}`
}
