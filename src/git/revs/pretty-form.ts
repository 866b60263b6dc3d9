// The value of `--pretty` and `--format`: a named form, or a format with placeholders.

import { ownValue } from '../../core/record.ts'
import { fatal } from '../errors.ts'

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

export function readPretty(text: string, aliases: (name: string) => string | undefined = () => undefined): PrettyForm {
  if (text.startsWith('format:')) return { kind: 'format', format: text.slice(7), isTerminated: false }
  if (text.startsWith('tformat:')) return { kind: 'format', format: text.slice(8), isTerminated: true }
  if (text === '' || text.includes('%')) return { kind: 'format', format: text, isTerminated: true }
  const alias = aliases(text)
  if (alias !== undefined && ownValue(named, text) === undefined) return readPretty(alias)
  const kind = ownValue(named, text) ?? Object.entries(named).find(([name]) => name.startsWith(text))?.[1]
  if (kind === undefined) throw fatal(`invalid --pretty format: ${text}`)
  return { kind, format: '', isTerminated: kind === 'oneline' || kind === 'reference' }
}
