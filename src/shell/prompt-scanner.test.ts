// Marks are found wherever the output is cut, and everything else passes.
import { expect, it } from 'vitest'
import { bashMarks, jshMarks, type PromptMark, type PromptScanner } from './prompt-scanner.ts'

const bash = (): PromptScanner => bashMarks('s1').scanner
const rows: readonly (readonly [name: string, make: () => PromptScanner, output: string, shown: string])[] = [
  ['a prompt of bash', bash, 'out\x1b]697;s1;3;/w/a b\x07$ ', 'out{exit 3}{prompt /w/a b}$ '],
  ['a command of bash', bash, 'echo\x1b]697;s1;b\x07out', 'echo{begin}out'],
  ['another secret', bash, '\x1b]697;s2;3;/\x07', '\x1b]697;s2;3;/\x07'],
  ['other sequences', bash, '\x1b[31mred\x1b]0;title\x07\x1b', '\x1b[31mred\x1b]0;title\x07\x1b'],
  ['a mark that is no mark', bash, '\x1b]697;s1;what\x07x', 'x'],
  ['jsh', jshMarks, '\x1b]654;interactive\x07\x1b]654;prompt\x07❯ \x1b]654;exit=-1:2\x07', '{prompt }❯ {exit 2}'],
  ['a mark that never ends', jshMarks, `\x1b]654;${'x'.repeat(20_000)}`, `\x1b]654;${'x'.repeat(20_000)}`],
]

function shown(part: Uint8Array | PromptMark): string {
  if (part instanceof Uint8Array) return String.fromCharCode(...part)
  return `{${part.kind}${part.kind === 'exit' ? ` ${part.code}` : part.kind === 'prompt' ? ` ${part.cwd ?? ''}` : ''}}`
}

it.each(rows)('%s', (_name, make, output, expected) => {
  const bytes = new TextEncoder().encode(output)
  const wanted = String.fromCharCode(...new TextEncoder().encode(expected))
  for (const size of [1, 2, 3, 7, 100, 30_000]) {
    const scanner = make()
    let all = ''
    for (let at = 0; at < bytes.length; at += size)
      all += scanner
        .add(bytes.subarray(at, at + size))
        .map(shown)
        .join('')
    expect(all + shown(scanner.end()), `cut every ${size} bytes`).toBe(wanted)
  }
})
