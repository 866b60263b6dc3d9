import { expect, test } from 'vitest'
import { createRandom } from '../../../testing/random.ts'
import { ByteReader, ByteWriter } from './bytes.ts'

test('what was written is read, wherever the buffer had to grow', () => {
  for (let capacityBytes = 1; capacityBytes < 80; capacityBytes++) {
    const writer = new ByteWriter(capacityBytes)
    writer.uint8(200)
    writer.uint16(60_000)
    writer.uint32(4_000_000_000)
    writer.float64(2 ** 53 - 1)
    writer.text('é💾')
    writer.text('')
    writer.raw(Uint8Array.of(1, 2, 3))
    const reader = new ByteReader(writer.written)
    expect([reader.uint8(), reader.uint16(), reader.uint32(), reader.float64()]).toEqual([
      200,
      60_000,
      4_000_000_000,
      2 ** 53 - 1,
    ])
    expect([reader.text(), reader.text(), reader.uint8(), reader.uint8(), reader.uint8()]).toEqual(['é💾', '', 1, 2, 3])
    expect(() => reader.uint8()).toThrow(RangeError)
  }
})

test('large content, many times', () => {
  const random = createRandom(1)
  const writer = new ByteWriter(1)
  const parts = Array.from({ length: 20 }, () => new Uint8Array(random.below(1_000_000)).fill(random.below(256)))
  for (let time = 0; time < 2; time++) {
    writer.clear()
    for (const part of parts) writer.raw(part)
    let at = 0
    for (const part of parts) {
      expect(Buffer.compare(writer.written.subarray(at, at + part.length), part)).toBe(0)
      at += part.length
    }
  }
})

test('a text that says it is longer than what is there', () => {
  const writer = new ByteWriter()
  writer.uint32(9)
  writer.uint8(1)
  expect(() => new ByteReader(writer.written).text()).toThrow(RangeError)
})
