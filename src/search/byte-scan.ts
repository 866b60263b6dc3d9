// Searches for one byte, four at a time. The platform's search takes twice as long on files of a few kilobytes, and has no function for
// counting. Reads the buffer of its argument, within its bounds, and keeps no reference. Numbers are literals, because a module constant
// may become a variable in a bundle, which makes this a third slower.

/** Whether `byte` occurs from `start` to `end` (exclusive). */
export function holdsByte(view: DataView, byte: number, start: number, end: number): boolean {
  const wanted = Math.imul(byte, 0x01010101)
  let at = start
  for (const last = end - 16; at <= last; at += 16) {
    const first = view.getInt32(at, true) ^ wanted
    const second = view.getInt32(at + 4, true) ^ wanted
    const third = view.getInt32(at + 8, true) ^ wanted
    const fourth = view.getInt32(at + 12, true) ^ wanted
    if (((borrows(first) | borrows(second) | borrows(third) | borrows(fourth)) & 0x80808080) !== 0) return true
  }
  for (; at < end; at++) if (view.getUint8(at) === byte) return true
  return false
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** How often `byte` occurs from `start` to `end` (exclusive). For many calls, create one view ({@link viewOf}) and reuse it. */
export function countByte(view: DataView, byte: number, start: number, end: number): number {
  const wanted = Math.imul(byte, 0x01010101)
  let count = 0
  let at = start
  while (end - at >= 16) {
    // Each of four lanes can count to 255, and a step counts at most four.
    const stop = Math.min(at + 16 * 63, end - 15)
    let lanes = 0
    for (; at < stop; at += 16) {
      const first = view.getInt32(at, true) ^ wanted
      const second = view.getInt32(at + 4, true) ^ wanted
      const third = view.getInt32(at + 8, true) ^ wanted
      const fourth = view.getInt32(at + 12, true) ^ wanted
      lanes += zeroBytes(first) + zeroBytes(second) + zeroBytes(third) + zeroBytes(fourth)
      lanes |= 0
    }
    count += sumOfBytes(lanes)
  }
  for (; at < end; at++) if (view.getUint8(at) === byte) count++
  return count
}

/** {@link countByte} for line feeds; -1 if there is a `\r`. Takes hardly longer, because reading takes most of the time. */
export function countLineFeeds(view: DataView, start: number, end: number): number {
  let count = 0
  let at = start
  while (end - at >= 16) {
    const stop = Math.min(at + 16 * 63, end - 15)
    let lanes = 0
    let returns = 0
    for (; at < stop; at += 16) {
      const first = view.getInt32(at, true)
      const second = view.getInt32(at + 4, true)
      const third = view.getInt32(at + 8, true)
      const fourth = view.getInt32(at + 12, true)
      returns |=
        borrows(first ^ 0x0d0d0d0d) | borrows(second ^ 0x0d0d0d0d) | borrows(third ^ 0x0d0d0d0d) | borrows(fourth ^ 0x0d0d0d0d)
      lanes +=
        zeroBytes(first ^ 0x0a0a0a0a) +
        zeroBytes(second ^ 0x0a0a0a0a) +
        zeroBytes(third ^ 0x0a0a0a0a) +
        zeroBytes(fourth ^ 0x0a0a0a0a)
      lanes |= 0
    }
    if ((returns & 0x80808080) !== 0) return -1
    count += sumOfBytes(lanes)
  }
  for (; end - at >= 4; at += 4) {
    const four = view.getInt32(at, true)
    if ((borrows(four ^ 0x0d0d0d0d) & 0x80808080) !== 0) return -1
    count += sumOfBytes(zeroBytes(four ^ 0x0a0a0a0a))
  }
  for (; at < end; at++) {
    const byte = view.getUint8(at)
    if (byte === 13) return -1
    if (byte === 10) count++
  }
  return count
}

/** Position of the first line feed or `\r` from `start` on; the length if there is none. */
export function lineEndFrom(view: DataView, start: number): number {
  let at = start
  for (const last = view.byteLength - 4; at <= last; at += 4) {
    const four = view.getInt32(at, true)
    if (((borrows(four ^ 0x0a0a0a0a) | borrows(four ^ 0x0d0d0d0d)) & 0x80808080) !== 0) break
  }
  for (; at < view.byteLength; at++) {
    const byte = view.getUint8(at)
    if (byte === 10 || byte === 13) break
  }
  return at
}

function sumOfBytes(four: number): number {
  return (four & 255) + ((four >>> 8) & 255) + ((four >>> 16) & 255) + (four >>> 24)
}

/** Sets the high bit of a byte if a byte of `four` is 0, and no bit if none is: a zero byte borrows from the byte above it. */
function borrows(four: number): number {
  return (four - 0x01010101) & ~four
}

/** 1 in each byte where `four` has 0, and 0 in the others. */
function zeroBytes(four: number): number {
  return ~(((four & 0x7f7f7f7f) + 0x7f7f7f7f) | four | 0x7f7f7f7f) >>> 7
}

/** Position of the first run of 16 bytes with a non-ASCII byte, or of that byte itself near the end; -1 if all bytes are ASCII. */
export function foreignRunFrom(view: DataView, start: number): number {
  let at = start
  for (const last = view.byteLength - 16; at <= last; at += 16) {
    const all = view.getInt32(at, true) | view.getInt32(at + 4, true) | view.getInt32(at + 8, true) | view.getInt32(at + 12, true)
    if ((all & 0x80808080) !== 0) return at
  }
  for (; at < view.byteLength; at++) if (view.getUint8(at) >= 0x80) return at
  return -1
}
