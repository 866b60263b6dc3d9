// Values that scripts stumble over, and the ways to write them down.

import type { Random } from '../random.ts'

const values = [
  'a',
  'abc',
  'a b',
  'foo.tar.gz',
  '/usr/local/lib/x.so.1',
  "it's",
  'say "hi"',
  '$HOME',
  '*',
  '?.txt',
  '[ab]',
  '',
  ' ',
  '  lead',
  'trail  ',
  'a\tb',
  'line1\nline2',
  'end\n',
  '-n',
  '-e',
  '--',
  '1',
  '007',
  '-5',
  '3.14',
  'x=y',
  'A:B::C',
  'a,b,,c',
  '{a,b}',
  '~',
  '!x',
  '#c',
  'a;b',
  'a&b|c',
  'back\\slash',
  '%d%s',
  'é日本',
  'Hello World',
  'UPPER lower',
  '(paren)',
  '`tick`',
  '\\n',
  'a/b/../c.d',
  'key: value',
  'aXbXc',
]

export function value(random: Random): string {
  return random.pick(values)
}

/** `text` as a word that means exactly that. */
export function quoted(random: Random, text: string): string {
  const single = `'${text.replaceAll("'", `'\\''`)}'`
  switch (random.below(5)) {
    case 0:
    case 1:
      return single
    case 2:
      return `"${text.replace(/["$`\\]/g, '\\$&')}"`
    case 3:
      return `$'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`
    default: {
      // Behind a backslash each, but a line end, which would be passed over.
      if (text === '' || text.includes('\n')) return single
      return text.replace(/[^A-Za-z0-9_./,:=é日本-]/g, '\\$&').replace(/^~/, '\\~')
    }
  }
}

export function word(random: Random): string {
  return quoted(random, value(random))
}

export function words(random: Random, most: number, least = 0): string {
  return Array.from({ length: least + random.below(most - least + 1) }, () => word(random)).join(' ')
}

export function times<T>(random: Random, most: number, least: number, make: () => T): T[] {
  return Array.from({ length: least + random.below(most - least + 1) }, make)
}

export function number(random: Random): string {
  return random.pick(['0', '1', '2', '3', '5', '7', '10', '42', '100', '-1', '-3', '255', '0x1f', '010', '2#101', '16#fF'])
}

export function plainNumber(random: Random): string {
  return random.pick(['0', '1', '2', '3', '5', '7', '10', '42', '-1', '-3'])
}

/** A shell pattern. */
export function pattern(random: Random): string {
  const piece = (): string =>
    random.pick([
      '*',
      '?',
      'a',
      'b',
      '[ab]',
      '[!a]',
      '[a-z]',
      '[[:digit:]]',
      '[[:upper:]]',
      '.',
      '/',
      ' ',
      'x',
      '\\*',
      ':',
      '*.',
      '*/',
      '"*"',
      "'?'",
    ])
  return times(random, 3, 1, piece).join('')
}

/** A word for `${x:-word}`. bash reads `$'…'` and braces there in ways of its own, so neither is made. */
export function operand(random: Random): string {
  const made = word(random)
  return made.startsWith("$'") || made.includes('{') ? random.pick(['d', '"x y"', "it's".slice(0, 2), 'a*']) : made
}
