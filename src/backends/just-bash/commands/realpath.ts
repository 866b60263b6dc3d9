// just-bash has no realpath; scripts use it to find out where they are.

import { failed, type CommandContext, type CommandResult } from './command.ts'

/** `realpath [-e|-m|-s] [-q] FILE...`. Without an option the last part may be missing, as in coreutils. */
export async function realpath(args: readonly string[], { fs, cwd }: CommandContext): Promise<CommandResult> {
  const modes: Readonly<Record<string, 'all' | 'none' | 'last' | 'names'>> = {
    '-e': 'all',
    '--canonicalize-existing': 'all',
    '-m': 'none',
    '--canonicalize-missing': 'none',
    '-s': 'names',
    '--no-symlinks': 'names',
  }
  let mode: 'all' | 'none' | 'last' | 'names' = 'last'
  const files: string[] = []
  for (const [index, arg] of args.entries()) {
    if (arg === '--') {
      files.push(...args.slice(index + 1))
      break
    }
    if (arg === '-q' || arg === '--quiet') continue
    if (!arg.startsWith('-') || arg === '-') files.push(arg)
    else if (modes[arg] === undefined) return failed('realpath', `unknown option '${arg}'; known are -e, -m, -s and -q`)
    else mode = modes[arg]
  }
  if (files.length === 0) return failed('realpath', 'missing operand')
  const found: string[] = []
  const problems: string[] = []
  for (const file of files) {
    const path = fs.resolvePath(cwd, file)
    const real = mode === 'names' ? path : await resolve(fs, path, mode)
    if (real === undefined) problems.push(`realpath: ${file}: No such file or directory\n`)
    else found.push(`${real}\n`)
  }
  return { stdout: found.join(''), stderr: problems.join(''), exitCode: problems.length === 0 ? 0 : 1 }
}

async function resolve(fs: CommandContext['fs'], path: string, mode: 'all' | 'none' | 'last'): Promise<string | undefined> {
  if (await fs.exists(path)) return fs.realpath(path)
  if (mode === 'all' || path === '/') return undefined
  const cut = path.lastIndexOf('/')
  const parent = path.slice(0, cut) || '/'
  const real =
    mode === 'none' ? await resolve(fs, parent, mode) : (await fs.exists(parent)) ? await fs.realpath(parent) : undefined
  return real === undefined ? undefined : `${real === '/' ? '' : real}${path.slice(cut)}`
}
