// If two streams are stored as one, each may end a chunk within a character. This module keeps the bytes of a character together,
// so that the joined bytes are as valid as each stream. Bytes that are not UTF-8 are not changed.

import { joinBytes } from '../core/bytes.ts'
import type { OutputChunk } from './shell.ts'

type Channel = OutputChunk['channel']

export interface CharacterJoiner {
  /** Passes on complete characters. Up to three bytes of an incomplete one are held back. */
  add(chunk: OutputChunk): void
  /** Passes on the bytes that were held back. */
  end(): void
}

export function joinCharacters(give: (chunk: OutputChunk) => void): CharacterJoiner {
  const waiting = new Map<Channel, Uint8Array>()
  return {
    add: ({ channel, bytes }) => {
      const before = waiting.get(channel)
      const all = before === undefined ? bytes : joinBytes([before, bytes])
      const kept = unfinishedBytes(all)
      if (kept === 0) waiting.delete(channel)
      // The bytes are copied, because the writer may reuse its buffer.
      else waiting.set(channel, all.slice(all.length - kept))
      if (all.length > kept) give({ channel, bytes: all.subarray(0, all.length - kept) })
    },
    end: () => {
      for (const [channel, bytes] of waiting) give({ channel, bytes })
      waiting.clear()
    },
  }
}

/** The number of bytes at the end that belong to an incomplete character: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthFrom(byte) ? back : 0
  }
  return 0
}

function lengthFrom(firstByte: number): number {
  if (firstByte >= 0xf8) return 0
  if (firstByte >= 0xf0) return 4
  return firstByte >= 0xe0 ? 3 : 2
}
