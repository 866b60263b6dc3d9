// `compgen`: prints the names that begin with a prefix.

import { inCharacters } from '../byte-locale.ts'
import { builtinNames } from '../calls.ts'
import { filesOf } from '../command-files.ts'
import { unaryTest } from '../conditions.ts'
import { expandGlob } from '../glob.ts'
import { compilePattern, escapePattern } from '../pattern.ts'
import type { Shell } from '../shell.ts'
import { print, usageProblem, type Builtin } from './builtin.ts'
import { keywords } from './lookup.ts'

const letters: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  d: 'directory',
  e: 'export',
  f: 'file',
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

/** The paths that begin with `start`, as far as its last slash is written. */
async function paths(shell: Shell, start: string, onlyDirectories: boolean): Promise<string[]> {
  const found = await matches(
    shell,
    `${start.replace(/[\\*?[\]]/g, '\\$&')}*`,
    /(?:^|\/)\.[^/]*$/.test(start) || !/[^/]$/.test(start),
  )
  if (!onlyDirectories) return found
  const directories: string[] = []
  for (const path of found) if (await unaryTest(shell, '-d', path)) directories.push(path)
  return directories
}

function matches(shell: Shell, pattern: string, matchesHidden: boolean, ignoresCase = false): Promise<string[]> {
  const isExtended = shell.hasShopt('extglob')
  return expandGlob(pattern, {
    files: filesOf(shell),
    cwd: shell.directory,
    inCharacters: name => inCharacters(shell, name),
    isExtended,
    ignoresCase,
    matchesHidden,
    isDeep: shell.hasShopt('globstar'),
  })
}

/** `-X` removes the names that match a pattern, or behind `!` those that do not. In it, `&` is the prefix that was given. */
function leftBy(filter: string, start: string, shell: Shell): (name: string) => boolean {
  const isKept = filter.startsWith('!')
  const literal = escapePattern(start)
  const pattern = filter
    .slice(isKept ? 1 : 0)
    .replace(/\\([^])|&/g, (all, escaped?: string) => (escaped === '&' ? '&' : escaped === undefined ? literal : all))
  const expression = compilePattern(pattern, { isExtended: shell.hasShopt('extglob') })
  return name => expression.test(name) === isKept
}

export const compgen: Builtin = async (shell, args) => {
  const wanted = new Set<string>()
  const rest = [...args]
  let words: readonly string[] = []
  let globbed: readonly string[] = []
  let prefix = ''
  let suffix = ''
  let filter: string | undefined
  for (let arg = rest[0]; arg !== undefined && /^-./.test(arg); arg = rest[0]) {
    rest.shift()
    if (arg === '--') break
    const [, option, attached = ''] = /^-([AGPSWX])([^]*)$/.exec(arg) ?? []
    if (option === undefined) {
      for (const letter of arg.slice(1)) {
        const action = letters[letter]
        if (action === undefined)
          return usageProblem(
            shell,
            'compgen',
            `-${letter}: invalid option; known are -abcdefkv, -A ACTION, -G PATTERN, -P PREFIX, -S SUFFIX, -W WORDS and -X PATTERN`,
          )
        wanted.add(action)
      }
      continue
    }
    const value = attached === '' ? rest.shift() : attached
    if (value === undefined) return usageProblem(shell, 'compgen', `-${option}: option requires an argument`)
    if (option === 'G') globbed = await matches(shell, value, shell.hasShopt('dotglob'), shell.hasShopt('nocaseglob'))
    else if (option === 'P') prefix = value
    else if (option === 'S') suffix = value
    else if (option === 'X') filter = value
    else if (option === 'W') {
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
    } else if (Object.hasOwn(actions, value) || value === 'file' || value === 'directory') wanted.add(value)
    else {
      const known = [...Object.keys(actions), 'file', 'directory'].join(', ')
      return usageProblem(shell, 'compgen', `${value}: invalid action name; known are ${known}`)
    }
  }
  if (args.length === 0) return 0
  const [start = ''] = rest
  const found = Object.entries(actions).flatMap(([name, list]) => (wanted.has(name) ? list(shell) : []))
  const files = wanted.has('file') || wanted.has('directory') ? await paths(shell, start, !wanted.has('file')) : []
  const all = [...[...found, ...words].filter(name => name !== '' && name.startsWith(start)), ...globbed, ...files]
  const shown = filter === undefined ? all : all.filter(leftBy(filter, start, shell))
  await print(shell, shown.map(name => `${prefix}${name}${suffix}\n`).join(''), 'compgen')
  return shown.length > 0 ? 0 : 1
}
