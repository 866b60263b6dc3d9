// Elements of arrays that are named in a text, as in `unset 'map[$key]'`: bash expands the subscript.

import { Parser } from '../syntax/parser.ts'
import { readIndex } from '../syntax/parameters.ts'
import { SyntaxProblem } from '../syntax/source.ts'
import type { Word } from '../syntax/tree.ts'
import { expandText } from './expand.ts'
import type { Shell } from './shell.ts'

/** The subscript in a text as a word. A text that cannot be read as one, because of a single quote, is taken literally. */
export function subscriptWord(text: string): Word {
  const literal: Word = { parts: [{ type: 'quoted', text }], source: text, literal: text }
  if (!/[$`"'\\]/.test(text)) return literal
  try {
    const word = readIndex(new Parser(`${text}]`))
    return word?.source === text ? word : literal
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return literal
  }
}

/** Reads `name` or `name[subscript]`, and expands the subscript. `undefined` for another text. */
export async function namedElement(
  shell: Shell,
  text: string,
): Promise<{ readonly name: string; readonly key: string | undefined } | undefined> {
  const [, name, subscript] = /^([A-Za-z_]\w*)(?:\[([^]*)\])?$/.exec(text) ?? []
  if (name === undefined) return undefined
  return { name, key: subscript === undefined ? undefined : await expandText(shell, subscriptWord(subscript)) }
}
