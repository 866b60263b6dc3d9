import { describe, expect, test } from 'vitest'
import { forSeeds } from '../../testing/random.ts'
import { createFrameReader, type Frame } from './frames.ts'

function read(pieces: readonly string[]): readonly Frame[] {
  const reader = createFrameReader()
  return pieces.flatMap(piece => reader.add(piece))
}

const line = (frame: object): string => `@a ${JSON.stringify(frame)}\r\n`

describe('frames', () => {
  test.each<[string, string, Frame]>([
    ['output', line({ c: 1, b: 'AP8=' }), { kind: 'output', channel: 'stdout', bytes: Uint8Array.of(0, 255) }],
    ['errors', line({ c: 2, b: '' }), { kind: 'output', channel: 'stderr', bytes: new Uint8Array() }],
    ['an exit', line({ x: { code: 3 } }), { kind: 'exit', exit: { kind: 'exited', code: 3 } }],
    ['a signal', line({ x: { signal: 'SIGKILL' } }), { kind: 'exit', exit: { kind: 'killed', signal: 'SIGKILL' } }],
    ['a time-out', line({ x: { timedOut: true } }), { kind: 'exit', exit: { kind: 'timed-out' } }],
    ['one that could not be ended', line({ x: { stuck: true } }), { kind: 'exit', exit: { kind: 'stuck' } }],
    ['one that is not there', line({ x: { missing: true } }), { kind: 'exit', exit: { kind: 'missing', why: undefined } }],
    ['a probe', line({ p: { code: 0, output: 'a\n' } }), { kind: 'probe', code: 0, output: 'a\n' }],
    ['after a prompt', `❯ ${line({ x: { code: 0 } })}`, { kind: 'exit', exit: { kind: 'exited', code: 0 } }],
    ['a warning of Node', '(node:1) Warning: x\r\n', { kind: 'noise', text: '(node:1) Warning: x' }],
    ['damaged JSON', '@a {"c":1\n', { kind: 'noise', text: '@a {"c":1' }],
    ['no base64', '@a {"c":1,"b":"é"}\n', { kind: 'noise', text: '@a {"c":1,"b":"é"}' }],
    ['a channel that does not exist', '@a {"c":3,"b":""}\n', { kind: 'noise', text: '@a {"c":3,"b":""}' }],
  ])('%s', (_name, text, frame) => expect(read([text])).toEqual([frame]))

  test('any pieces say the same', () =>
    forSeeds(50, random => {
      const text = line({ c: 1, b: 'YWJj' }) + 'noise\r\n' + line({ c: 2, b: '/w==' }) + line({ x: { code: 0 } })
      const pieces: string[] = []
      for (let at = 0; at < text.length;) {
        const end = at + 1 + random.below(9)
        pieces.push(text.slice(at, end))
        at = end
      }
      expect(read(pieces)).toEqual(read([text]))
    }))

  test('a line that never ends is not kept', () => {
    const reader = createFrameReader()
    for (let turn = 0; turn < 100; turn++) expect(reader.add('x'.repeat(10_000))).toEqual([])
    expect(reader.rest().length).toBe(64 * 1024)
  })
})
