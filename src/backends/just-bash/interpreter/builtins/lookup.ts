// Builtins that look up names: `type`, `command` and `builtin`.

import { hasBuiltin, runBuiltin } from '../calls.ts'
import { pathFrom } from '../../physical-files.ts'
import { findInPath, isExecutable, isProgram, programPaths, runProgram, useHashed } from '../programs.ts'
import { showFunction } from '../show-functions.ts'
import type { Shell } from '../shell.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'

export const keywords: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(' '),
)

type Meaning =
  | { readonly kind: 'alias'; readonly text: string }
  | { readonly kind: 'keyword' | 'function' | 'builtin' }
  | { readonly kind: 'file'; readonly path: string; readonly isHashed?: boolean }

/** With `isAll`, a remembered path is passed over. */
async function meaningsOf(shell: Shell, name: string, isAll: boolean, skipsFunctions = false): Promise<Meaning[]> {
  const found: Meaning[] = []
  const alias = shell.aliases.get(name)
  if (alias !== undefined && shell.hasShopt('expand_aliases')) found.push({ kind: 'alias', text: alias })
  if (keywords.has(name)) found.push({ kind: 'keyword' })
  if (!skipsFunctions && shell.functions.has(name)) found.push({ kind: 'function' })
  if (hasBuiltin(name) && !shell.disabledBuiltins.has(name)) found.push({ kind: 'builtin' })
  const hashed = isAll || found.length > 0 ? undefined : await hashedFile(shell, name)
  if (hashed === undefined) found.push(...(await filesOf(shell, name)))
  else found.push(hashed)
  return found
}

export async function filesOf(shell: Shell, name: string): Promise<Meaning[]> {
  if (name.includes('/')) {
    const program = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(pathFrom(shell.directory, name))?.[1]
    const isThere = (program !== undefined && isProgram(shell, program)) || (await isExecutable(shell, name))
    return isThere ? [{ kind: 'file', path: name }] : []
  }
  const own = await findInPath(shell, name)
  return [
    ...(own === undefined ? [] : [{ kind: 'file' as const, path: own }]),
    ...(isProgram(shell, name) ? programPaths(shell, name).map(path => ({ kind: 'file' as const, path })) : []),
  ]
}

/** The remembered path of a command. As in bash, looking for it counts as a use. */
export async function hashedFile(shell: Shell, name: string): Promise<Meaning | undefined> {
  const known = await useHashed(shell, name)
  return known && { kind: 'file', path: known.path, isHashed: true }
}

export const type: Builtin = async (shell, args) => {
  const read = readLetters(args, 'afptP')
  if (typeof read === 'string') return usageProblem(shell, 'type', read)
  const { letters, operands } = read
  let status = 0
  for (const name of operands) {
    const all = letters.has('P') ? await filesOf(shell, name) : await meaningsOf(shell, name, letters.has('a'), letters.has('f'))
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
      return meaning.isHashed === true ? `${name} is hashed (${meaning.path})\n` : `${name} is ${meaning.path}\n`
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
      const [meaning] = await meaningsOf(shell, name, false)
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
