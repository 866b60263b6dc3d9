// Patterns of ripgrep for texts of random-tree.ts: a list of those that have shown differences, and compositions of small parts.

import type { Random } from '../random.ts'
import { randomPerl } from './random-perl.ts'

export const linePatterns: readonly string[] = [
  ...[
    'foo',
    'foo',
    'foo',
    'bar',
    'a',
    'b',
    'fo+',
    'o',
    '.',
    '',
    '^',
    '$',
    '^$',
    '\\w+',
    '\\s',
    '\\bfoo\\b',
    'foo|bar',
    '(f)(o+)',
  ],
  ...[
    '(?P<n>fo)o',
    '[a-c]',
    'é',
    'δ',
    'nothing',
    'x*',
    '^foo',
    'foo$',
    '^\\s*foo',
    '\\d+',
    '(?i)foo',
    '[^a]',
    'foo.*bar',
    '^.*$',
  ],
  ...['FOO', 'Foo', '-foo', '\\W', '\\S+', '.*', 'a?', '(?:)', '\\p{Lu}', '\\p{Greek}', 'bar$|^foo', '(foo)|(bar)'],
]

export const spanningPatterns: readonly string[] = [
  ...[
    'foo\\nbar',
    'foo\\s+',
    'foo\\n',
    '\\n',
    '(?s)foo.*bar',
    '[\\s\\S]',
    '\\s',
    'o\\n?',
    '^',
    '$',
    '(?m)^foo$',
    '\\s*',
    'bar\\s*foo',
  ],
  ...[
    '(?s).',
    '(?s)foo.',
    '\\n\\n',
    'b*',
    '[^a]+',
    'a\\z',
    '\\Aa',
    '\\Afoo',
    '\\z',
    'foo\\r?\\n',
    '(?s)(\\w+)\\n(.)',
    '\\nfoo',
    '$\\n^',
  ],
]

const atoms = [
  'f',
  'o',
  'a',
  'b',
  'foo',
  'bar',
  '.',
  '\\w',
  '\\s',
  '\\d',
  '\\W',
  '\\S',
  '[ab]',
  '[^f]',
  '[a-f]',
  ' ',
  'é',
  '\\b',
  '\\B',
  '^',
  '$',
]
const counts = ['', '', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,1}']

function composed(random: Random, depth: number): string {
  const branches = random.chance(0.2) ? 2 : 1
  return Array.from({ length: branches }, () =>
    Array.from({ length: 1 + random.below(3) }, () => {
      if (depth > 0 && random.chance(0.2))
        return `${random.pick(['(', '(?:', '(?i:'])}${composed(random, depth - 1)})${random.pick(counts)}`
      const atom = random.pick(atoms)
      return /^(?:\\[bB]|[$^])$/.test(atom) ? atom : atom.length > 1 && !/^[\\[]/.test(atom) ? atom : atom + random.pick(counts)
    }).join(''),
  ).join('|')
}

export function randomPattern(random: Random, kind: 'line' | 'spanning' | 'perl'): string {
  if (kind === 'perl') return randomPerl(random)
  if (random.chance(0.25)) return composed(random, 2) + (kind === 'spanning' && random.chance(0.3) ? '\\n' : '')
  return random.pick(kind === 'line' ? linePatterns : spanningPatterns)
}
