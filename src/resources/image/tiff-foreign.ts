// Checks the sizes that JPEG and Zstandard data in a TIFF declare against their strip or tile, because the decoders of other packages
// allocate whatever the data request. Source: ITU-T T.81, section B.2.2; RFC 8878, section 3.1.1.

import { ImageError, viewOf } from './pixels.ts'

/** How far a decoder may round up: whole blocks of the widest sampling. */
const jpegSlack = 32
const firstFrameMark = 0xc0
const lastFrameMark = 0xc3
const huffmanMark = 0xc4
const zstandardBlockBytes = 128 * 1024

/**
 * Throws `ImageError` for a frame that is larger than the part, at any position: coded data never contain the bytes of a frame marker, and
 * tables are very unlikely to contain them followed by a plausible size.
 */
export function checkJpeg(bytes: Uint8Array, { width, height }: { readonly width: number; readonly height: number }): void {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const mark = bytes[at + 1] ?? 0
    if (mark === huffmanMark) checkHuffman(bytes, at + 2)
    if (mark < firstFrameMark || mark > lastFrameMark || at + 10 > bytes.length) continue
    const view = viewOf(bytes.subarray(at))
    const [frameHeight, frameWidth, components] = [view.getUint16(5), view.getUint16(7), view.getUint8(9)]
    const fits = frameHeight > 0 && frameWidth > 0 && frameHeight <= height + jpegSlack && frameWidth <= width + jpegSlack
    if (!fits || components < 1 || components > 4)
      throw new ImageError('image-damaged', `a JPEG of it has ${frameWidth} × ${frameHeight} pixels`)
    for (let component = 0; component < components; component++) {
      const sampling = bytes[at + 11 + component * 3] ?? 0
      const [across, down] = [sampling >> 4, sampling & 15]
      if (across < 1 || across > 4 || down < 1 || down > 4)
        throw new ImageError('image-damaged', 'a JPEG in it has invalid samples')
    }
  }
}

/** A table with more codes than their lengths allow would make the decoder loop forever. */
function checkHuffman(bytes: Uint8Array, start: number): void {
  const end = start + (bytes[start] ?? 0) * 256 + (bytes[start + 1] ?? 0)
  for (let at = start + 2; at < end;) {
    let [code, sum] = [0, 0]
    for (let length = 1; length <= 16; length++) {
      const count = bytes[at + length] ?? 0
      code = code * 2 + count
      sum += count
      if (code > 2 ** length) throw new ImageError('image-damaged', 'a JPEG in it has an invalid Huffman table')
    }
    at += 17 + sum
    if (at > end || end > bytes.length) throw new ImageError('image-damaged', 'a JPEG in it ends inside a table')
  }
}

/** Throws `ImageError` if the blocks of the first frame could contain more than the part, or if data follow the frame. */
export function checkZstandard(bytes: Uint8Array, sizeBytes: number): void {
  const view = viewOf(bytes)
  const descriptor = view.getUint8(4)
  const isSingle = (descriptor & 32) !== 0
  const sizeField = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  let at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  if (sizeField >= 4 && view.getUint32(at, true) > sizeBytes)
    throw new ImageError('image-damaged', 'it declares a larger size than its part')
  at += sizeField
  let largest = 0
  for (let isLast = false; !isLast;) {
    const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    isLast = (head & 1) === 1
    const [kind, size] = [(head >> 1) & 3, head >> 3]
    largest += kind === 2 ? zstandardBlockBytes : size
    at += 3 + (kind === 1 ? 1 : size)
    if (largest > sizeBytes + 2 * zstandardBlockBytes)
      throw new ImageError('image-damaged', 'it contains more than its part of the picture')
  }
  if (at + ((descriptor & 4) === 0 ? 0 : 4) < bytes.length)
    throw new ImageError('image-damaged', 'something follows its last block')
}
