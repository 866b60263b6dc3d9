// `set`, `shopt`, `shift` and `let`.

import { ShellError } from '../flow.ts'
import { evaluateIn } from '../expand.ts'
import { optionNames, setNamedOption, setOptionLetters, shoptNames } from '../shell-options.ts'
import { showPlain } from '../show-variables.ts'
import { showFunction } from '../show-functions.ts'

import { refuseMore } from './control.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'

export const set: Builtin = async (shell, args) => {
  if (args.some((arg, index) => /^-\w*k/.test(arg) || (arg === 'keyword' && args[index - 1] === '-o')))
    return usageProblem(shell, 'set', '-k: assignments behind a command are its arguments here; put them in front of it')
  if (args.length === 0) {
    const lines = shell.variables.names().flatMap(name => {
      const variable = shell.variables.findDeclared(name)
      return variable?.hasValue === true ? [`${showPlain(name, variable)}\n`] : []
    })
    const functions = [...shell.functions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, body]) => showFunction(name, body))
    return print(shell, [...lines, ...functions].join(''))
  }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      shell.parameters = args.slice(index + 1)
      return 0
    }
    if (arg === '-') {
      shell.options.delete('xtrace')
      shell.options.delete('verbose')
      if (index + 1 < args.length) shell.parameters = args.slice(index + 1)
      return 0
    }
    if (!/^[-+]./.test(arg)) {
      shell.parameters = args.slice(index)
      return 0
    }
    const isOn = arg.startsWith('-')
    for (const letter of arg.slice(1)) {
      if (letter !== 'o') {
        if (!setOptionLetters(shell, letter, isOn)) return usageProblem(shell, 'set', `${arg.charAt(0)}${letter}: invalid option`)
        continue
      }
      const name = args[index + 1]
      if (name === undefined || /^[-+]/.test(name)) {
        const shown = optionNames.map(option =>
          isOn
            ? `${option.padEnd(15)}\t${shell.has(option) ? 'on' : 'off'}\n`
            : `set ${shell.has(option) ? '-' : '+'}o ${option}\n`,
        )
        await print(shell, shown.join(''))
        continue
      }
      index += 1
      if (!setNamedOption(shell, name, isOn)) return usageProblem(shell, 'set', `${name}: invalid option name`, 2)
    }
  }
  return 0
}

export const shopt: Builtin = async (shell, args) => {
  const read = readLetters(args, 'opqsu')
  if (typeof read === 'string') return usageProblem(shell, 'shopt', read)
  const { letters, operands } = read
  const isOption = letters.has('o')
  const known = isOption ? optionNames : shoptNames
  const active = isOption ? shell.options : shell.shopts
  let status = 0
  if (operands.length === 0) {
    const listed = known.filter(name => (letters.has('s') ? active.has(name) : letters.has('u') ? !active.has(name) : true))
    return print(shell, listed.map(name => line(name, active.has(name), letters.has('p'), isOption)).join(''))
  }
  for (const name of operands) {
    if (!known.includes(name)) {
      status = await usageProblem(shell, 'shopt', `${name}: invalid shell option name`, 1)
      continue
    }
    if (letters.has('s')) active.add(name)
    else if (letters.has('u')) active.delete(name)
    else {
      if (!active.has(name)) status = 1
      if (!letters.has('q')) await print(shell, line(name, active.has(name), letters.has('p'), isOption))
    }
  }
  return status
}

function line(name: string, isOn: boolean, isCommand: boolean, isOption: boolean): string {
  if (isCommand) return isOption ? `set ${isOn ? '-' : '+'}o ${name}\n` : `shopt -${isOn ? 's' : 'u'} ${name}\n`
  return `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`
}

export const shift: Builtin = async (shell, args) => {
  const [given = '1', ...more] = args[0] === '--' ? args.slice(1) : args
  if (/^[-+]?\d+$/.test(given)) refuseMore(shell, 'shift', more)
  else return usageProblem(shell, 'shift', `${given}: numeric argument required`, 1)
  const count = Number(given)
  if (count < 0) return usageProblem(shell, 'shift', `${given}: shift count out of range`, 1)
  if (count > shell.parameters.length) {
    if (shell.hasShopt('shift_verbose')) return usageProblem(shell, 'shift', `${given}: shift count out of range`, 1)
    return 1
  }
  shell.parameters = shell.parameters.slice(count)
  return 0
}

export const letBuiltin: Builtin = async (shell, args) => {
  if (args.length === 0) return usageProblem(shell, 'let', 'expression expected', 1)
  let value = 0n
  try {
    for (const arg of args) value = evaluateIn(shell, arg)
  } catch (error) {
    // An arithmetic error fails only this command, except for an unset variable under `set -u`.
    if (!(error instanceof ShellError) || error.isBeyondLine) throw error
    await shell.complain(`let: ${error.message}`)
    return 1
  }
  if (shell.warnings.length > 0) await shell.warn('let: ')
  return value === 0n ? 1 : 0
}
