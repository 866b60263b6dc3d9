// Builtins that look up names: `type`, `command`, `builtin`, `hash`, `enable` and `help`.

import { builtinNames, hasBuiltin, runBuiltin } from '../calls.ts'
import { findInPath, isProgram, runProgram } from '../programs.ts'
import { showFunction } from '../show-functions.ts'
import type { Shell } from '../shell.ts'
import { resolveFrom } from '../../../../shell/files.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'

export const keywords: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(' '),
)

type Meaning =
  | { readonly kind: 'alias'; readonly text: string }
  | { readonly kind: 'keyword' | 'function' | 'builtin' }
  | { readonly kind: 'file'; readonly path: string }

async function meaningsOf(shell: Shell, name: string, skipsFunctions = false): Promise<Meaning[]> {
  const found: Meaning[] = []
  const alias = shell.aliases.get(name)
  if (alias !== undefined && shell.hasShopt('expand_aliases')) found.push({ kind: 'alias', text: alias })
  if (keywords.has(name)) found.push({ kind: 'keyword' })
  if (!skipsFunctions && shell.functions.has(name)) found.push({ kind: 'function' })
  if (hasBuiltin(name) && !shell.disabledBuiltins.has(name)) found.push({ kind: 'builtin' })
  found.push(...(await filesOf(shell, name)))
  return found
}

async function filesOf(shell: Shell, name: string): Promise<Meaning[]> {
  if (name.includes('/')) {
    try {
      const path = resolveFrom(shell.cwd, name)
      const isProgramPath = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(path)?.[1]
      if (isProgramPath !== undefined && isProgram(shell, isProgramPath)) return [{ kind: 'file', path: name }]
      const found = await shell.run.files.stat(path)
      return found.kind === 'file' && (found.mode & 0o111) !== 0 ? [{ kind: 'file', path: name }] : []
    } catch {
      // The path does not exist.
      return []
    }
  }
  const own = await findInPath(shell, name)
  return [
    ...(own === undefined ? [] : [{ kind: 'file' as const, path: own }]),
    ...(isProgram(shell, name) && shell.variables.get('PATH') !== ''
      ? [{ kind: 'file' as const, path: `/usr/bin/${name}` }]
      : []),
  ]
}

export const type: Builtin = async (shell, args) => {
  const read = readLetters(args, 'afptP')
  if (typeof read === 'string') return usageProblem(shell, 'type', read)
  const { letters, operands } = read
  let status = 0
  for (const name of operands) {
    const all = letters.has('P') ? await filesOf(shell, name) : await meaningsOf(shell, name, letters.has('f'))
    const shown = letters.has('a') ? all : all.slice(0, 1)
    if (shown.length === 0) {
      status = 1
      if (!letters.has('t') && !letters.has('p') && !letters.has('P')) await shell.complain(`type: ${name}: not found`)
    }
    for (const meaning of shown) {
      if (letters.has('t')) await print(shell, `${meaning.kind}\n`)
      else if (letters.has('p') || letters.has('P')) {
        if (meaning.kind === 'file') await print(shell, `${meaning.path}\n`)
      } else await print(shell, describe(shell, name, meaning))
    }
  }
  return status
}

function describe(shell: Shell, name: string, meaning: Meaning): string {
  switch (meaning.kind) {
    case 'alias':
      return `${name} is aliased to \`${meaning.text}'\n`
    case 'keyword':
      return `${name} is a shell keyword\n`
    case 'builtin':
      return `${name} is a shell builtin\n`
    case 'file':
      return `${name} is ${meaning.path}\n`
    default: {
      const body = shell.functions.get(name)
      return `${name} is a function\n${body === undefined ? '' : showFunction(name, body)}`
    }
  }
}

