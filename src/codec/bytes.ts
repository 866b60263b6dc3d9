// Bytes that are read in ranges, from any source.

import { damaged } from './error.ts'

export interface RangeReader {
  readonly sizeBytes: number
  /** From `start` up to `end`; fewer where the bytes end. */
  read(start: number, end: number): Promise<Uint8Array>
}

export function readerOf(bytes: Uint8Array): RangeReader {
  return { sizeBytes: bytes.length, read: (start, end) => Promise.resolve(bytes.subarray(start, end)) }
}

/** Throws `CodecError` when there are not as many. */
export async function readExactly(reader: RangeReader, start: number, end: number, what: string): Promise<Uint8Array> {
  const bytes = start >= 0 && end <= reader.sizeBytes ? await reader.read(start, end) : new Uint8Array()
  if (bytes.length !== end - start) throw damaged(`${what} is cut off`)
  return bytes
}
