// How much of one file is in another, in pieces of a line or 64 bytes, as git measures it to find renames.

import { looksBinary } from './file-pair.ts'

/** The score of equal files. */
export const maxScore = 60_000
const pieceMaxBytes = 64

/** The pieces of a file, each with the number of bytes in all its occurrences. */
export interface FilePieces {
  readonly sizeBytes: number
  readonly pieces: ReadonlyMap<string, number>
}

export function piecesOf(bytes: Uint8Array): FilePieces {
  const pieces = new Map<string, number>()
  const isText = !looksBinary(bytes)
  let piece = ''
  let length = 0
  const end = (): void => {
    if (length > 0) pieces.set(piece, (pieces.get(piece) ?? 0) + length)
    piece = ''
    length = 0
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    // A carriage return before a line feed is ignored.
    if (isText && byte === 0x0d && bytes[at + 1] === 0x0a) continue
    piece += String.fromCharCode(byte)
    length++
    if (byte === 0x0a || length === pieceMaxBytes) end()
  }
  end()
  return { sizeBytes: bytes.length, pieces }
}

/** From 0 to `maxScore`; also 0 if the sizes alone exclude `minimum`. */
export function similarity(source: FilePieces, target: FilePieces, minimum: number): number {
  const larger = Math.max(source.sizeBytes, target.sizeBytes)
  const difference = larger - Math.min(source.sizeBytes, target.sizeBytes)
  if (source.sizeBytes === 0 || target.sizeBytes === 0) return 0
  if (larger * (maxScore - minimum) < difference * maxScore) return 0
  let copied = 0
  for (const [piece, bytes] of source.pieces) copied += Math.min(bytes, target.pieces.get(piece) ?? 0)
  return Math.floor((copied * maxScore) / larger)
}
