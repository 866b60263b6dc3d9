import { expect, test } from 'vitest'
import { createRandom } from '../../../testing/random.ts'
import { crc32c } from './crc32c.ts'

const encoder = new TextEncoder()

/** Source: RFC 3720, appendix B.4, and the check value in the catalogue of parametrised CRC algorithms. */
const rows: readonly (readonly [what: string, bytes: Uint8Array, checksum: number])[] = [
  ['nothing', new Uint8Array(), 0],
  ['the digits', encoder.encode('123456789'), 0xe3069283],
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['counting up', Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
  ['counting down', Uint8Array.from({ length: 32 }, (_, index) => 31 - index), 0x113fdb5c],
]

test.each(rows)('%s', (_what, bytes, checksum) => {
  expect(crc32c(bytes)).toBe(checksum)
})

test('pieces give what the whole gives, wherever it is cut', () => {
  const random = createRandom(1)
  const bytes = Uint8Array.from({ length: 99 }, () => random.below(256))
  const whole = crc32c(bytes)
  for (let cut = 0; cut <= bytes.length; cut++) expect(crc32c(bytes, cut, 99, crc32c(bytes, 0, cut))).toBe(whole)
})
