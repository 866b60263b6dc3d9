// Looks for one byte, four at a time: the platform's own search takes twice as long on files of a few kilobytes, and has none for
// counting. Reads through the buffer of what it is given, within its bounds, and keeps nothing of it.

const lowBits = 0x01010101
const highBits = 0x80808080 | 0
const restBits = 0x7f7f7f7f

/** Whether `byte` is among the first `end` of `bytes`. */
export function holdsByte(bytes: Uint8Array, byte: number, end: number): boolean {
  const limit = Math.min(end, bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, limit)
  const wanted = Math.imul(byte, lowBits)
  let at = 0
  for (const last = limit - 16; at <= last; at += 16) {
    const first = view.getInt32(at, true) ^ wanted
    const second = view.getInt32(at + 4, true) ^ wanted
    const third = view.getInt32(at + 8, true) ^ wanted
    const fourth = view.getInt32(at + 12, true) ^ wanted
    // A byte that is 0 borrows from the one above it; what borrows wrongly does so only above a byte that is 0.
    const zeros =
      ((first - lowBits) & ~first) |
      ((second - lowBits) & ~second) |
      ((third - lowBits) & ~third) |
      ((fourth - lowBits) & ~fourth)
    if ((zeros & highBits) !== 0) return true
  }
  for (; at < limit; at++) if (bytes[at] === byte) return true
  return false
}

/** `ascii` is text too. */
export type TextProbe = 'binary' | 'text' | 'ascii'

/** What the first `end` of `bytes` are: `binary` where there is a null byte. One look, because every search takes it at every file. */
export function probeText(bytes: Uint8Array, end: number): TextProbe {
  const limit = Math.min(end, bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, limit)
  let isAscii = true
  let at = 0
  for (const last = limit - 16; at <= last; at += 16) {
    const first = view.getInt32(at, true)
    const second = view.getInt32(at + 4, true)
    const third = view.getInt32(at + 8, true)
    const fourth = view.getInt32(at + 12, true)
    const all = first | second | third | fourth
    const lowered = (first - lowBits) | (second - lowBits) | (third - lowBits) | (fourth - lowBits)
    // Of bytes from 1 to 127 neither has a high bit.
    if (((all | lowered) & highBits) === 0) continue
    if ((all & highBits) === 0) return 'binary'
    isAscii = false
    const zeros =
      ((first - lowBits) & ~first) |
      ((second - lowBits) & ~second) |
      ((third - lowBits) & ~third) |
      ((fourth - lowBits) & ~fourth)
    if ((zeros & highBits) !== 0) return 'binary'
  }
  for (; at < limit; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 0) return 'binary'
    if (byte >= 0x80) isAscii = false
  }
  return isAscii ? 'ascii' : 'text'
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** How often `byte` is there from `start` to before `end`. Who counts often makes one view ({@link viewOf}) for all. */
export function countByte(view: DataView, byte: number, start: number, end: number): number {
  const wanted = Math.imul(byte, lowBits)
  let count = 0
  let at = start
  while (end - at >= 4) {
    // Each of four lanes counts to 255.
    const stop = Math.min(at + 4 * 255, end - 3)
    let lanes = 0
    for (; at < stop; at += 4) {
      const four = view.getInt32(at, true) ^ wanted
      lanes = (lanes + (~(((four & restBits) + restBits) | four | restBits) >>> 7)) | 0
    }
    count += (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
  }
  for (; at < end; at++) if (view.getUint8(at) === byte) count++
  return count
}

/** Where 16 bytes begin, from `start` on, of which one is beyond ASCII, or that byte itself near the end; -1 when all are ASCII. */
export function foreignRunFrom(bytes: Uint8Array, start: number): number {
  const view = viewOf(bytes)
  let at = start
  for (const last = bytes.length - 16; at <= last; at += 16) {
    const all = view.getInt32(at, true) | view.getInt32(at + 4, true) | view.getInt32(at + 8, true) | view.getInt32(at + 12, true)
    if ((all & highBits) !== 0) return at
  }
  for (; at < bytes.length; at++) if ((bytes[at] ?? 0) >= 0x80) return at
  return -1
}
