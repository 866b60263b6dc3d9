import { expect, it } from 'vitest'
import { documentOf, normalizedText } from '../../core/text.ts'
import { contentTag } from './tag.ts'

const tagOf = (text: string): string => contentTag(normalizedText(documentOf(text)))

it.each([
  ['', '5D05'],
  ['\t', '5D05'],
  ['\n', 'D352'],
  ['   \n', 'D352'],
  ['a', '7456'],
  ['a\nb', '6540'],
  ['a\nb\n\n', 'B642'],
  ['x'.repeat(15), 'C0B0'],
  ['x'.repeat(16), '700D'],
  ['x'.repeat(17), '1B5F'],
  ['const value = 1;\nconsole.log(value);\n', '38C7'],
  ['const value = 1;\nconsole.log(value);', '518C'],
  ['a\nb\nc\n', 'D988'],
  ['a\r\nb\r\nc\r\n', 'D988'],
  ['a\rb\rc', '8653'],
  ['\uFEFFa\n', '9585'],
  ['a\n', '9585'],
  ['a\n ', '9585'],
  ['a  \nb\t\n', '9A46'],
  ['a\nb\n', '9A46'],
  ['hello\n', '5BF9'],
  ['é😀\n', 'F95E'],
  ['日本語\nテスト\n', 'ACA5'],
  ['collision-389\n', 'D474'],
  ['collision-445\n', 'D474'],
  ['one\ntwo\nthree\nfour\nfive\n', '2914'],
])('the tag of %j is %s', (text, tag) => {
  expect(tagOf(text)).toBe(tag)
})

it('trims what the defining pattern trims, on any mix of blanks', () => {
  const pieces = ['a', ' ', '\t', '\n', '\u00A0', '\f']
  for (let seed = 0; seed < 6 ** 4; seed++) {
    const text = Array.from({ length: 4 }, (_, place) => pieces[Math.floor(seed / 6 ** place) % 6]).join('')
    expect([text, contentTag(text)]).toEqual([text, contentTag(text.replace(/[ \t\r]+(?=\n|$)/g, ''))])
  }
})

it('a long run of blanks inside a line costs linear time', () => {
  // Quadratic time would exceed the test's time limit.
  expect(contentTag(`${' '.repeat(1_000_000)}x`.repeat(3))).toMatch(/^[0-9A-F]{4}$/)
})
