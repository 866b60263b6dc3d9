import { expect, it } from 'vitest'
import { createSpanFinder } from './line-spans.ts'

it.each([
  ['o', 'foo boo', ['o', 'o', 'o', 'o']],
  ['o+', 'foo boo', ['oo', 'oo']],
  ['\\bb', 'abc bcd', ['b']],
  ['^a', 'aa', ['a']],
  ['a$', 'aa', ['a']],
  ['x*', 'axxb', ['xx']],
  ['é', 'éaé', ['é', 'é']],
  ['.', '日本', ['日', '本']],
  ['a|ab', 'abab', ['a', 'a']],
  ['ab|a', 'abab', ['ab', 'ab']],
  ['z', 'abc', []],
  ['a', '', []],
] as const)('%s in %s', (source, line, expected) => {
  const bytes = new TextEncoder().encode(line)
  const found = createSpanFinder(source)(bytes).map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)))
  expect(found).toEqual(expected)
})
