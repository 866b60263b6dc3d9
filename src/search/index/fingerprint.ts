// Identifies how this release turns texts into sets. A pack whose sets were made differently would exclude files that match. A version
// number might not be increased when a hash function changes, so the fingerprint is computed from the sets of a sample.

import { BlockIndex } from './block-index.ts'
import { checksumOf, newChecksum, updateChecksum } from './checksum.ts'
import { encodePack } from './pack.ts'

let known: number | undefined

export function indexFingerprint(): number {
  known ??= fingerprintOf(samples())
  return known
}

/** Includes everything that the index distinguishes: line endings, byte order marks, both cases, long lines, and invalid UTF-8. */
function samples(): readonly string[] {
  let state = 1
  const word = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state.toString(36 - (state >>> 28))
  }
  const line = (count: number): string => Array.from({ length: count }, word).join(' ')
  const lines = (count: number, ending: string): string => Array.from({ length: count }, () => line(8) + ending).join('')
  return [
    lines(150, '\n').repeat(2),
    `\uFEFF${lines(20, '\r\n')}`,
    lines(20, '\r'),
    `Case \u212A\u017F é 日本${line(200).repeat(80)}\n${lines(5, '\n')}`,
    'a\0b',
    '',
  ]
}

function fingerprintOf(texts: readonly string[]): number {
  const index = new BlockIndex()
  index.addFile('utf-16', '', Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0))
  for (const [number, text] of texts.entries()) index.addFile(String(number), '', new TextEncoder().encode(text))
  const steps = encodePack(index, 0)
  for (;;) {
    const step = steps.next()
    if (step.done !== true) continue
    const checksum = newChecksum()
    const words = new Uint32Array(step.value.buffer)
    updateChecksum(checksum, words, 0, words.length)
    return checksumOf(checksum)
  }
}
