// Where rg is known to differ from ripgrep 15; docs/search.md says the same to users.

import type { Call } from './run-both.ts'

interface Difference {
  readonly why: string
  readonly applies: (asked: { readonly has: (...words: readonly string[]) => boolean; readonly all: string }) => boolean
}

/** A part that matches more than letters of ASCII, or nothing at all. */
const isWide = /\.|\\[WSDBsR]|\[\^|[*?]|\{0|(?:^|\s)(?=\s|$)|\^|\$|\(\?:\)/

const differences: readonly Difference[] = [
  {
    why: 'without Unicode, `.`, `\\W`, `[^a]` and an empty match are at whole characters here and at bytes in ripgrep',
    applies: ({ has, all }) => (has('--no-unicode', '--no-pcre2-unicode') || all.includes('(?-u)')) && isWide.test(all),
  },
  {
    why: 'with -U, ripgrep looks at the rest behind a match as if the text began there: `^` and `\\A` match again, and an empty match follows',
    applies: ({ has, all }) => has('-U') && /[*?$^]|\\[zA]|\{0/.test(all) && (has('-w', '-x') || /-m|\||\?\?|\*\?|\\B/.test(all)),
  },
  {
    why: 'with -P, case is ignored in [[:upper:]] and not in \\p{Lu}',
    applies: ({ has, all }) =>
      has('-P') && (has('-i', '-S') || all.includes('(?i')) && /\[\[:(?:upper|lower):\]|\\p\{L[ul]\}/.test(all),
  },
  {
    why: 'the decoder of Node takes an ASCII byte behind a broken character of Shift_JIS for a part of it',
    applies: ({ has }) => has('sjis'),
  },
  {
    why: '--type-clear of a type that -t all selected before is an error in ripgrep',
    applies: ({ has }) => has('--type-clear') && has('all'),
  },
]

/** Why the output of this call may differ; `undefined` if it may not. */
export function declaredDifference({ words }: Pick<Call, 'words'>): string | undefined {
  const asked = { has: (...any: readonly string[]): boolean => any.some(word => words.includes(word)), all: words.join(' ') }
  return differences.find(({ applies }) => applies(asked))?.why
}
