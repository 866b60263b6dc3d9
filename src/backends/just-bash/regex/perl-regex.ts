// Perl's patterns: the first way that matches counts, and the number of tries is bounded.

import { Backtracker, type Places } from './backtracker.ts'
import { parsePerl } from './parse-perl.ts'
import type { PerlOptions } from './perl-parts.ts'
import { compile, type Program } from './program.ts'
import type { Pattern } from './syntax.ts'

export interface PerlRegex {
  readonly groupCount: number
  readonly names: ReadonlyMap<string, number>
  /**
   * The first match that begins at `from` or behind it, and before `to`. Throws `PatternLimitError` for a pattern that takes too long
   * on `text`.
   */
  exec(text: string, from?: number, to?: number): Places | undefined
}

/** Throws `PatternError`. */
export function perlRegex(source: string, options: PerlOptions): PerlRegex {
  return firstWayRegex(parsePerl(source, options))
}

/** The first way of a pattern that is already read. */
export function firstWayRegex({ node, groupCount, names, skipsLineFeeds = false }: Pattern): PerlRegex {
  const program: Program = compile(node, groupCount, true)
  return {
    groupCount,
    names,
    exec: (text, from = 0, to = text.length + 1) =>
      new Backtracker(text, program).first(program, from, to, skipsLineFeeds)?.slice(0, (groupCount + 1) * 2),
  }
}
