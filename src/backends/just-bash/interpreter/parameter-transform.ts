// `${x@Q}` and its kind: a value as text that a shell reads again.

import type { Shell } from './shell.ts'
import { shownName, type Target } from './parameter-target.ts'
import { quoteDeclared, quoteKey, quoteValue } from './quote.ts'
import { decodeAnsiQuotes } from '../syntax/ansi-quotes.ts'
import { declarationFlags, showVariable } from './show-variables.ts'
import { unboundProblem } from './expand.ts'

/** Converts a character only if the result is one character: `ß` does not change. */
export function upper(character: string): string {
  const turned = character.toUpperCase()
  return Array.from(turned).length === 1 ? turned : character
}

export function transform(shell: Shell, target: Target, letter: string, text: string): string {
  switch (letter) {
    case 'U':
      return text.toUpperCase()
    case 'u':
      return upper(text.charAt(0)) + text.slice(1)
    case 'L':
      return text.toLowerCase()
    case 'Q':
    case 'K':
    case 'k':
      return quoteValue(text)
    case 'E':
      return decodeAnsiQuotes(text)
    case 'A':
      return assignmentText(shell, target, text)
    default:
      return declarationFlags(shell.variables.find(target.name))
  }
}

export function transformUnset(shell: Shell, target: Target, letter: string): string {
  if (letter === 'a') return declarationFlags(shell.variables.find(target.name))
  const variable = letter === 'A' ? shell.variables.find(target.name) : undefined
  if (variable?.isArray === true) return `declare -${declarationFlags(variable)} ${shell.variables.resolve(target.name).name}`
  if (shell.has('nounset')) throw unboundProblem(shell, shownName(target))
  return ''
}

/** The assignment of one value, also for an element of an array. */
function assignmentText(shell: Shell, target: Target, text: string): string {
  if (!/^[A-Za-z_]/.test(target.name)) return ''
  const variable = shell.variables.find(target.name)
  const { name } = shell.variables.resolve(target.name)
  const flags = declarationFlags(variable)
  return `${flags === '' ? '' : `declare -${flags} `}${name}=${quoteValue(text)}`
}

/** As the words that bash makes of it: only the assignment itself holds together. */
function assignmentWords(shell: Shell, target: Target, texts: readonly string[]): readonly string[] {
  if (target.name === '@' || target.name === '*') return texts.length === 0 ? [] : ['set', '--', ...texts.map(quoteValue)]
  const variable = shell.variables.find(target.name)
  if (variable === undefined) return []
  if (!variable.isArray) return [assignmentText(shell, target, texts[0] ?? '')]
  const shown = showVariable(shell.variables.resolve(target.name).name, variable)
  const [, flags, assignment] = /^declare (-\w+) ([^]*)$/.exec(shown) ?? []
  return flags === undefined || assignment === undefined ? [shown] : ['declare', flags, assignment]
}

export function transformList(shell: Shell, target: Target, letter: string, texts: readonly string[]): readonly string[] {
  const variable = shell.variables.find(target.name)
  if (letter === 'a') return texts.map(() => declarationFlags(variable))
  if (letter === 'A') {
    const words = assignmentWords(shell, target, texts)
    if (target.name === '*' && words.length > 0) return [`set -- ${words.slice(2).join(shell.ifsJoiner)}`]
    const isTogether = target.subscript?.kind === 'list' && target.subscript.sign === '*'
    return isTogether || !(shell.get('IFS') ?? ' ').includes(' ') ? [words.join(' ')] : words
  }
  if (variable?.isArray !== true) return texts.map(quoteValue)
  const keys = variable.keys()
  if (letter === 'k') return texts.flatMap((text, index) => [keys[index] ?? '', text])
  const isMap = variable.map !== undefined
  const shown = texts.map((text, index) => `${isMap ? quoteKey(keys[index] ?? '') : (keys[index] ?? '')} ${quoteDeclared(text)}`)
  return [shown.join(' ') + (isMap && shown.length > 0 ? ' ' : '')]
}