export const command: Builtin = async (shell, args, { saved }) => {
  const first = args.findIndex(arg => !/^-[pvV]+$/.test(arg))
  const wrong = /^-[pvV]*([^-pvV])/.exec(args[first] ?? '')?.[1]
  if (wrong !== undefined) return usageProblem(shell, 'command', `-${wrong}: invalid option`)
  const letters = (first < 0 ? args : args.slice(0, first)).join('')
  const operands = first < 0 ? [] : args.slice(args[first] === '--' ? first + 1 : first)
  if (letters.includes('v') || letters.includes('V')) {
    let status = operands.length === 0 ? 0 : 1
    for (const name of operands) {
      const [meaning] = await meaningsOf(shell, name)
      if (meaning === undefined) {
        if (letters.includes('V')) await shell.complain(`command: ${name}: not found`)
        continue
      }
      status = 0
      const shown = meaning.kind === 'file' ? meaning.path : meaning.kind === 'alias' ? `alias ${name}='${meaning.text}'` : name
      await print(shell, letters.includes('V') ? describe(shell, name, meaning) : `${shown}\n`)
    }
    return status
  }
  const [name, ...rest] = operands
  if (name === undefined) return 0
  if (hasBuiltin(name) && !shell.disabledBuiltins.has(name)) return runBuiltin(shell, name, rest, saved)
  return runProgram(shell, operands)
}

export const builtin: Builtin = async (shell, args, { saved }) => {
  const [name, ...rest] = args[0] === '--' ? args.slice(1) : args
  if (name === undefined) return 0
  return hasBuiltin(name)
    ? runBuiltin(shell, name, rest, saved)
    : usageProblem(shell, 'builtin', `${name}: not a shell builtin`, 1)
}

export const enable: Builtin = async (shell, args) => {
  const read = readLetters(args, 'anps')
  if (typeof read === 'string') return usageProblem(shell, 'enable', read)
  if (read.operands.length === 0) {
    const isOff = (name: string): boolean => shell.disabledBuiltins.has(name)
    const names = builtinNames().filter(name => read.letters.has('a') || isOff(name) === read.letters.has('n'))
    return print(
      shell,
      names
        .sort()
        .map(name => `enable ${isOff(name) ? '-n ' : ''}${name}\n`)
        .join(''),
    )
  }
  let status = 0
  for (const name of read.operands) {
    if (!hasBuiltin(name)) status = await usageProblem(shell, 'enable', `${name}: not a shell builtin`, 1)
    else if (read.letters.has('n')) shell.disabledBuiltins.add(name)
    else shell.disabledBuiltins.delete(name)
  }
  return status
}

/** Commands are looked up each time they run, so there is no table of remembered paths to list or change. */
export const hash: Builtin = async (shell, args) => {
  const read = readLetters(args, 'dlprt')
  if (typeof read === 'string') return usageProblem(shell, 'hash', read)
  const { letters, operands } = read
  if (letters.has('p')) return usageProblem(shell, 'hash', '-p: no path can be set here; use an alias, a function or PATH', 1)
  if (operands.length === 0)
    return letters.has('r')
      ? 0
      : usageProblem(shell, 'hash', 'paths of commands are not remembered here; use type -P NAME or hash -t NAME', 1)
  if (letters.has('d')) return 0
  let status = 0
  for (const name of operands) {
    const [file] = await filesOf(shell, name)
    if (letters.has('t') && file?.kind === 'file')
      await print(shell, operands.length > 1 ? `${name}\t${file.path}\n` : `${file.path}\n`)
    else if (file === undefined && (letters.has('t') || !hasBuiltin(name)))
      status = await usageProblem(shell, 'hash', `${name}: not found`, 1)
  }
  return status
}

export const help: Builtin = async (shell, args) => {
  const [name] = args.filter(arg => !arg.startsWith('-'))
  const known = [...shell.run.commands.values()]
  if (name === undefined) {
    const ownNames = builtinNames().sort().join(' ')
    const lines = known
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name: own, help: text }) => `${own}${text === undefined ? '' : `: ${text}`}`)
    return print(shell, `Builtins: ${ownNames}\n\nCommands:\n${lines.join('\n')}\n`)
  }
  const found = shell.run.commands.get(name)
  if (found !== undefined) return print(shell, `${name}: ${found.help ?? 'a command of this shell'}\n`)
  return hasBuiltin(name)
    ? print(shell, `${name}: a builtin of bash\n`)
    : usageProblem(shell, 'help', `no help topics match \`${name}'`, 1)
}
