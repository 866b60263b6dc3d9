// Patterns in the syntax of PCRE2, from all that it has: also constructs that are refused here.

import type { Random } from '../random.ts'

const plain = [
  'a',
  'b',
  'c',
  'f',
  'o',
  'A',
  'k',
  's',
  ' ',
  'é',
  'δ',
  '_',
  '1',
  'ab',
  'foo',
  '\\n',
  '\\t',
  '\\r',
  '\\.',
  '\\x61',
  '\\x{e9}',
  '\\o{141}',
]
const classes = [
  ...[
    '.',
    '.',
    '\\w',
    '\\W',
    '\\d',
    '\\D',
    '\\s',
    '\\S',
    '\\h',
    '\\H',
    '\\v',
    '\\V',
    '\\N',
    '\\R',
    '[ab]',
    '[^a]',
    '[a-f]',
    '[^\\W_]',
    '[]a]',
  ],
  ...[
    '[[:alpha:]]',
    '[[:upper:]]',
    '[[:^digit:]]',
    '[[:punct:]]',
    '[[:word:]x]',
    '\\p{L}',
    '\\p{Lu}',
    '\\P{Ll}',
    '\\p{^L}',
    '\\pN',
    '\\p{Greek}',
  ],
  ...[
    '\\p{L&}',
    '\\p{Xan}',
    '\\p{Any}',
    '\\p{Han}',
    '\\p{greek}',
    '[\\d\\-a]',
    '[\\h\\N{U+61}]',
    '[\\Qa]\\E]',
    '[a\\]b-]',
    '[\\x61-\\x63]',
    '\\p{Alphabetic}',
  ],
]
const anchors = ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\Z', '\\G', '\\K', '']
const counts = [
  '',
  '',
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '*+',
  '++',
  '?+',
  '{2}',
  '{1,2}',
  '{0,1}?',
  '{2,}',
  '{,2}',
  '{1,2}+',
  '{0}',
  '{ 1, 2 }',
]
const openings = [
  ...[
    '(',
    '(',
    '(',
    '(?:',
    '(?:',
    '(?i:',
    '(?>',
    '(?=',
    '(?!',
    '(?<=',
    '(?<!',
    '(?s:',
    '(?-i:',
    '(?x: ',
    '(?m-s:',
    '(?^:',
    '(?U:',
    '(?n:',
  ],
  ...[
    '(*atomic:',
    '(*pla:',
    '(*nlb:',
    '(*plb:',
    '(*positive_lookahead:',
    '(?i)(?:',
    '(?|',
    '(?|',
    '(?<n>',
    '(?P<m>',
    "(?'q'",
    '(?#c)(',
  ],
]
const references = [
  ...['\\1', '\\2', '\\g1', '\\g{1}', '\\g{-1}', '\\k<n>', '\\k{n}', "\\k'q'", '(?P=m)', '\\g{n}', '(?i)\\1'],
  ...['(?1)', '(?2)', '(?-1)', '(?+1)', '(?&n)', '(?P>m)', '\\g<1>', "\\g'1'", '\\g<n>', '(?R)?', '(?0)*', '(?R)'],
]
const verbs = [
  '(*FAIL)',
  '(*F)',
  '(*ACCEPT)',
  '(*PRUNE)',
  '(*SKIP)',
  '(*SKIP)(*F)',
  '(*COMMIT)',
  '(*THEN)',
  '(*MARK:x)',
  '(*SKIP:x)',
]
const conditions = [
  '(1)',
  '(2)',
  '(<n>)',
  "('q')",
  '(-1)',
  '(R)',
  '(R1)',
  '(R&n)',
  '(?=a)',
  '(?!b)',
  '(?<=a)',
  '(?<!o)',
  '(DEFINE)',
  '(n)',
]
const odd = [
  '\\Q',
  '\\E',
  '\\Qa.\\E',
  '(?i)',
  '(?x)',
  '(?-i)',
  '(?#c)',
  '\\X',
  '\\C',
  '(?C1)',
  '\\cA',
  '\\e',
  '\\0',
  '\\12',
  '\\u0061',
  '(?J)',
  '(?xx)',
  '(?^)',
  '#',
  '(?s)',
  '(?U)',
]

function piece(random: Random, depth: number): string {
  const kind = random.below(100)
  if (kind < 42) return random.pick(plain) + random.pick(counts)
  if (kind < 66) return random.pick(classes) + random.pick(counts)
  if (kind < 74) return random.pick(anchors)
  if (kind < 79) return random.pick(references) + random.pick(counts)
  if (kind < 80) return random.pick(verbs)
  if (kind < 82) return random.pick(odd)
  if (depth === 0) return 'a'
  if (kind < 85) {
    const no = random.chance(0.6) ? `|${branch(random, depth - 1)}` : ''
    return `(?${random.pick(conditions)}${branch(random, depth - 1)}${no})${random.pick(counts)}`
  }
  return `${random.pick(openings)}${branches(random, depth - 1)})${random.pick(counts)}`
}

function branch(random: Random, depth: number): string {
  return Array.from({ length: 1 + random.below(3) }, () => piece(random, depth)).join('')
}

function branches(random: Random, depth: number): string {
  return Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () => branch(random, depth)).join('|')
}

export function randomPerl(random: Random): string {
  const start = random.chance(0.02) ? random.pick(['(*UTF)', '(*UCP)', '(*CRLF)', '(*NOTEMPTY)', '(*LIMIT_MATCH=9)']) : ''
  return start + branches(random, 3)
}
