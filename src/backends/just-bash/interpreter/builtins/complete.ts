// `complete` and `compopt` store and print completion settings. This shell never performs a completion.

import { quoteValue } from '../quote.ts'
import type { Shell } from '../shell.ts'
import type { CompletionSpec } from '../completion-spec.ts'
import { print, usage, usageProblem, type Builtin } from './builtin.ts'

const optionNames = ['bashdefault', 'default', 'dirnames', 'filenames', 'noquote', 'nosort', 'nospace', 'plusdirs']
/** Actions that have a letter, in the order in which they are printed. */
const actionLetters: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  d: 'directory',
  e: 'export',
  f: 'file',
  g: 'group',
  j: 'job',
  k: 'keyword',
  s: 'service',
  u: 'user',
  v: 'variable',
}
const otherActions = 'arrayvar binding disabled enabled function helptopic hostname running setopt shopt signal stopped'.split(
  ' ',
)
/** Options with an argument, in the order in which they are printed. */
const valueLetters = ['G', 'W', 'P', 'S', 'X', 'C', 'F']
/** The completion of an empty line, of commands without a setting, and of the first word of a line. */
const generalNames: Readonly<Record<string, string>> = { E: '-E', D: '-D', I: '-I' }

function shown(name: string, { options, actions, values }: CompletionSpec): string {
  const letters = Object.keys(actionLetters).filter(letter => actions.has(actionLetters[letter] ?? ''))
  const words = [
    ...optionNames.filter(option => options.has(option)).map(option => `-o ${option}`),
    ...letters.map(letter => `-${letter}`),
    ...otherActions.filter(action => actions.has(action)).map(action => `-A ${action}`),
    ...valueLetters.flatMap(letter => {
      const value = values.get(letter)
      return value === undefined ? [] : `-${letter} ${letter === 'F' ? value : quoted(value)}`
    }),
  ]
  return `complete ${[...words, name].join(' ')}\n`
}

function quoted(text: string): string {
  const value = quoteValue(text)
  return /^['$]/.test(value) ? value : `'${value}'`
}

export const complete: Builtin = async (shell, args) => {
  const spec: CompletionSpec = { options: new Set(), actions: new Set(), values: new Map() }
  const general: string[] = []
  let [prints, removes] = [args.length === 0, false]
  const rest = [...args]
  for (let arg = rest[0]; arg !== undefined && /^-./.test(arg); arg = rest[0]) {
    rest.shift()
    if (arg === '--') break
    for (let at = 1; at < arg.length; at++) {
      const letter = arg.charAt(at)
      const action = actionLetters[letter]
      const generalName = generalNames[letter]
      if (letter === 'p') prints = true
      else if (letter === 'r') removes = true
      else if (action !== undefined) spec.actions.add(action)
      else if (generalName !== undefined) general.push(generalName)
      else if (letter === 'o' || letter === 'A' || valueLetters.includes(letter)) {
        const value = arg.slice(at + 1) || rest.shift()
        if (value === undefined) return usageProblem(shell, 'complete', `-${letter}: option requires an argument`)
        if (letter === 'o' && !optionNames.includes(value))
          return usageProblem(shell, 'complete', `${value}: invalid option name`)
        if (letter === 'A' && !otherActions.includes(value) && !Object.values(actionLetters).includes(value))
          return usageProblem(shell, 'complete', `${value}: invalid action name`)
        if (letter === 'o') spec.options.add(value)
        else if (letter === 'A') spec.actions.add(value)
        else spec.values.set(letter, value)
        break
      } else return usageProblem(shell, 'complete', `-${letter}: invalid option`)
    }
  }
  const names = [...general, ...rest]
  if (prints) return show(shell, names)
  if (removes && names.length === 0) shell.completions.clear()
  if (!removes && names.length === 0) return usage(shell, 'complete')
  let status = 0
  for (const name of names) {
    if (!removes) shell.completions.set(name, spec)
    else if (!shell.completions.delete(name)) status = await missing(shell, 'complete', name)
  }
  return status
}

async function show(shell: Shell, names: readonly string[]): Promise<number> {
  let [text, status] = ['', 0]
  for (const name of names.length === 0 ? [...shell.completions.keys()].sort() : names) {
    const spec = shell.completions.get(name)
    if (spec === undefined) status = await missing(shell, 'complete', name)
    else text += shown(name, spec)
  }
  await print(shell, text, 'complete')
  return status
}

function missing(shell: Shell, builtin: string, name: string): Promise<number> {
  return usageProblem(shell, builtin, `${name}: no completion specification`, 1)
}

/** `compopt` without names is valid only during a completion, which never happens in this shell. */
export const compopt: Builtin = async (shell, args) => {
  const rest = [...args]
  const changes: { readonly isOn: boolean; readonly option: string }[] = []
  const names: string[] = []
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const general = generalNames[arg.slice(1)]
    if (arg === '-o' || arg === '+o') {
      const option = rest.shift()
      if (option === undefined) return usageProblem(shell, 'compopt', `${arg}: option requires an argument`)
      if (!optionNames.includes(option)) return usageProblem(shell, 'compopt', `${option}: invalid option name`)
      changes.push({ isOn: arg === '-o', option })
    } else if (general !== undefined && arg.startsWith('-')) names.push(general)
    else if (/^[-+]./.test(arg) && arg !== '--') return usageProblem(shell, 'compopt', `${arg}: invalid option`)
    else if (arg !== '--') names.push(arg)
  }
  if (names.length === 0) return usageProblem(shell, 'compopt', 'not currently executing completion function', 1)
  let status = 0
  for (const name of names) {
    const spec = shell.completions.get(name)
    if (spec === undefined) {
      status = await missing(shell, 'compopt', name)
      continue
    }
    const options = new Set(spec.options)
    for (const { isOn, option } of changes) {
      if (isOn) options.add(option)
      else options.delete(option)
    }
    shell.completions.set(name, { ...spec, options })
    if (changes.length > 0) continue
    const all = optionNames.map(option => `${options.has(option) ? '-' : '+'}o ${option}`)
    await print(shell, `compopt ${all.join(' ')} ${name}\n`, 'compopt')
  }
  return status
}
