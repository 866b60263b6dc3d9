export class BitWriter {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1 << 16)
  length = 0
  #held = 0
  #heldBits = 0

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  /** At most 16 bits. The room must be there. */
  bits(value: number, count: number): void {
    this.#held |= value << this.#heldBits
    this.#heldBits += count
    while (this.#heldBits >= 8) {
      this.bytes[this.length++] = this.#held & 255
      this.#held >>>= 8
      this.#heldBits -= 8
    }
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.#heldBits > 0) this.bytes[this.length++] = this.#held & 255
    this.#held = 0
    this.#heldBits = 0
  }

  byte(value: number): void {
    this.bytes[this.length++] = value
  }
}
