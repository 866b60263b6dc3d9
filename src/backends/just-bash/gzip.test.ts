// gzip compared with Node's, and how text and bytes are kept.
import { Buffer as NodeBuffer } from 'node:buffer'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bytesOf, latin1Text } from './encoding.ts'
import { Pace } from './commands/pace.ts'
import { gunzipInParts, gzipInParts } from './gzip.ts'

const pace = new Pace(() => Promise.resolve())

const samples: readonly (readonly [string, Uint8Array])[] = [
  ['empty', new Uint8Array(0)],
  ['one byte', Uint8Array.of(255)],
  ['text', new TextEncoder().encode('hello → 🎉\r\n'.repeat(100))],
  ['every byte', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['large', Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)],
]

describe('gzip', () => {
  it.each(samples)('%s: each reads what the other wrote', async (_name, bytes) => {
    expect(NodeBuffer.compare(await gunzipInParts(zlib.gzipSync(bytes), pace), bytes)).toBe(0)
    for (const level of [-1, 1, 9])
      expect(NodeBuffer.compare(zlib.gunzipSync(await gzipInParts(bytes, pace, { level })), bytes)).toBe(0)
  })

  it('reads members one after the other', async () => {
    const two = NodeBuffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])
    expect(new TextDecoder().decode(await gunzipInParts(two, pace))).toBe('ab')
  })

  const whole = zlib.gzipSync('hello hello hello')
  const changed = (index: number): Uint8Array => Uint8Array.from(whole, (byte, at) => (at === index ? byte ^ 1 : byte))
  it.each([
    ['not gzip', new TextEncoder().encode('this is no gzip file'), /header/],
    ['too short', whole.subarray(0, 8), /header/],
    ['cut off', whole.subarray(0, -9), /unexpected EOF|incorrect/],
    ['a wrong sum', changed(whole.length - 6), /data check/],
    ['a wrong length', changed(whole.length - 1), /length check/],
  ])('%s is refused', async (_name, bytes, problem) => {
    await expect(gunzipInParts(bytes, pace)).rejects.toThrow(problem)
  })

  it('stops at the limit', async () => {
    const packed = zlib.gzipSync(new Uint8Array(10_000_000))
    await expect(gunzipInParts(packed, pace, { maxOutputLength: 1000 })).rejects.toThrow(RangeError)
  })
})

describe('what commands write becomes bytes', () => {
  it.each([
    ['text on stdout', 'é', 'text', 'stdout', [0xc3, 0xa9]],
    ['bytes on stdout', '\u00e9', 'bytes', 'stdout', [0xe9]],
    ['bytes that are labelled wrong', '→', 'bytes', 'stdout', [0xe2, 0x86, 0x92]],
    ['bytes on stderr that read as UTF-8', '\u00c3\u00a9', 'text', 'stderr', [0xc3, 0xa9]],
    ['text on stderr', 'é', 'text', 'stderr', [0xc3, 0xa9]],
    ['nothing', '', 'text', 'stdout', []],
  ] as const)('%s', (_name, text, kind, channel, expected) => {
    expect(Array.from(bytesOf(text, kind, channel))).toEqual(expected)
  })
  it('large input is one character for each byte', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
    expect(latin1Text(bytes)).toBe(NodeBuffer.from(bytes).toString('latin1'))
  })
})
