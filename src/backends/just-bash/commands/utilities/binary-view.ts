// Reads numbers and text out of the bytes of a binary format. What lies beyond the end reads as zero, or as no text.

import { latin1Text } from '../../encoding.ts'

export interface BinaryView {
  readonly length: number
  byte(offset: number): number
  short(offset: number, isLittle?: boolean): number
  /** Four bytes as a number. */
  long(offset: number, isLittle?: boolean): number
  text(start: number, end: number): string
}

export function viewOf(bytes: Uint8Array): BinaryView {
  const number = (offset: number, length: number, isLittle: boolean): number => {
    let sum = 0
    for (let index = 0; index < length; index += 1)
      sum = sum * 256 + (bytes[offset + (isLittle ? length - 1 - index : index)] ?? 0)
    return sum
  }
  return {
    length: bytes.length,
    byte: offset => bytes[offset] ?? 0,
    short: (offset, isLittle = false) => number(offset, 2, isLittle),
    long: (offset, isLittle = false) => number(offset, 4, isLittle),
    text: (start, end) => latin1Text(bytes.subarray(start, end)),
  }
}

/** The text up to the first zero byte. */
export function zeroEnded(view: BinaryView, start: number, most = 4096): string {
  const text = view.text(start, start + most)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
