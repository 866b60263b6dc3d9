// `compgen`: prints the names that begin with a prefix.

import { builtinNames } from '../calls.ts'
import type { Shell } from '../shell.ts'
import { print, usageProblem, type Builtin } from './builtin.ts'
import { keywords } from './lookup.ts'

const letters: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  e: 'export',
  k: 'keyword',
  v: 'variable',
}

const actions: Readonly<Record<string, (shell: Shell) => readonly string[]>> = {
  alias: shell => [...shell.aliases.keys()].sort(),
  command: shell => [
    ...[...shell.aliases.keys()].sort(),
    ...keywords,
    ...[...shell.functions.keys()].sort(),
    ...builtinNames().sort(),
    ...[...shell.run.commands.keys()].sort(),
  ],
  keyword: () => [...keywords],
  variable: shell => shell.variables.names(),
  export: shell => Object.keys(shell.variables.exported()).sort(),
  builtin: () => builtinNames().sort(),
  function: shell => [...shell.functions.keys()].sort(),
}

export const compgen: Builtin = async (shell, args) => {
  const wanted = new Set<string>()
  const rest = [...args]
  let words: readonly string[] = []
  for (let arg = rest[0]; arg !== undefined && /^-./.test(arg); arg = rest[0]) {
    rest.shift()
    if (arg === '--') break
    const [, option, attached = ''] = /^-([AW])([^]*)$/.exec(arg) ?? []
    if (option === undefined) {
      for (const letter of arg.slice(1)) {
        const action = letters[letter]
        if (action === undefined)
          return usageProblem(shell, 'compgen', `-${letter}: invalid option; known are -abcekv, -A ACTION and -W WORDS`)
        wanted.add(action)
      }
      continue
    }
    const value = attached === '' ? rest.shift() : attached
    if (value === undefined) return usageProblem(shell, 'compgen', `-${option}: option requires an argument`)
    if (option === 'W') {
      if (/["'\\$`]/.test(value)) return usageProblem(shell, 'compgen', '-W takes plain words here: expand them before')
      const separators = shell.variables.get('IFS') ?? ' \t\n'
      words = value.split(/(?:)/u).reduce<string[]>(
        (list, letter) => {
          if (separators.includes(letter)) list.push('')
          else list.push((list.pop() ?? '') + letter)
          return list
        },
        [''],
      )
    } else if (Object.hasOwn(actions, value)) wanted.add(value)
    else return usageProblem(shell, 'compgen', `${value}: invalid action name; known are ${Object.keys(actions).join(', ')}`)
  }
  if (args.length === 0) return 0
  const [start = ''] = rest
  const found = Object.entries(actions).flatMap(([name, list]) => (wanted.has(name) ? list(shell) : []))
  const shown = [...found, ...words].filter(name => name !== '' && name.startsWith(start))
  await print(shell, shown.map(name => `${name}\n`).join(''), 'compgen')
  return shown.length > 0 ? 0 : 1
}
