// Replacements of text in a version that others have changed: in the file's own bytes, or not at all.

import { expect, it } from 'vitest'

import { mergeReplacement } from './merge-replacement.ts'

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'

const rows: readonly (readonly [name: string, base: string, live: string, oldText: string, newText: string, after: unknown])[] = [
  ['part of a line', base, `zero\n${base}`, 'ou', 'OU', `zero\n${base.replace('four', 'fOUr')}`],
  ['a line and the next one joined', base, `zero\n${base}`, 'three\n', 'three, ', `zero\n${base.replace('three\n', 'three, ')}`],
  [
    'a file with CRLF now',
    base,
    `zero\n${base}`.replaceAll('\n', '\r\n'),
    'three\nfour',
    'a\nb\nc',
    `zero\n${base}`.replace('three\nfour', 'a\nb\nc').replaceAll('\n', '\r\n'),
  ],
  ['the last line without an end', 'a\nb\nc', 'x\na\nb\nc', 'c', 'C', 'x\na\nb\nC'],
  ['a byte order mark', `\uFEFF${base}`, `\uFEFF${base}eight\n`, 'one\n', 'ONE\n', `\uFEFF${base.replace('one', 'ONE')}eight\n`],
  ['trailing blanks by somebody else', base, base.replace('four', 'four  '), 'four', 'FOUR', 'refused'],
  ['a neighbour that changed', base, base.replace('five', 'FIVE'), 'four', 'FOUR', 'refused'],
  ['a second one that somebody added', base, `${base}four\n`, 'four', 'FOUR', `${base.replace('four', 'FOUR')}four\n`],
  ['a copy of everything', base, base + base, 'four', 'FOUR', 'refused'],
  ['what is there already', base, base.replace('four', 'FOUR'), 'four', 'FOUR', 'already-applied'],
  ['two places', 'a\nb\nc\nd\na\n', 'x\na\nb\nc\nd\na\n', 'a', 'A', 'refused'],
  ['a text that was never there', base, `x\n${base}`, 'nowhere', 'x', 'refused'],
]

it.each(rows)('%s', (_name, seen, live, oldText, newText, after) => {
  const merged = mergeReplacement(seen, live, { oldText, newText, isOfAll: false })
  expect(merged.kind === 'merged' ? merged.text : merged.kind).toBe(after)
})

it('every occurrence, if somebody added none', () => {
  const replacement = { oldText: 'a', newText: 'A', isOfAll: true }
  const seen = 'a a\nb1\nb2\nb3\na\nb4\n'
  expect(mergeReplacement(seen, `x\n${seen}`, replacement)).toMatchObject({
    kind: 'merged',
    text: 'x\nA A\nb1\nb2\nb3\nA\nb4\n',
    base: 'A A\nb1\nb2\nb3\nA\nb4\n',
    replaced: 3,
    from: 1,
    to: 2,
  })
  expect(mergeReplacement(seen, `${seen}x\ny\na\n`, replacement).kind).toBe('refused')
})
