// The variable or element that an expansion names.

import type { ParameterPart } from '../syntax/tree.ts'

export type Target = Pick<ParameterPart, 'name' | 'subscript'> & {
  /** The name in messages, if another one led to this parameter: `!name`. */
  readonly shown?: string
}

export function shownName({ name, subscript, shown }: Target): string {
  return shown ?? (subscript?.kind === 'index' ? `${name}[${subscript.word.source}]` : name)
}
