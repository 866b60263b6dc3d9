// Zstandard frames. Sums are not checked, because the library does not.

import { Decompress } from 'fzstd'

import { joinBytes } from '../core/bytes.ts'
import { CodecError, damaged } from './error.ts'
import { isZstd } from './signatures.ts'

const sliceBytes = 65_536

/** Throws `CodecError` for what is cut off, damaged, or larger than `maxBytes` when it is unpacked. */
export function unzstd(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (!isZstd(packed)) throw damaged('it does not begin as zstd does')
  const pieces: Uint8Array[] = []
  let total = 0
  const decoder = new Decompress(piece => {
    total += piece.length
    if (total > maxBytes) throw new CodecError('limit', `it unpacks to more than ${maxBytes} bytes`)
    pieces.push(piece.slice())
  })
  try {
    for (let start = 0; start < packed.length; start += sliceBytes) {
      decoder.push(packed.slice(start, start + sliceBytes), start + sliceBytes >= packed.length)
    }
  } catch (error) {
    if (error instanceof CodecError) throw error
    throw damaged(`the content is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
  return joinBytes(pieces, total)
}
