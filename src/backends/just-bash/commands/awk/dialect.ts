// What the options --posix, --traditional and --sandbox take away.

import { AwkError } from './error.ts'
import { nodesOf } from './analysis.ts'
import type { Program } from './syntax.ts'

export interface Dialect {
  /** `posix` and `traditional` are without the additions of gawk. */
  readonly language: 'gawk' | 'posix' | 'traditional'
  /** No other files and no commands. */
  readonly isSandbox: boolean
}

export const wholeLanguage: Dialect = { language: 'gawk', isSandbox: false }

/** Throws `AwkError` for what the parser takes in every dialect. */
export function checkDialect(program: Program, { language, isSandbox }: Dialect): void {
  for (const { kind, name, args, source, to, array } of nodesOf(program)) {
    if (isSandbox) {
      if (kind === 'builtin' && name === 'system') throw new AwkError("'system' function not allowed in sandbox mode")
      const isRedirected = (kind === 'print' || kind === 'printf') && to !== undefined
      if (isRedirected || (kind === 'getline' && (source as { kind: string }).kind !== 'input'))
        throw new AwkError('redirection not allowed in sandbox mode')
    }
    if (language === 'gawk') continue
    const count = Array.isArray(args) ? args.length : 0
    if (kind === 'builtin' && name === 'split' && count > 3) throw new AwkError('split: fourth argument is a gawk extension')
    if (kind === 'builtin' && name === 'match' && count > 2) throw new AwkError('match: third argument is a gawk extension', 1)
    if (kind === 'builtin' && name === 'close' && count > 1) throw new AwkError('close: second argument is a gawk extension', 1)
    if (typeof array === 'object') throw new AwkError('multidimensional arrays are a gawk extension')
  }
}
