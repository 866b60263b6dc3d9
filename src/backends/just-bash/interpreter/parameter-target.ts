// The variable or element that an expansion names.

import type { ParameterPart } from '../syntax/tree.ts'

export type Target = Pick<ParameterPart, 'name' | 'subscript'>

export function shownName({ name, subscript }: Target): string {
  return subscript?.kind === 'index' ? `${name}[${subscript.word.source}]` : name
}
