// The stand-ins for Node's modules, held against the originals.
import { Buffer as NodeBuffer } from 'node:buffer'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AbortController as LightController } from './abort-shim.ts'
import { Buffer } from './buffer-shim.ts'
import { bytesOf, latin1Text } from './encoding.ts'
import { gunzipSync, gzipSync } from './zlib-shim.ts'

const samples: readonly (readonly [string, Uint8Array])[] = [
  ['empty', new Uint8Array(0)],
  ['one byte', Uint8Array.of(255)],
  ['text', new TextEncoder().encode('hello → 🎉\r\n'.repeat(100))],
  ['every byte', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['large', Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)],
]

describe('gzip', () => {
  it.each(samples)('%s: each reads what the other wrote', (_name, bytes) => {
    expect(NodeBuffer.compare(gunzipSync(zlib.gzipSync(bytes)), bytes)).toBe(0)
    for (const level of [-1, 1, 9]) expect(NodeBuffer.compare(zlib.gunzipSync(gzipSync(bytes, { level })), bytes)).toBe(0)
  })

  it('reads members one after the other', () => {
    const two = NodeBuffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])
    expect(new TextDecoder().decode(gunzipSync(two))).toBe('ab')
  })

  const whole = zlib.gzipSync('hello hello hello')
  const changed = (index: number): Uint8Array => Uint8Array.from(whole, (byte, at) => (at === index ? byte ^ 1 : byte))
  it.each([
    ['not gzip', new TextEncoder().encode('this is no gzip file'), /header/],
    ['too short', whole.subarray(0, 8), /header/],
    ['cut off', whole.subarray(0, -9), /unexpected EOF|incorrect/],
    ['a wrong sum', changed(whole.length - 6), /data check/],
    ['a wrong length', changed(whole.length - 1), /length check/],
  ])('%s is refused', (_name, bytes, problem) => {
    expect(() => gunzipSync(bytes)).toThrow(problem)
  })

  it('stops at the limit', () => {
    expect(() => gunzipSync(zlib.gzipSync(new Uint8Array(10_000_000)), { maxOutputLength: 1000 })).toThrow(RangeError)
  })
})

describe('Buffer', () => {
  it.each(samples)('%s', (_name, bytes) => {
    for (const encoding of ['latin1', 'binary', 'base64', 'hex', 'utf8'] as const) {
      expect([encoding, Buffer.from(bytes).toString(encoding)]).toEqual([encoding, NodeBuffer.from(bytes).toString(encoding)])
    }
  })
  it.each(['', 'YQ==', 'YQ', 'Y Q=\n=', 'YWI=YWI=', '-_8', 'a', 'w6k!'])('base64 %j is read as Node reads it', text => {
    expect(Buffer.from(text, 'base64').toString('hex')).toBe(NodeBuffer.from(text, 'base64').toString('hex'))
  })
})

describe('what the interpreter writes becomes bytes', () => {
  it.each([
    ['text on stdout', 'é', 'utf8', 'stdout', [0xc3, 0xa9]],
    ['bytes on stdout', '\u00e9', 'binary', 'stdout', [0xe9]],
    ['bytes that are labelled wrong', '→', 'binary', 'stdout', [0xe2, 0x86, 0x92]],
    ['bytes on stderr that read as UTF-8', '\u00c3\u00a9', 'utf8', 'stderr', [0xc3, 0xa9]],
    ['text on stderr', 'é', 'utf8', 'stderr', [0xc3, 0xa9]],
    ['nothing', '', undefined, 'stdout', []],
  ] as const)('%s', (_name, text, encoding, channel, expected) => {
    expect(Array.from(bytesOf(text, encoding, channel))).toEqual(expected)
  })
  it('large input is one character for each byte', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)
    expect(latin1Text(bytes)).toBe(NodeBuffer.from(bytes).toString('latin1'))
  })
})

describe.each([
  ['the platform', AbortController],
  ['the bundle', LightController],
])('an AbortController of %s', (_whose, Controller) => {
  it('tells each listener once, also the one of onabort', () => {
    const heard: string[] = []
    const controller = new Controller()
    const { signal } = controller
    const gone = (): void => void heard.push('gone')
    signal.onabort = () => heard.push('onabort')
    signal.addEventListener('abort', gone)
    signal.addEventListener('abort', ({ type }) => heard.push(type))
    signal.removeEventListener('abort', gone)
    controller.abort('first')
    controller.abort('second')
    signal.addEventListener('abort', () => heard.push('late'))
    expect({ heard, aborted: signal.aborted, reason: signal.reason }).toEqual({
      heard: ['onabort', 'abort'],
      aborted: true,
      reason: 'first',
    })
  })

  it('throws the reason once it is aborted, an AbortError where none was given', () => {
    const controller = new Controller()
    expect(() => controller.signal.throwIfAborted()).not.toThrow()
    controller.abort()
    expect(() => controller.signal.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }))
  })
})
