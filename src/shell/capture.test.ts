import { describe, expect, it } from 'vitest'
import { Capture } from './capture.ts'
import type { OutputChunk } from './shell.ts'
import { createRandom } from '../testing/random.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
/** `o:` standard output, `e:` standard error, `m:` merged; `\xHH` is a byte. */
const chunk = (written: string): OutputChunk => {
  const channel = ({ o: 'stdout', e: 'stderr', m: 'merged' } as const)[written[0] === 'e' ? 'e' : written[0] === 'm' ? 'm' : 'o']
  const bytes = written
    .slice(2)
    .split(/(\\x[0-9a-f]{2})/)
    .flatMap(part => (part.startsWith('\\x') ? [parseInt(part.slice(2), 16)] : Array.from(utf8(part))))
  return { channel, bytes: Uint8Array.from(bytes) }
}

describe('capture', () => {
  it.each([
    ['nothing', 10, [], '', '', '', 0],
    ['one chunk', 10, ['o:abc'], 'abc', 'abc', '', 0],
    ['both streams in order', 10, ['o:a', 'e:b', 'o:c'], 'abc', 'ac', 'b', 0],
    ['merged counts as standard output', 10, ['m:a', 'e:b'], 'ab', 'a', 'b', 0],
    ['keeps the end', 4, ['o:abc', 'o:def'], 'cdef', 'cdef', '', 2],
    ['keeps the end of one large chunk', 3, ['o:abcdefgh'], 'fgh', 'fgh', '', 5],
    ['cuts across channels', 3, ['o:ab', 'e:cd', 'o:e'], 'cde', 'e', 'cd', 2],
    ['exactly full drops nothing', 3, ['o:abc'], 'abc', 'abc', '', 0],
    ['keeps nothing when told so', 0, ['o:abc'], '', '', '', 3],
    ['a character split between chunks', 10, ['o:\\xc3', 'o:\\xa9'], 'é', 'é', '', 0],
    ['a character split around the other stream', 10, ['o:\\xc3', 'e:x', 'o:\\xa9'], 'xé', 'é', 'x', 0],
    ['both streams split at once', 10, ['o:\\xc3', 'e:\\xe2\\x86', 'o:\\xa9', 'e:\\x92'], 'é→', 'é', '→', 0],
    ['the cut goes through a character', 3, ['o:aé→'], '→', '→', '', 3],
    ['the rest of a cut character is not shown', 2, ['o:→a'], 'a', 'a', '', 2],
    ['invalid bytes are marked', 10, ['o:a\\xffb'], 'a\ufffdb', 'a\ufffdb', '', 0],
    ['an unfinished character is marked', 10, ['o:a\\xc3'], 'a\ufffd', 'a\ufffd', '', 0],
    ['a byte order mark stays', 10, ['o:\ufeffa'], '\ufeffa', '\ufeffa', '', 0],
    ['CRLF stays', 10, ['o:a\r', 'o:\nb'], 'a\r\nb', 'a\r\nb', '', 0],
  ] as const)('%s', (_name, maxBytes, chunks, output, stdout, stderr, droppedBytes) => {
    const capture = new Capture(maxBytes)
    for (const written of chunks) capture.add(chunk(written))
    expect({ ...capture.text(), droppedBytes: capture.droppedBytes }).toEqual({ output, stdout, stderr, droppedBytes })
  })

  it('keeps the same as a plain string would, for any chunks', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { below, chance } = createRandom(seed)
      const maxBytes = below(3000)
      const capture = new Capture(maxBytes)
      let all = ''
      for (let index = 0; index < 200; index++) {
        const text = String.fromCharCode(97 + below(26)).repeat(below(index % 50 === 0 ? 5000 : 20))
        capture.add({ channel: chance(0.5) ? 'stdout' : 'stderr', bytes: utf8(text) })
        all += text
      }
      const kept = maxBytes === 0 ? '' : all.slice(-maxBytes)
      expect({ seed, output: capture.text().output, dropped: capture.droppedBytes }).toEqual({
        seed,
        output: kept,
        dropped: all.length - kept.length,
      })
      expect(capture.text(10).output, `seed ${seed}`).toBe(kept.slice(-10))
    }
  })

  it.each([
    ['o:abcdef', 3, 'abc', 1],
    ['o:a\nb\n', 10, 'a\nb\n', 2],
    ['o:aé', 2, 'a', 1],
    ['o:', 10, '', 0],
    ['o:\n', 0, '', 1],
  ] as const)('%j: of %d bytes the head is %j, and it has %d lines', (written, headBytes, head, totalLines) => {
    const capture = new Capture(1, headBytes)
    for (const letter of chunk(written).bytes) capture.add({ channel: 'stdout', bytes: Uint8Array.of(letter) })
    expect([capture.head, capture.totalLines]).toEqual([head, totalLines])
  })

  it('does not keep the writer’s buffer', () => {
    const capture = new Capture(10)
    const bytes = utf8('abc')
    capture.add({ channel: 'stdout', bytes })
    bytes.fill(0)
    expect(capture.text().output).toBe('abc')
  })
})
