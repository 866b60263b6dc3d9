// `trap`, `umask`, `ulimit`, `times` and `caller`.

import { quoteValue } from '../quote.ts'
import { signalName, signalNumbers, signalTable } from '../traps.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'

export const trap: Builtin = async (shell, args) => {
  const [first] = args
  if (first === '-l') return print(shell, signalTable())
  const operands = first === '--' ? args.slice(1) : args
  if (operands.length === 0 || first === '-p') {
    const wanted = first === '-p' ? operands.slice(1).map(signalName) : []
    const order = ['EXIT', ...Object.keys(signalNumbers), 'ERR', 'DEBUG', 'RETURN']
    const shown = [...(shell.shownTraps ?? shell.traps)].filter(([name]) => wanted.length === 0 || wanted.includes(name))
    shown.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    return print(
      shell,
      shown
        .map(
          ([name, command]) =>
            `trap -- ${quoteValue(command)} ${name in signalNumbers && !shell.has('posix') ? `SIG${name}` : name}\n`,
        )
        .join(''),
    )
  }
  shell.shownTraps = undefined
  const [command = '', ...names] = operands
  const isReset = command === '-' || names.length === 0 || /^\d+$/.test(command)
  const signals = names.length === 0 || (/^\d+$/.test(command) && command !== '-') ? operands : names
  let status = 0
  for (const given of signals) {
    const name = signalName(given)
    if (name === undefined) status = await usageProblem(shell, 'trap', `${given}: invalid signal specification`, 1)
    else if (isReset) shell.traps.delete(name)
    else if (name === 'CHLD' && command !== '')
      status = await usageProblem(
        shell,
        'trap',
        `${given}: the end of a command runs no trap here; use wait, or a trap of EXIT`,
        1,
      )
    else shell.traps.set(name, command)
  }
  return status
}

export const umask: Builtin = async (shell, args) => {
  const read = readLetters(args, 'pS')
  if (typeof read === 'string') return usageProblem(shell, 'umask', read)
  const [mode] = read.operands
  if (mode === undefined) {
    const octal = shell.umask.toString(8).padStart(4, '0')
    const symbolic = ['u', 'g', 'o'].map((who, index) => {
      const bits = (~shell.umask >> (6 - index * 3)) & 7
      return `${who}=${bits & 4 ? 'r' : ''}${bits & 2 ? 'w' : ''}${bits & 1 ? 'x' : ''}`
    })
    return print(
      shell,
      `${read.letters.has('p') ? 'umask ' : ''}${read.letters.has('S') ? `${read.letters.has('p') ? '-S ' : ''}${symbolic.join(',')}` : octal}\n`,
    )
  }
  if (/^[0-7]{1,4}$/.test(mode)) {
    shell.umask = Number.parseInt(mode, 8) & 0o777
    return 0
  }
  if (/^\d/.test(mode)) return usageProblem(shell, 'umask', `${mode}: octal number out of range`, 1)
  let allowed = ~shell.umask & 0o777
  for (const clause of mode.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause)
    if (match === null) {
      const [, , operator = '', wrong = ''] = /^([ugoa]*)([-+=]?)[rwx]*(.?)/.exec(clause) ?? []
      return usageProblem(shell, 'umask', `\`${wrong}': invalid symbolic mode ${operator === '' ? 'operator' : 'character'}`, 1)
    }
    const [, who = '', operator, letters = ''] = match
    const bits = (letters.includes('r') ? 4 : 0) | (letters.includes('w') ? 2 : 0) | (letters.includes('x') ? 1 : 0)
    for (const [letter, shift] of [
      ['u', 6],
      ['g', 3],
      ['o', 0],
    ] as const) {
      if (who !== '' && !who.includes('a') && !who.includes(letter)) continue
      if (operator === '+') allowed |= bits << shift
      else if (operator === '-') allowed &= ~(bits << shift)
      else allowed = (allowed & ~(7 << shift)) | (bits << shift)
    }
  }
  shell.umask = ~allowed & 0o777
  return 0
}

export const ulimit: Builtin = async (shell, args) => {
  if (args.includes('-n') && args.length === 1) return print(shell, '1024\n')
  return args.some(arg => !arg.startsWith('-')) ? 0 : print(shell, 'unlimited\n')
}

export const times: Builtin = async shell => {
  const seconds = (performance.now() - shell.startedAtMs) / 1000
  return print(shell, `0m${seconds.toFixed(3)}s 0m0.000s\n0m0.000s 0m0.000s\n`)
}

export const caller: Builtin = async (shell, args) => {
  const index = Number(args[0] ?? 0)
  const frame = shell.frames[shell.frames.length - 1 - index]
  if (frame === undefined) return 1
  const above = shell.frames[shell.frames.length - 2 - index]
  if (above === undefined && shell.isCommandString) return args[0] === undefined ? print(shell, `${frame.line} NULL\n`) : 1
  const source = above === undefined ? shell.name : above.source || 'environment'
  return print(shell, args[0] === undefined ? `${frame.line} ${source}\n` : `${frame.line} ${above?.name ?? 'main'} ${source}\n`)
}
