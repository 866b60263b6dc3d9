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

export interface CharacterRequest {
  readonly count: number
  readonly delimiter: number | undefined
  /** Counts bytes, not characters. */
  readonly isInBytes: boolean
  /** A backslash and what it quotes are one character, and a newline after it is none. */
  readonly hasEscapes: boolean
}

const backslash = 92
const newline = 10

/** Reads at most `count` characters, and stops at the delimiter, if one is given. */
export async function readCharacters(file: OpenFile | undefined, request: CharacterRequest): Promise<Line | undefined> {
  if (file?.canRead !== true) return undefined
  const { count, delimiter, isInBytes, hasEscapes } = request
  const bytes: number[] = []
  let characters = 0
  let isQuoted = false
  for (;;) {
    const part = await file.read()
    if (part === undefined) return bytes.length === 0 ? undefined : { bytes: Uint8Array.from(bytes), isComplete: false }
    for (const [index, byte] of part.entries()) {
      const begins = isInBytes || (byte & 0xc0) !== 0x80
      // After `count` characters, a byte that begins another character is left for the next reader.
      if (begins && characters === count) {
        file.unread(part.subarray(index))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
      if (byte === delimiter && !isQuoted) {
        file.unread(part.subarray(index + 1))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
      bytes.push(byte)
      const isBackslash: boolean = hasEscapes && !isQuoted && byte === backslash
      if (begins && !isBackslash && !(isQuoted && byte === newline)) characters += 1
      isQuoted = isBackslash
      if (characters === count && (isInBytes || byte < 0x80)) {
        file.unread(part.subarray(index + 1))
        return { bytes: Uint8Array.from(bytes), isComplete: true }
      }
    }
  }
}
