// Samples of each property, and that its values have no character in common.

import { expect, it, test } from 'vitest'

import { breakProperty } from './break-properties.ts'
import { contains, intersection, rangesOf } from './code-points.ts'
import { evaluateClass } from './syntax.ts'

const setOf = (name: string): ReturnType<typeof evaluateClass> => {
  const found = breakProperty(name)
  if (found === undefined) throw new Error(`${name} is not known`)
  return evaluateClass(found, 'unicode')
}

test.each<[name: string, inside: string, outside: string]>([
  ['gcb=Control', '\0\u2028\u200b\u{e0001}', '\r\n\u200d\u0300\u0600a'],
  ['GCB=CN', '\0', 'a'],
  ['gcb=extend', '\u0300\u200c\u{1f3fb}\u{e0020}', '\u200d\u0903a'],
  ['gcb=EX', '\u0300', 'a'],
  ['gcb=Prepend', '\u0600\u0d4e', 'a\u0300'],
  ['Grapheme_Cluster_Break=SpacingMark', '\u0903\u0e33', '\u102b\u0300'],
  ['grapheme cluster break = l', '\u1100\ua960', '\u1160가'],
  ['gcb=LV', '가개', '각a'],
  ['gcb=LVT', '각', '가a'],
  ['gcb=RI', '\u{1f1e6}', 'a'],
  ['gcb=ZWJ', '\u200d', '\u200c'],
  ['wb=ALetter', 'aéЖ\u05f3\u070f', '1_カあ中ก\u0300א'],
  ['Word_Break:Katakana', 'カー', 'あa'],
  ['wb=HL', 'א', 'a\u05f3'],
  ['wb=Numeric', '1٣\u066b\u0600', 'a\u066c'],
  ['wb=MidNumLet', '.\u2019', ','],
  ['wb=MidNum', ',;', '.\ufe10'],
  ['wb=MidLetter', ':\u00b7', '.'],
  ['wb=ExtendNumLet', '_\u202f', 'a '],
  ['wb=EX', '_', '\u0300'],
  ['wb=WSegSpace', ' \u3000', '\u00a0\t'],
  ['wb=Format', '\u00ad', '\u200b\u200d\u0600'],
  ['wb=Newline', '\v\u0085', '\n\r'],
  ['sb=ATerm', '.\u2024', '!'],
  ['sb=STerm', '!?。', '.'],
  ['sb=Close', '()"»\u2e00', '.a'],
  ['sb=Lower', 'aß\u00aa', 'Aა中'],
  ['SentenceBreak=UP', 'AǅⅠ', 'a\u1c90'],
  ['sb=OLetter', '中א\u10d0\u1c90', 'aA1'],
  ['sb=Numeric', '1\u066b\u066c', 'a'],
  ['sb=SContinue', ',-:', '.!'],
  ['sb=Sep', '\u2028\u0085', '\n'],
  ['sb=Sp', ' \t\u00a0', '\n\u2028'],
  ['sb=Format', '\u00ad\u200b', '\u200d\u0600'],
])('%s', (name, inside, outside) => {
  const set = setOf(name)
  const isIn = (character: string): boolean => contains(set, character.codePointAt(0) ?? 0)
  expect([...inside].filter(character => !isIn(character))).toEqual([])
  expect([...outside].filter(isIn)).toEqual([])
})

test.each<[property: string, values: string]>([
  ['gcb', 'CR LF Control Extend Prepend SpacingMark L V T LV LVT RI ZWJ'],
  [
    'wb',
    'CR LF Newline Extend ZWJ RI Format Katakana HL ALetter SQ DQ MidNumLet MidLetter MidNum Numeric ExtendNumLet WSegSpace',
  ],
  ['sb', 'CR LF Sep Extend Format Sp Lower Upper OLetter Numeric ATerm STerm Close SContinue'],
])('no character has two values of %s', (property, values) => {
  const sets = values.split(' ').map(value => ({ value, set: setOf(`${property}=${value}`) }))
  const shared = sets.flatMap((one, index) =>
    sets.slice(index + 1).flatMap(other => {
      const both = [...rangesOf(intersection(one.set, other.set))]
      return both.length === 0 ? [] : [[one.value, other.value, both]]
    }),
  )
  expect(shared).toEqual([])
})

it.each(['gcb=XX', 'gcb=E_Base', 'gcb', 'wb=Klingon', 'toString=Extend', 'gcb=toString', 'sc=Greek'])('%s is none', name => {
  expect(breakProperty(name)).toBeUndefined()
})
