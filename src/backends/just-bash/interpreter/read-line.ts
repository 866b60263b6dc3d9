// Reads up to a delimiter and no further, so that the remaining bytes are available to the next reader.

import { PendingInput } from '../../../shell/commands.ts'
import type { OpenFile } from './descriptors.ts'

export interface Line {
  /** The content without the delimiter. */
  readonly bytes: Uint8Array
  /** Whether the delimiter was found or the requested number of characters was read. */
  readonly isComplete: boolean
}

/** Returns `undefined` at the end of input, or if the file is not readable. */
export async function readLine(file: OpenFile | undefined, delimiter: number): Promise<Line | undefined> {
  if (file?.canRead !== true) return undefined
  const pending = new PendingInput()
  for (let hasAny = false; ; hasAny = true) {
    const part = await file.read()
    if (part === undefined) return hasAny ? { bytes: pending.take(), isComplete: false } : undefined
    const end = part.indexOf(delimiter)
    pending.add(end < 0 ? part : part.subarray(0, end))
    if (end < 0) continue
    file.unread(part.subarray(end + 1))
    return { bytes: pending.take(), isComplete: true }
  }
}

/** Reads at most `count` characters, or with `isInBytes` bytes, and stops at the delimiter, if one is given. */
export async function readCharacters(
  file: OpenFile | undefined,
  count: number,
  delimiter: number | undefined,
  isInBytes: boolean,
): Promise<Line | undefined> {
  if (file?.canRead !== true) return undefined
  const bytes: number[] = []
  let characters = 0
  while (characters < count) {
    const part = await file.read()
    if (part === undefined) return bytes.length === 0 ? undefined : { bytes: Uint8Array.from(bytes), isComplete: false }
    for (const [index, byte] of part.entries()) {
      if (byte === delimiter) {
        file.unread(part.subarray(index + 1))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
      // After `count` characters, a byte that begins another character is left for the next reader.
      if (isInBytes || (byte & 0xc0) !== 0x80) characters += 1
      if (characters > count) {
        file.unread(part.subarray(index))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
      bytes.push(byte)
      const isWhole = characters === count && (isInBytes || byte < 0x80)
      if (isWhole) {
        file.unread(part.subarray(index + 1))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
    }
  }
  return { bytes: Uint8Array.from(bytes), isComplete: true }
}
