// `alias` and `unalias`. A shell that is not interactive stores and prints aliases but does not expand them by default.

import { quoteValue } from '../quote.ts'
import { print, usage, usageProblem, type Builtin } from './builtin.ts'

export const aliasBuiltin: Builtin = async (shell, args) => {
  const operands = args.filter(arg => arg !== '-p')
  const prefix = shell.has('posix') && operands.length === args.length ? '' : 'alias '
  if (operands.length === 0)
    return print(
      shell,
      [...shell.aliases]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, text]) => `${prefix}${name}=${quoteValue(text)}\n`)
        .join(''),
    )
  let status = 0
  for (const operand of operands) {
    const equals = operand.indexOf('=')
    if (equals > 0 && /[\s/$`"'\\=<>|;&()]/.test(operand.slice(0, equals))) {
      status = await usageProblem(shell, 'alias', `\`${operand.slice(0, equals)}': invalid alias name`, 1)
      continue
    }
    if (equals > 0) {
      shell.aliases.set(operand.slice(0, equals), operand.slice(equals + 1))
      continue
    }
    const text = shell.aliases.get(operand)
    if (text === undefined) status = await usageProblem(shell, 'alias', `${operand}: not found`, 1)
    else await print(shell, `${prefix}${operand}=${quoteValue(text)}\n`)
  }
  return status
}

export const unaliasBuiltin: Builtin = async (shell, args) => {
  let status = args.length === 0 ? await usage(shell, 'unalias') : 0
  for (const arg of args) {
    if (arg === '-a') shell.aliases.clear()
    else if (!shell.aliases.delete(arg)) status = await usageProblem(shell, 'unalias', `${arg}: not found`, 1)
  }
  return status
}
