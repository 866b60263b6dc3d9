// Where rg is known to differ from ripgrep 15; docs/search.md says the same to users.

import { join } from 'node:path'

import type { Call, Printed, Tree } from './run-both.ts'

interface Difference {
  readonly why: string
  readonly applies: (asked: Asked) => boolean
}

interface Asked {
  readonly has: (...words: readonly string[]) => boolean
  readonly all: string
  /** How many of the words name a directory. */
  readonly directories: number
  readonly hasRules: boolean
  /** Names of other characters than those of ASCII. */
  readonly hasWideNames: boolean
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
    why: 'with -U, ripgrep looks at the rest behind a match as if the text began there: a look behind of -P sees nothing before it',
    applies: ({ has, all }) => has('-U') && has('-P', 'pcre2', 'auto') && /\\[bBG]|\(\?<[=!]|[np]lb:|lookbehind/.test(all),
  },
  {
    why: 'with --crlf -U, ripgrep shows a whole line if -o finds only the carriage return of its ending, and counts such matches once',
    applies: ({ has, all }) => has('--crlf') && has('-U') && /\\r|\\x0d/.test(all),
  },
  {
    why: 'with -U --null-data, ripgrep counts lines with a match of an anchor, and shows empty matches there',
    applies: ({ has, all }) => has('-U') && has('--null-data') && /[\^$]|\\[Az]/.test(all),
  },
  {
    why: 'with --null-data, ripgrep finds `\\z` at the end of the file only, unless it tries each part between null bytes alone',
    applies: ({ has, all }) => has('--null-data') && all.includes('\\z'),
  },
  {
    why: 'with -U, ripgrep writes resets of colour around a match without a colour, and no `highlight` around lines of -o',
    applies: ({ has, all }) => has('-U') && /match:none|highlight:/.test(all),
  },
  {
    why: 'a group with `\\B` that repeats has fewer empty matches here beside bytes that are no text',
    applies: ({ all }) => /\(.*\\B.*\)[*+?{]/.test(all),
  },
  {
    why: 'the decoder of Node takes an ASCII byte behind a broken character of Shift_JIS for a part of it',
    applies: ({ has }) => has('sjis'),
  },
  {
    why: '`?` and `[!a]` of -g match a character, in ripgrep a byte',
    applies: ({ has, hasWideNames }) => has('[!a]') && hasWideNames,
  },
  {
    why: 'ripgrep 15.0 holds the rules above the first of several directories wrongly against the others',
    applies: ({ directories, hasRules }) => hasRules && directories > 1,
  },
  {
    why: '--type-clear of a type that -t all selected before is an error in ripgrep',
    applies: ({ has }) => has('--type-clear') && has('all'),
  },
]

/** Why only one of both may say something on standard error: ripgrep ends before it looks for the paths behind a match. */
export function mayStaySilent({ words }: Pick<Call, 'words'>): boolean {
  return words.includes('-q')
}

/** Whether a pattern of Perl was refused by name, or took too many steps. */
export function isRefused({ stderr }: Pick<Printed, 'stderr'>): boolean {
  return /is not available here|match limit exceeded|unknown property/.test(stderr)
}

/** Why the output of this call may differ; `undefined` if it may not. */
export function declaredDifference({ words }: Pick<Call, 'words'>, tree: Tree): string | undefined {
  const paths = Object.keys(tree)
  // Also of an absolute path, and of `./d//e`.
  const isDirectory = (word: string): boolean => {
    const path = join(word, '/').replace(/^.*\/t\/(?=.)/, '')
    const node = tree[path.slice(0, -1)]
    // A link that is named may lead to a directory.
    const isAlone = typeof node === 'object' && ('directory' in node || 'link' in node)
    return isAlone || ['./', '../', '/'].includes(path) || paths.some(other => `${other}/`.startsWith(path) && other !== word)
  }
  const asked: Asked = {
    has: (...any) => any.some(word => words.includes(word)),
    all: words.join(' '),
    directories: words.filter(isDirectory).length,
    hasWideNames: /[^\0-\x7f]/.test(paths.join('')),
    hasRules: paths.some(path => /(?:^|\/)(?:\.(?:git|rg)?ignore|exclude)$/.test(path)),
  }
  return differences.find(({ applies }) => applies(asked))?.why
}
