// A structured clone of a view copies the whole buffer behind it, and a transfer takes the buffer away from its owner. So bytes are sent in
// one of two forms only: small and exact, or in a buffer that we own.

import { transfer } from 'comlink'
import { taken } from '../core/taken.ts'

/** From this size on a transfer is cheaper than a clone (measured). */
const transferFromBytes = 64 * 1024

function fillsItsBuffer(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
}

/** Bytes that the caller gave up: by the port's contract of `read`, no other code holds them. */
export function giveBytes(bytes: Uint8Array): Uint8Array {
  const exact = fillsItsBuffer(bytes) ? bytes : new Uint8Array(bytes)
  return exact.byteLength >= transferFromBytes ? transfer(exact, [exact.buffer]) : exact
}

/**
 * Arguments with bytes. Those that the caller gives away (`isGiven`) are transferred. Others stay with their owner: large ones are copied
 * once, and the copy is transferred.
 */
export function sendBytes(args: readonly unknown[], isGiven = false): readonly unknown[] {
  const buffers: ArrayBuffer[] = []
  const sent = args.map(value => {
    if (!(value instanceof Uint8Array)) return value
    if (!isGiven && value.byteLength < transferFromBytes && fillsItsBuffer(value)) return value
    const own = isGiven ? taken(value) : new Uint8Array(value)
    if (own.byteLength >= transferFromBytes) buffers.push(own.buffer)
    return own
  })
  return buffers.length > 0 ? transfer(sent, buffers) : sent
}
