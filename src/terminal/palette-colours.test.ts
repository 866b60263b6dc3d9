import { expect, it } from 'vitest'
import { PaletteColours } from './palette-colours.ts'

it.each([
  ['plain [38;2;1;2;3m', 'plain [38;2;1;2;3m'],
  ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m'],
  ['\x1b[38;5;2m', '\x1b[38;5;2m'],
  ['\x1b[38;2;255;0;0mx', '\x1b[38;5;196mx'],
  ['\x1b[1;38;2;0;0;0;4m', '\x1b[1;38;5;16;4m'],
  ['\x1b[48;2;128;128;128m', '\x1b[48;5;244m'],
  ['\x1b[38;2;255;255;255;48;2;0;95;135m', '\x1b[38;5;231;48;5;24m'],
  ['\x1b[38:2::0:255:0m', '\x1b[38;5;46m'],
])('%j → %j', (text, expected) => {
  expect(new PaletteColours().write(text)).toBe(expected)
  // In pieces of one character it is the same.
  const pieces = new PaletteColours()
  expect([...text].map(piece => pieces.write(piece)).join('')).toBe(expected)
})
