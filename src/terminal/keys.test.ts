import { expect, it } from 'vitest'
import { readInput } from './keys.ts'

/** `a<up>b{pasted}` */
const shown = (data: string): string =>
  readInput(data)
    .map(input => (input.kind === 'key' ? `<${input.key}>` : input.kind === 'paste' ? `{${input.text}}` : input.text))
    .join('')

it.each([
  ['ls\r', 'ls<enter>'],
  ['漢😀\x7f', '漢😀<backspace>'],
  ['\x01\x03\x0c\x05', '<ctrl-a><ctrl-c><ctrl-l><ctrl-e>'],
  ['\x1b[A\x1bOB\x1b[1;5D\x1bf', '<up><down><word-left><word-right>'],
  ['a\x1b[200~b\r\nc\x1b[A\x1b[201~d\r', 'a{b\r\nc\x1b[A}d<enter>'],
  ['\x1b[200~never ends\r', '{never ends\r}'],
  ['\x1b[24~x\x1b', 'x'],
  ['', ''],
])('%j: %s', (data, expected) => {
  expect(shown(data)).toBe(expected)
})
