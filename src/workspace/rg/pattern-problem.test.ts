// What ripgrep 15 says about patterns that it refuses: the picture and the words.

import { expect, it } from 'vitest'

import { problemOfPattern } from './pattern-problem.ts'

const wave = '~'.repeat(79)

it.each<[patterns: readonly string[], lines: readonly string[]]>([
  [['x(y'], ['    (?:x(y)', '    ^', 'error: unclosed group']],
  [
    ['foo', 'x('],
    ['    (?:foo)|(?:x()', '            ^', 'error: unclosed group'],
  ],
  [['é('], ['    (?:é()', '    ^', 'error: unclosed group']],
  [['))'], ['    (?:)))', '        ^', 'error: unopened group']],
  [['*'], ['    (?:*)', '       ^', 'error: repetition operator missing expression']],
  [['a|+'], ['    (?:a|+)', '         ^', 'error: repetition operator missing expression']],
  [['(?i)*'], ['    (?:(?i)*)', '           ^', 'error: repetition operator missing expression']],
  [['(?)'], ['    (?:(?))', '        ^', 'error: repetition operator missing expression']],
  [['[a'], ['    (?:[a)', '       ^', 'error: unclosed character class']],
  [['[^a'], ['    (?:[^a)', '       ^^', 'error: unclosed character class']],
  [['[b-a]'], ['    (?:[b-a])', '        ^^^', 'error: invalid character class range, the start must be <= the end']],
  [['[a-\\d]'], ['    (?:[a-\\d])', '          ^^', 'error: invalid range boundary, must be a literal']],
  [['[\\b]'], ['    (?:[\\b])', '        ^^', 'error: invalid escape sequence found in character class']],
  [['a{2'], ['    (?:a{2)', '        ^^', 'error: unclosed counted repetition']],
  [['a{x}'], ['    (?:a{x})', '         ^', 'error: repetition quantifier expects a valid decimal']],
  [['a{,2}'], ['    (?:a{,2})', '         ^', 'error: repetition quantifier expects a valid decimal']],
  [['a{3,2}'], ['    (?:a{3,2})', '        ^^^^^', 'error: invalid repetition count range, the start must be <= the end']],
  [['(?z)'], ['    (?:(?z))', '         ^', 'error: unrecognized flag']],
  [['(?i-i)'], ['    (?:(?i-i))', '         ^ ^', 'error: duplicate flag']],
  [['(?-)'], ['    (?:(?-))', '         ^', 'error: dangling flag negation operator']],
  [['(?P<'], ['    (?:(?P<)', '           ^', 'error: invalid capture group character']],
  [['(?<n>a)(?<n>b)'], ['    (?:(?<n>a)(?<n>b))', '          ^      ^', 'error: duplicate capture group name']],
  [['\\q'], ['    (?:\\q)', '       ^^', 'error: unrecognized escape sequence']],
  [['\\xZ'], ['    (?:\\xZ)', '         ^', 'error: invalid hexadecimal digit']],
  [['\\x{110000}'], ['    (?:\\x{110000})', '          ^^^^^^', 'error: hexadecimal literal is not a Unicode scalar value']],
  [['\\p{sc=Foo}'], ['    (?:\\p{sc=Foo})', '       ^^^^^^^^^^', 'error: Unicode property value not found']],
  [['\\p{Nope}'], ['    (?:\\p{Nope})', '       ^^^^^^^^', 'error: Unicode property not found']],
  [['(?-u)\\p{L}'], ['    (?:(?-u)\\p{L})', '            ^^^^^', 'error: Unicode not allowed here']],
  [
    ['\\b{foo}'],
    [
      '    (?:\\b{foo})',
      '          ^^^',
      'error: unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
    ],
  ],
  [['(?x) a #'], ['    (?:(?x) a #)', '    ^', 'error: unclosed group']],
  [['foo\nbar('], [wave, '1: (?:foo', '   ^', '2: bar()', wave, 'error: unclosed group']],
  [
    ['(?<n>a)\n(?<n>b)'],
    [wave, '1: (?:(?<n>a)', '         ^', '2: (?<n>b))', '      ^', wave, 'error: duplicate capture group name'],
  ],
  [
    ['a{2,\n1}'],
    [
      wave,
      '1: (?:a{2,',
      '2: 1})',
      wave,
      'on line 1 (column 5) through line 2 (column 2)',
      'error: invalid repetition count range, the start must be <= the end',
    ],
  ],
])('%j', (patterns, lines) => {
  expect(problemOfPattern(patterns, true)?.message.split('\n')).toEqual(['regex parse error:', ...lines])
})

it.each([')(', '[[:foo:]]', 'a{ 2 }', '\\b{2}', '(?i:a)', '[]a]', '[a-]', '\\<a\\>', '(?P<é>a)', '\\p{gcb=Extend}', 'a**'])(
  'sees nothing wrong in %s',
  pattern => {
    expect(problemOfPattern([pattern], true)).toBeUndefined()
  },
)

it.each(['(?=a)', '(?<!a)', '(a)\\1'])('knows that PCRE2 reads %s', pattern => {
  expect(problemOfPattern([pattern], true)?.isForPerl).toBe(true)
})
