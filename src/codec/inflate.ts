// Inflates what may lie about its size: output is counted while it comes, and input goes in slices that cannot swell far.

import { Inflate } from 'fflate'

import { damaged, CodecError } from './error.ts'

/** More than deflate can reach: 258 bytes for two bits. */
const maxRatio = 1040
/** One slice becomes at most about 4 MiB. */
const sliceBytes = 4096

/**
 * Returns exactly `sizeBytes` of content, and yields after each slice, so that the caller can let others run. Throws `CodecError`;
 * `name` stands in its message.
 */
export function* inflateInSteps(packed: Uint8Array, sizeBytes: number, name: string): Generator<undefined, Uint8Array> {
  const isShorter = (): CodecError => damaged(`${JSON.stringify(name)} is shorter than it says`)
  // The size is only a claim, so it is held against what can be before there is memory for it.
  if (sizeBytes > packed.length * maxRatio) throw isShorter()
  const content = new Uint8Array(sizeBytes)
  let length = 0
  yield* inflateInto(packed, name, piece => {
    if (length + piece.length > sizeBytes) throw damaged(`${JSON.stringify(name)} is larger than it says`)
    content.set(piece, length)
    length += piece.length
  })
  if (length !== sizeBytes) throw isShorter()
  return content
}

function* inflateInto(packed: Uint8Array, name: string, onPiece: (piece: Uint8Array) => void): Generator<undefined, void> {
  const inflater = new Inflate(piece => onPiece(piece))
  for (let start = 0; start < packed.length; start += sliceBytes) {
    try {
      inflater.push(packed.subarray(start, start + sliceBytes), start + sliceBytes >= packed.length)
    } catch (error) {
      throw codecErrorOf(error, name)
    }
    yield
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
