// Long work on large inputs, done in parts of bounded size. Between parts others run, and an abort takes effect.

import { decodeText } from '../../../shell/byte-text.ts'
import { latin1Bytes, latin1Text } from '../encoding.ts'
import { letOthersRun } from './stop.ts'

/** The amount of work between two pauses, in bytes or characters that are copied or searched: a few milliseconds. */
const unitsPerPart = 256 * 1024

/** Divides long work into parts of bounded size. Between parts others run, and an abort takes effect. */
export class Pace {
  #left = unitsPerPart
  readonly #rest: () => Promise<void>

  /** `rest` lets others run. It throws if the script has ended. */
  constructor(rest: () => Promise<void>) {
    this.#rest = rest
  }

  /**
   * Counts work of `units` characters. If it returns true, the caller must await `rest`. It is synchronous, because waiting after
   * each line would take more time than the line.
   */
  isDue(units: number): boolean {
    this.#left -= units
    return this.#left <= 0
  }

  async rest(): Promise<void> {
    this.#left = unitsPerPart
    await this.#rest()
  }
}

export function paceOf(signal: AbortSignal): Pace {
  return new Pace(() => letOthersRun(signal))
}

/** Calls `work` with consecutive parts of a text of `length` characters, of at most `size` characters each. */
export async function inParts(
  length: number,
  pace: Pace,
  work: (from: number, to: number) => void,
  size: number = unitsPerPart,
): Promise<void> {
  for (let from = 0; from < length; from += size) {
    work(from, Math.min(length, from + size))
    if (pace.isDue(size)) await pace.rest()
  }
}

/** Cuts `text` into parts of bounded size, never within a character. */
export function* partsOf(text: string, size: number = unitsPerPart): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + size
    if ((text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to += 1
    yield text.slice(from, to)
  }
}

/** Splits `text` at each `end`, like `split`. A delimiter at the end of the text leaves no empty last part. */
export async function splitInParts(text: string, end: string, pace: Pace): Promise<string[]> {
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    const found = text.indexOf(end, from)
    const to = found < 0 ? text.length : found
    parts.push(text.slice(from, to))
    if (pace.isDue(to - from + unitsPerItem)) await pace.rest()
    from = to + end.length
  }
  return parts
}

/** What one item of a list costs beside its characters. */
export const unitsPerItem = 64

/** Like `join`, for lists of any length. */
export async function joinInParts(texts: readonly string[], joiner: string, pace: Pace): Promise<string> {
  const parts: string[] = []
  for (let from = 0; from < texts.length; from += itemsPerPart) {
    const part = texts.slice(from, from + itemsPerPart).join(joiner)
    parts.push(part)
    if (pace.isDue(part.length + itemsPerPart)) await pace.rest()
  }
  return parts.join(joiner)
}

const itemsPerPart = 4096

/** Like `latin1Text`, for bytes of any number. */
export async function byteTextInParts(bytes: Uint8Array, pace: Pace): Promise<string> {
  const parts: string[] = []
  await inParts(bytes.length, pace, (from, to) => parts.push(latin1Text(bytes.subarray(from, to))))
  return parts.join('')
}

/** Like `latin1Bytes`, for a text of any length. */
export async function bytesInParts(text: string, pace: Pace): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(text.length)
  await inParts(text.length, pace, (from, to) => bytes.set(latin1Bytes(text.slice(from, to)), from))
  return bytes
}

/** Like `decodeText`, for bytes of any number. */
export async function decodeInParts(bytes: Uint8Array, pace: Pace): Promise<string> {
  if (bytes.length <= unitsPerPart) return decodeText(bytes)
  const parts: string[] = []
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = characterStart(bytes, from + unitsPerPart)
    parts.push(decodeText(bytes.subarray(from, to)))
    if (pace.isDue(to - from)) await pace.rest()
  }
  return parts.join('')
}

/** Where the UTF-8 character that `at` is in begins. In bytes that are no UTF-8 it is `at`. */
export function characterStart(bytes: Uint8Array, at: number): number {
  for (let start = at; start > at - 4; start--) if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start
  return at
}
