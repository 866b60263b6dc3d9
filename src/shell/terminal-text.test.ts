import { describe, expect, it } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { TerminalText } from './terminal-text.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

function clean(chunks: readonly Uint8Array[]): string {
  const terminal = new TerminalText()
  return textOf(Uint8Array.from([...chunks.flatMap(chunk => [...terminal.write(chunk)]), ...terminal.end()]))
}

// `^` is ESC, `@` is BEL.
const written = (text: string): Uint8Array => utf8(text.replaceAll('^', '\u001b').replaceAll('@', '\u0007'))

const rows: readonly (readonly [rule: string, input: string, shown: string])[] = [
  ['nothing', '', ''],
  ['plain text stays', 'a b\nc\td', 'a b\nc\td'],
  ['characters stay', 'ünï → 🎉\n', 'ünï → 🎉\n'],
  ['colours go', '^[31mred^[0m\n', 'red\n'],
  ['private modes go', '^[?25lx^[?2004h\n', 'x\n'],
  ['a title goes, ended by BEL', '^]0;title@x', 'x'],
  ['a title goes, ended by ST', '^]0;title^\\x', 'x'],
  ['a device string goes', '^P1$r0m^\\x', 'x'],
  ['a character set goes', '^(Bx', 'x'],
  ['a short escape goes', '^7a^8b^=c^>d', 'abcd'],
  ['CRLF becomes LF', 'a\r\nb\r\n', 'a\nb\n'],
  ['a terminal may write two CRs', 'a\r\r\nb', 'a\nb'],
  ['what is drawn over is gone', ' 10%\r 50%\r100%\n', '100%\n'],
  ['a CR at the end draws over nothing', 'done\r', 'done'],
  ['erasing the line takes it back', 'working…\r^[2Kdone\n', 'done\n'],
  ['erasing without a CR too', 'working…^[2Kdone\n', 'done\n'],
  ['lines before stay', 'a\nb\rc\n', 'a\nc\n'],
  ['an escape that is none leaves its byte', '^\na', '\na'],
  ['a sequence broken by another', '^[3^[31mx', 'x'],
  ['one that never ends is left out', 'a^[31', 'a'],
  ['a lone bell stays', 'a@b', 'a@b'.replace('@', '\u0007')],
  ['a backspace stays', 'a\bb', 'a\bb'],
]

describe('terminal text', () => {
  it.each(rows)('%s', (_rule, input, shown) => {
    expect(clean([written(input)])).toBe(shown)
    // Independent of how the input is divided into chunks.
    expect(clean(Array.from(written(input), byte => Uint8Array.of(byte)))).toBe(shown)
  })

  it('a string that never ends does not swallow the rest', () => {
    expect(clean([written(`^]${'x'.repeat(5000)}\nend`)])).toMatch(/^x{900,}\nend$/)
  })

  it('a long line is given on before it ends', () => {
    const terminal = new TerminalText()
    expect(terminal.write(utf8('x'.repeat(200_000))).length).toBeGreaterThan(130_000)
    expect(terminal.line.length).toBeLessThan(65_536)
  })

  it('shows the line under way', () => {
    const terminal = new TerminalText()
    expect([textOf(terminal.write(utf8('a\n 10%'))), textOf(terminal.line)]).toEqual(['a\n', ' 10%'])
    expect([textOf(terminal.write(utf8('\r 20%'))), textOf(terminal.line)]).toEqual(['', ' 20%'])
  })

  it('never changes text that has no control characters, in any chunks', async () => {
    await forSeeds(200, random => {
      const text = Array.from({ length: random.below(200) }, () =>
        random.pick(['a', 'é', '→', '🎉', ' ', '\n', '\t', '[31m']),
      ).join('')
      const bytes = utf8(text)
      const chunks: Uint8Array[] = []
      for (let at = 0; at < bytes.length;) {
        const size = 1 + random.below(7)
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(clean(chunks)).toBe(text)
    })
  })
})
