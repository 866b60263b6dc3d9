// SHA-1 (FIPS 180-4). Objects are small, and a call of WebCrypto takes longer than hashing one of them here.

const hexOf: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const schedule = new Int32Array(80)

/** Hashes bytes as they arrive. */
export class Sha1 {
  readonly #state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0])
  readonly #rest = new Uint8Array(64)
  #restLength = 0
  #length = 0

  update(bytes: Uint8Array): this {
    this.#length += bytes.length
    let at = 0
    if (this.#restLength > 0) {
      at = Math.min(64 - this.#restLength, bytes.length)
      this.#rest.set(bytes.subarray(0, at), this.#restLength)
      this.#restLength += at
      if (this.#restLength < 64) return this
      hashBlock(this.#state, this.#rest, 0)
      this.#restLength = 0
    }
    for (; at + 64 <= bytes.length; at += 64) hashBlock(this.#state, bytes, at)
    if (at < bytes.length) {
      this.#rest.set(bytes.subarray(at))
      this.#restLength = bytes.length - at
    }
    return this
  }

  /** The 20 bytes. Nothing may be added afterwards. */
  digest(): Uint8Array<ArrayBuffer> {
    const tail = new Uint8Array(this.#restLength < 56 ? 64 : 128)
    tail.set(this.#rest.subarray(0, this.#restLength))
    tail[this.#restLength] = 0x80
    const view = new DataView(tail.buffer)
    view.setUint32(tail.length - 8, Math.floor(this.#length / 0x20000000))
    view.setUint32(tail.length - 4, (this.#length << 3) >>> 0)
    for (let at = 0; at < tail.length; at += 64) hashBlock(this.#state, tail, at)
    const digest = new Uint8Array(20)
    const out = new DataView(digest.buffer)
    for (let word = 0; word < 5; word++) out.setInt32(word * 4, this.#state[word] ?? 0)
    return digest
  }

  hex(): string {
    return toHex(this.digest())
  }
}

export function toHex(bytes: Uint8Array, start: number = 0, end: number = bytes.length): string {
  let text = ''
  for (let at = start; at < end; at++) text += hexOf[bytes[at] ?? 0]
  return text
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = (digitOf(hex.charCodeAt(at * 2)) << 4) | digitOf(hex.charCodeAt(at * 2 + 1))
  return bytes
}

/** The value of a lower-case digit. */
function digitOf(code: number): number {
  return code < 58 ? code - 48 : code - 87
}

function hashBlock(state: Int32Array, bytes: Uint8Array, start: number): void {
  const words = schedule
  for (let index = 0, at = start; index < 16; index++, at += 4) {
    words[index] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)
  }
  for (let index = 16; index < 80; index++) {
    const mixed =
      (words[index - 3] as number) ^ (words[index - 8] as number) ^ (words[index - 14] as number) ^ (words[index - 16] as number)
    words[index] = (mixed << 1) | (mixed >>> 31)
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  // A loop for each function: one loop that chooses takes longer.
  for (let index = 0; index < 20; index++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + 0x5a827999 + e + (words[index] as number)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let index = 20; index < 40; index++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0x6ed9eba1 + e + (words[index] as number)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let index = 40; index < 60; index++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc + e + (words[index] as number)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let index = 60; index < 80; index++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0xca62c1d6 + e + (words[index] as number)) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  state[0] = ((state[0] as number) + a) | 0
  state[1] = ((state[1] as number) + b) | 0
  state[2] = ((state[2] as number) + c) | 0
  state[3] = ((state[3] as number) + d) | 0
  state[4] = ((state[4] as number) + e) | 0
}
