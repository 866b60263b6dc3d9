import { describe, expect, it } from 'vitest'

import { defaultLimits } from '../../../core/limits.ts'
import { OutputStore } from '../../../session/outputs.ts'
import { Capture } from '../../../shell/capture.ts'
import { headBytes, showOutput, type ShownOutput } from './render.ts'

const lines = (count: number, width = 3): string =>
  Array.from({ length: count }, (_, index) => `${String(index + 1).padStart(width, '.')}\n`).join('')

/** What a command that said `output` shows, with `captureBytes` held of it. */
function shown(output: string, captureBytes = 1e6, isStillOpen = false): ShownOutput {
  const capture = new Capture(captureBytes, headBytes)
  const bytes = new TextEncoder().encode(output)
  capture.add({ channel: 'stdout', bytes })
  const kept = new OutputStore({ maxMemoryBytes: 1e8, maxStoredBytes: 0 }).open('x')
  void kept.write(bytes)
  kept.end()
  const { droppedBytes, head, totalBytes, totalLines } = capture
  return showOutput(
    {
      ...capture.text(),
      droppedBytes,
      head,
      totalBytes,
      totalLines,
      isStillOpen,
      kept,
      exit: { kind: 'exited', code: 0 },
      wallTimeMs: 1,
      changed: { attribution: 'exact', created: [], modified: [], deleted: [], total: 0, isCut: false },
    },
    { ...defaultLimits, bashMaxLines: 30, bashMaxBytes: 4000 },
  )
}

describe('what is shown of an output', () => {
  it.each([
    ['nothing', '', ''],
    ['all of a short one', 'a\nb', 'a\nb'],
    ['exactly the limit', lines(30), lines(30)],
    ['CRLF as it is', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ])('%s', (_name, output, text) => {
    expect(shown(output)).toEqual({ text, notes: [], details: {} })
  })

  it.each([
    [
      'its ends, when lines are many',
      lines(100),
      /^\.\.1\n[^]*\n\.20\n\n\[… 200B left out …\]\n\n\.71\n[^]*\n100\n$/,
      '71-100 of 100',
    ],
    ['the line before the end, when one is too many', lines(31), /^\.\.2\n[^]*\n\.31\n$/, '2-31 of 31'],
    ['the end alone, when nothing would lie between', lines(35), /^\.\.6\n[^]*\.35\n$/, '6-35 of 35'],
    [
      'whole lines of the beginning',
      lines(100, 300),
      /^\.+1\n\.+2\n\.+3\n\.+4\n\.+5\n\.+6\n\n\[… [\d.]+KB left out …\]\n\n\.+88\n[^]*100\n$/,
      '88-100 of 100 (3.9KB limit)',
    ],
    [
      'both ends of one long line',
      `<${'é'.repeat(9000)}>`,
      /^<é{1023}\n\n\[… 11\.7KB left out …\]\n\né+>$/,
      '1-1 of 1 (3.9KB limit)',
    ],
    [
      'the beginning of a long first line',
      `${'x'.repeat(9000)}\n${lines(40)}`,
      /^x{2048}\n\n\[… 6\.8KB left out …\]\n\n\.11\n[^]*\.40\n$/,
      '12-41 of 41',
    ],
  ])('%s', (_name, output, text, range) => {
    const { text: said, notes, details } = shown(output)
    expect(said).toMatch(text)
    expect(notes[0]).toContain(`[Showing lines ${range}`)
    expect(notes[0]).toContain('Whole output: read artifact://1.')
    expect(details).toMatchObject({ fullOutputPath: 'artifact://1', truncation: { truncated: true } })
  })

  it('the same, however little of it is held', () => {
    const output = lines(5000, 40)
    expect(shown(output, 8000)).toEqual(shown(output))
  })

  it('that something still holds it open', () => {
    expect(shown('a', 100, true).notes).toEqual([expect.stringContaining('left running')])
  })
})
