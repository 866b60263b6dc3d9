// Zstandard frames. Checksums are not verified, because the library does not. It allocates any window size that a frame declares, so each
// frame is measured first. Source: RFC 8878.

import { Decompress } from 'fzstd'

import { joinBytes } from '../core/bytes.ts'
import { finished, type Steps } from '../core/in-steps.ts'
import { mostBytesOf } from './output.ts'
import { CodecError, damaged } from './error.ts'
import { isZstd } from './signatures.ts'

const sliceBytes = 65_536
const blockMaxBytes = 131_072

/** Throws `CodecError` for what is cut off, damaged, or larger than `maxBytes` when it is unpacked. */
export function unzstd(packed: Uint8Array, maxBytes: number): Uint8Array {
  return finished(unzstdInSteps(packed, maxBytes))
}

/** Like `unzstd`. */
export function* unzstdInSteps(packed: Uint8Array, maxBytes: number): Steps<Uint8Array> {
  if (!isZstd(packed)) throw damaged('it is not in zstd format')
  const mostBytes = mostBytesOf(packed.length, maxBytes)
  const pieces: Uint8Array[] = []
  let total = 0
  for (let start = 0; start < packed.length;) {
    const frame = measured(packed, start)
    if (frame.kind === 'content') {
      if ((frame.contentBytes ?? 0) > mostBytes - total) throw tooLarge(mostBytes)
      const bytes = withoutSpareWindow(packed.subarray(start, frame.end), frame, mostBytes)
      yield* unpackFrame(bytes, piece => {
        total += piece.length
        if (total > mostBytes) throw tooLarge(mostBytes)
        pieces.push(piece.slice())
      })
    }
    start = frame.end
  }
  return joinBytes(pieces, total)
}

function* unpackFrame(frame: Uint8Array, onPiece: (piece: Uint8Array) => void): Steps<void> {
  const decoder = new Decompress(onPiece)
  try {
    for (let start = 0; start < frame.length; start += sliceBytes) {
      decoder.push(frame.slice(start, start + sliceBytes), start + sliceBytes >= frame.length)
      yield
    }
  } catch (error) {
    if (error instanceof CodecError) throw error
    throw damaged(`the content is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
}

function tooLarge(mostBytes: number): CodecError {
  return new CodecError('limit', `it unpacks to more than ${mostBytes} bytes`)
}

type Frame =
  | { readonly kind: 'skipped'; readonly end: number }
  | {
      readonly kind: 'content'
      readonly end: number
      /** From its header, if it is there. */
      readonly contentBytes: number | undefined
      /** The window is as large as the content. */
      readonly isOneSegment: boolean
      /** An upper limit for what its blocks unpack to. */
      readonly mostBytes: number
    }

/** The frame that begins at `start`. Throws `CodecError`. */
function measured(packed: Uint8Array, start: number): Frame {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  if (start + 8 > packed.length) throw cutOff()
  const magic = view.getUint32(start, true)
  if (magic >>> 4 === 0x184d2a5) return { kind: 'skipped', end: endOf(start + 8 + view.getUint32(start + 4, true), packed) }
  if (magic !== 0xfd2fb528) throw damaged('there is something else behind a frame')
  const flags = packed[start + 4] ?? 0
  const isOneSegment = (flags & 0x20) !== 0
  const sizeAt = start + (isOneSegment ? 5 : 6) + ([0, 1, 2, 4][flags & 3] ?? 0)
  const sizeBytes = [isOneSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  let contentBytes = sizeBytes === 2 ? 256 : 0
  for (let index = 0; index < sizeBytes; index++) contentBytes += (packed[sizeAt + index] ?? 0) * 2 ** (8 * index)
  let at = sizeAt + sizeBytes
  let mostBytes = 0
  for (let isLast = false; !isLast;) {
    endOf(at + 3, packed)
    const header = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8) | ((packed[at + 2] ?? 0) << 16)
    const [kind, size] = [(header >> 1) & 3, header >> 3]
    isLast = (header & 1) === 1
    mostBytes += kind === 2 ? blockMaxBytes : size
    at = endOf(at + 3 + (kind === 1 ? 1 : size), packed)
  }
  if (sizeBytes > 0 && contentBytes > mostBytes) throw damaged('it is shorter than it says')
  const end = endOf(at + ((flags & 4) === 0 ? 0 : 4), packed)
  return { kind: 'content', end, contentBytes: sizeBytes === 0 ? undefined : contentBytes, isOneSegment, mostBytes }
}

function endOf(at: number, packed: Uint8Array): number {
  if (at > packed.length) throw cutOff()
  return at
}

function cutOff(): CodecError {
  return damaged('it is cut off')
}

/** No content refers back to before its start, so a larger window is unnecessary. */
function withoutSpareWindow(
  bytes: Uint8Array,
  { isOneSegment, mostBytes }: Extract<Frame, { readonly kind: 'content' }>,
  limitBytes: number,
): Uint8Array {
  if (isOneSegment) return bytes
  const enough = Math.min(mostBytes, limitBytes)
  const needed = Math.max(0, Math.ceil(Math.log2(enough)) - 10) << 3
  if (needed >= (bytes[5] ?? 0)) return bytes
  const copy = bytes.slice()
  copy[5] = needed
  return copy
}
