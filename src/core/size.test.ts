import { expect, it } from 'vitest'
import { formatAge, formatSize, utf8SizeBytes } from './size.ts'

it.each([
  [0, '0B'],
  [512, '512B'],
  [1023, '1023B'],
  [1024, '1.0KB'],
  [1536, '1.5KB'],
  [51_200, '50.0KB'],
  [1_048_575, '1024.0KB'],
  [5_033_165, '4.8MB'],
  [2 * 1024 ** 3, '2.0GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

const second = 1000
const day = 86_400 * second
it.each([
  [-5, '0s'],
  [999, '0s'],
  [59_999, '59s'],
  [60 * second, '1m'],
  [3600 * second - 1, '59m'],
  [3 * 3600 * second, '3h'],
  [day - 1, '23h'],
  [29 * day, '29d'],
  [30 * day, '1mo'],
  [364 * day, '12mo'],
  [365 * day, '1y'],
  [800 * day, '2y'],
])('%i ms are %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text)
})

it.each(['', 'a', 'é', '日', '😀', 'a😀é', '\uD800', '\uDC00a', '\uD800\uD800\uDC00', '\uD800a'])(
  'utf8SizeBytes(%j) is what encoding takes',
  text => {
    expect(utf8SizeBytes(text)).toBe(new TextEncoder().encode(text).length)
  },
)
