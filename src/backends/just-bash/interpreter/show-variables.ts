// Prints variables in the formats of `declare -p` and `set`.

import { quoteDeclared, quoteKey, quoteValue, quoteWord } from './quote.ts'
import type { Variable } from './variables.ts'

/** The letters of a variable's attributes, in the order of bash. */
export function declarationFlags(variable: Variable | undefined): string {
  if (variable === undefined) return ''
  return [
    variable.list !== undefined && 'a',
    variable.map !== undefined && 'A',
    variable.isInteger && 'i',
    variable.isReference && 'n',
    variable.isReadonly && 'r',
    variable.isTraced && 't',
    variable.isExported && 'x',
    variable.letterCase === 'capital' && 'c',
    variable.letterCase === 'lower' && 'l',
    variable.letterCase === 'upper' && 'u',
  ]
    .filter(letter => letter !== false)
    .join('')
}

/** The format of `declare -p`, such as `declare -a a=([0]="x")`. */
export function showVariable(name: string, variable: Variable): string {
  const flags = declarationFlags(variable)
  const head = `declare -${flags === '' ? '-' : flags} ${name}`
  if (variable.isArray) return variable.hasValue ? `${head}=${showElements(variable)}` : head
  return variable.scalar === undefined ? head : `${head}=${quoteDeclared(variable.scalar)}`
}

function showElements(variable: Variable): string {
  const values = variable.values()
  const shown = variable.keys().map((key, index) => {
    return `[${variable.map === undefined ? key : quoteKey(key)}]=${quoteDeclared(values[index] ?? '')}`
  })
  return `(${shown.join(' ')}${variable.map === undefined || shown.length === 0 ? '' : ' '})`
}

/** The format of `set` without arguments. */
export function showPlain(name: string, variable: Variable): string {
  if (variable.isArray) return `${name}=${showElements(variable)}`
  const text = variable.scalar ?? ''
  return `${name}=${/^[\w%+,./:=@-]*$/.test(text) ? text : text === quoteWord(text) ? text : quoteValue(text)}`
}
