import { expect, it } from 'vitest'

import { parsePrintablePath, printablePath } from './printable.ts'

it.each([
  ['src/a b.ts', 'src/a b.ts'],
  ['a"\\.ts', 'a"\\.ts'],
  ['é😀', 'é😀'],
  ['a\nb', '"a\\nb"'],
  ['a\n"b"\\\r', '"a\\n\\"b\\"\\\\\\r"'],
  ['a\u0085\u2028', '"a\\u0085\\u2028"'],
])('%j is shown as %s', (path, shown) => {
  expect(printablePath(path)).toBe(shown)
  expect(parsePrintablePath(shown)).toBe(path === shown ? undefined : path)
})

it.each(['"a"', '"a\\tb', '"\\x"', '"a\\\\b"', "'a\\n'", '"\\u0041"'])('%s is no shown path', shown => {
  expect(parsePrintablePath(shown)).toBeUndefined()
})
