// The parameters that are not variables: `$?`, `$#`, `$-`, `$1` and their kind.

import type { Shell } from './shell.ts'
import { byFlagOrder, optionLetters } from './shell-options.ts'

/** `undefined` if it is unset. */
export function specialParameter(shell: Shell, name: string): string | undefined {
  switch (name) {
    case '?':
      return String(shell.status)
    case '$':
      return String(shell.mainPid)
    case '#':
      return String(shell.parameters.length)
    case '!':
      return shell.lastBackgroundPid === undefined ? undefined : String(shell.lastBackgroundPid)
    case '-':
      return flags(shell)
    case '0':
      return shell.name
    case '@':
    case '*':
      return shell.parameters.length === 0 ? undefined : shell.parameters.join(name === '*' ? shell.ifsJoiner : ' ')
    default:
      return shell.parameters[Number(name) - 1]
  }
}

function flags(shell: Shell): string {
  const set = Object.entries(optionLetters).filter(([, name]) => shell.options.has(name))
  return (
    set
      .map(([letter]) => letter)
      .sort(byFlagOrder)
      .join('') +
    (shell.isInteractive ? 'i' : '') +
    (shell.isCommandString ? 'c' : '')
  )
}
