// Inflates what may lie about its size: output is counted while it comes, and input goes in slices that cannot swell far.

import { Inflate } from 'fflate'

import { joinBytes } from '../core/bytes.ts'
import { damaged, CodecError } from './error.ts'

/** One slice becomes at most about 4 MiB. */
const sliceBytes = 4096

/** Exactly `sizeBytes` of content. Throws `CodecError`; `name` stands in its message. */
export function inflateExactly(packed: Uint8Array, sizeBytes: number, name: string): Uint8Array {
  const pieces: Uint8Array[] = []
  let length = 0
  // Not made at once: the size is only a claim.
  inflateInto(packed, name, piece => {
    length += piece.length
    if (length > sizeBytes) throw damaged(`${JSON.stringify(name)} is larger than it says`)
    pieces.push(piece.slice())
  })
  if (length !== sizeBytes) throw damaged(`${JSON.stringify(name)} is shorter than it says`)
  return joinBytes(pieces, length)
}

function inflateInto(packed: Uint8Array, name: string, onPiece: (piece: Uint8Array) => void): void {
  const inflater = new Inflate(piece => onPiece(piece))
  try {
    for (let start = 0; start < packed.length; start += sliceBytes) {
      inflater.push(packed.subarray(start, start + sliceBytes), start + sliceBytes >= packed.length)
    }
  } catch (error) {
    throw codecErrorOf(error, name)
  }
}

/** The library numbers its errors, and reads past the end of a table that is damaged. */
export function codecErrorOf(error: unknown, name: string): unknown {
  if (error instanceof CodecError) return error
  const isLibrary = error instanceof Error && 'code' in error && typeof error.code === 'number'
  return isLibrary || error instanceof RangeError || error instanceof TypeError
    ? damaged(`${JSON.stringify(name)} cannot be inflated`)
    : error
}
