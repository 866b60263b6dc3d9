import { describe, expect, it } from 'vitest'
import { decodeText, documentOf, encodeText, lineEndingOf, normalizedText, textOf } from './text.ts'
import { createRandom } from '../testing/random.ts'

describe('documentOf keeps every line and its own ending', () => {
  const rows: [string, readonly string[], readonly string[], boolean?][] = [
    ['', [], []],
    ['\n', [''], ['\n']],
    ['a', ['a'], ['']],
    ['a\n', ['a'], ['\n']],
    ['a\n\n', ['a', ''], ['\n', '\n']],
    ['a\nb', ['a', 'b'], ['\n', '']],
    ['a\r\nb\r\n', ['a', 'b'], ['\r\n', '\r\n']],
    ['a\rb\rc', ['a', 'b', 'c'], ['\r', '\r', '']],
    ['a\r', ['a'], ['\r']],
    ['a\n\r\nb\r\r\n', ['a', '', 'b', ''], ['\n', '\r\n', '\r', '\r\n']],
    ['\uFEFF', [], [], true],
    ['\uFEFFa\n', ['a'], ['\n'], true],
    ['\uFEFF\uFEFFa', ['\uFEFFa'], [''], true],
  ]
  it.each(rows)('%j', (text, lines, endings, bom = false) => {
    const document = documentOf(text)
    expect(document).toEqual({ bom, lines, endings })
    expect(textOf(document)).toBe(text)
    expect(normalizedText(document)).toBe(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
  })
})

describe('decodeText refuses what is not text and says where', () => {
  const rows: readonly [string, readonly number[], string, number][] = [
    ['a null byte', [0x61, 0, 0x62], 'null-byte', 1],
    ['Latin-1', [0x61, 0xe9, 0x0a], 'invalid-utf8', 1],
    ['a lone continuation', [0x80], 'invalid-utf8', 0],
    ['an overlong form', [0x61, 0xc0, 0xaf], 'invalid-utf8', 1],
    ['an overlong three-byte form', [0xe0, 0x9f, 0x80], 'invalid-utf8', 0],
    ['a surrogate', [0x61, 0x61, 0xed, 0xa0, 0x80], 'invalid-utf8', 2],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 'invalid-utf8', 0],
    ['a sequence cut short', [0xc3, 0xa9, 0xf0, 0x9f, 0x98], 'invalid-utf8', 2],
    ['UTF-16 with BOM', [0xff, 0xfe, 0x61], 'invalid-utf8', 0],
  ]
  it.each(rows)('%s', (_, bytes, reason, offset) => {
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ kind: 'binary', reason, offset })
  })

  it('text cut inside a character stops being text where that character starts', () => {
    const encoder = new TextEncoder()
    const text = 'aé日😀\u{10FFFF}\uD7FF\uE000'
    let offset = 0
    for (const character of text) {
      const end = offset + encoder.encode(character).length
      for (let length = offset + 1; length < end; length++) {
        expect(decodeText(encoder.encode(text).slice(0, length))).toEqual({ kind: 'binary', reason: 'invalid-utf8', offset })
      }
      offset = end
    }
    expect(decodeText(encoder.encode(text))).toEqual({ kind: 'text', document: documentOf(text) })
  })
})

describe('decode and encode are inverse on random text', () => {
  const alphabet = ['a', '\n', '\r', '\r\n', '\uFEFF', 'é', '😀', '\t', '日', ' ', '\u2028']
  it.each(Array.from({ length: 200 }, (_, seed) => seed + 1))('seed %i', seed => {
    const { below: next } = createRandom(seed)
    const text = Array.from({ length: next(30) }, () => alphabet[next(alphabet.length)]).join('')
    const bytes = new TextEncoder().encode(text)
    const decoded = decodeText(bytes)
    if (decoded.kind !== 'text') throw new Error('valid text was called binary')
    expect(encodeText(decoded.document)).toEqual(bytes)
    expect(decoded.document.lines.some(line => /[\r\n]/.test(line))).toBe(false)
    expect(decoded.document.endings.slice(0, -1)).not.toContain('')
    expect(decoded.document.lines.length).toBe(decoded.document.endings.length)
  })
})

it.each([
  ['', '\n'],
  ['a', '\n'],
  ['a\r\nb\nc\r\n', '\r\n'],
  ['a\r\nb\n', '\r\n'],
  ['a\nb\r\n', '\n'],
  ['a\rb', '\r'],
])('the ending of %j is %j: the most frequent, the first on a tie', (text, ending) => {
  expect(lineEndingOf(documentOf(text))).toBe(ending)
})

it('decodes 10 MB', () => {
  const bytes = new TextEncoder().encode('const value = 1; // some words\r\n'.repeat(320_000))
  const decoded = decodeText(bytes)
  expect(decoded.kind === 'text' && decoded.document.lines.length).toBe(320_000)
})
