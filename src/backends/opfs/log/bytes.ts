// Numbers and text as bytes, little-endian. Counters without an upper bound are doubles, which are exact up to 2^53.

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Grows as it is written to. After `clear` it keeps its memory for the next use. */
export class ByteWriter {
  length = 0
  #bytes: Uint8Array
  #view: DataView

  constructor(capacityBytes = 4096) {
    this.#bytes = new Uint8Array(capacityBytes)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** What was written, until the next write. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  /** Discards the written bytes. Releases a buffer that one large commit needed, instead of keeping it for all small ones. */
  clear(): void {
    this.length = 0
    if (this.#bytes.length <= 8 * 1024 * 1024) return
    this.#bytes = new Uint8Array(4096)
    this.#view = new DataView(this.#bytes.buffer)
  }

  uint8(value: number): void {
    const at = this.#grow(1)
    this.#view.setUint8(at, value)
  }

  uint16(value: number): void {
    const at = this.#grow(2)
    this.#view.setUint16(at, value, true)
  }

  uint32(value: number): void {
    const at = this.#grow(4)
    this.#view.setUint32(at, value, true)
  }

  float64(value: number): void {
    const at = this.#grow(8)
    this.#view.setFloat64(at, value, true)
  }

  text(value: string): void {
    const at = this.#grow(4 + value.length * 3)
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(at + 4))
    this.#view.setUint32(at, written, true)
    this.length = at + 4 + written
  }

  raw(bytes: Uint8Array): void {
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
  }

  /** Fills in a value that was not known when its place was written. */
  setUint32(offset: number, value: number): void {
    this.#view.setUint32(offset, value, true)
  }

  /** Call this before using the buffer: it may replace the buffer. */
  #grow(sizeBytes: number): number {
    const at = this.length
    this.length += sizeBytes
    if (this.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, at))
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return at
  }
}

/** Reads what {@link ByteWriter} wrote. Throws `RangeError` beyond the end. The caller has checked the checksum before. */
export class ByteReader {
  #offset = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get leftBytes(): number {
    return this.#bytes.length - this.#offset
  }

  uint8(): number {
    return this.#view.getUint8(this.#step(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#step(2), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#step(4), true)
  }

  float64(): number {
    return this.#view.getFloat64(this.#step(8), true)
  }

  text(): string {
    const sizeBytes = this.uint32()
    const start = this.#step(sizeBytes)
    if (this.#offset > this.#bytes.length) throw new RangeError('the text is longer than what is there')
    return decoder.decode(this.#bytes.subarray(start, this.#offset))
  }

  #step(sizeBytes: number): number {
    const at = this.#offset
    this.#offset += sizeBytes
    return at
  }
}
