// The value of `--pretty` and `--format`: a named form, or a format with placeholders.

import { ownValue } from '../../core/record.ts'
import { fatal } from '../errors.ts'
import type { Config } from '../store/config.ts'

export type PrettyKind = 'oneline' | 'short' | 'medium' | 'full' | 'fuller' | 'reference' | 'raw' | 'email' | 'mboxrd' | 'format'

export interface PrettyForm {
  readonly kind: PrettyKind
  readonly format: string
  /** `format:` puts a line feed between entries, `tformat:` after each. */
  readonly isTerminated: boolean
}

const named: Readonly<Record<string, PrettyKind>> = {
  oneline: 'oneline',
  short: 'short',
  medium: 'medium',
  full: 'full',
  fuller: 'fuller',
  raw: 'raw',
  email: 'email',
  mboxrd: 'mboxrd',
  reference: 'reference',
}

/** The names in `pretty.*` are aliases. A name may be shortened; of several the shortest is meant. */
export function readPretty(text: string, config: Config): PrettyForm {
  const aliases = config.entries.filter(({ name }) => name.startsWith('pretty.'))
  return formOf(
    text,
    aliases.map(({ name, value }) => [name.slice('pretty.'.length), value ?? '']),
    text,
    0,
  )
}

function formOf(text: string, aliases: readonly (readonly [string, string])[], given: string, depth: number): PrettyForm {
  if (text.startsWith('format:')) return { kind: 'format', format: text.slice(7), isTerminated: false }
  if (text.startsWith('tformat:')) return { kind: 'format', format: text.slice(8), isTerminated: true }
  if (text === '' || text.includes('%')) return { kind: 'format', format: text, isTerminated: true }
  const all: readonly (readonly [string, string])[] = [
    ...Object.entries(named),
    ...aliases.filter(([name]) => ownValue(named, name) === undefined),
  ]
  const [found] = all.filter(([name]) => name.startsWith(text)).toSorted(([left], [right]) => left.length - right.length)
  if (found === undefined) throw fatal(`invalid --pretty format: ${given}`)
  const kind = ownValue(named, found[0])
  if (kind !== undefined) return { kind, format: '', isTerminated: kind === 'oneline' || kind === 'reference' }
  if (depth > aliases.length) throw fatal(`invalid --pretty format: '${given}' references an alias which points to itself`)
  return formOf(found[1], aliases, given, depth + 1)
}
