// Texts of BIFF8: a count of characters, flags, and one or two bytes for each character.

/** The text at the start of `bytes`. @param countBytes how many bytes its count has */
export function unicodeText(bytes: Uint8Array, countBytes: 1 | 2 = 2): string {
  const count = (bytes[0] ?? 0) + (countBytes === 2 ? (bytes[1] ?? 0) * 256 : 0)
  const isWide = ((bytes[countBytes] ?? 0) & 1) !== 0
  const start = countBytes + 1
  return decode(bytes.subarray(start, start + count * (isWide ? 2 : 1)), isWide)
}

function decode(bytes: Uint8Array, isWide: boolean): string {
  return new TextDecoder(isWide ? 'utf-16le' : 'latin1').decode(bytes)
}

/** Consecutive texts in several records. A text that continues in the next record repeats its width there. */
export class SegmentedText {
  readonly #segments: readonly Uint8Array[]
  #segment = 0
  #at = 0

  constructor(segments: readonly Uint8Array[]) {
    this.#segments = segments
  }

  get isAtEnd(): boolean {
    this.#toNext()
    return this.#segment >= this.#segments.length
  }

  uint32(): number {
    return this.#byte() + this.#byte() * 0x100 + this.#byte() * 0x10000 + this.#byte() * 0x1000000
  }

  text(): string {
    let left = this.#uint16()
    const flags = this.#byte()
    const runs = (flags & 8) === 0 ? 0 : this.#uint16()
    const extraBytes = (flags & 4) === 0 ? 0 : this.uint32()
    let isWide = (flags & 1) !== 0
    let text = ''
    while (left > 0 && this.#segment < this.#segments.length) {
      const segment = this.#segments[this.#segment] ?? new Uint8Array()
      if (this.#at >= segment.length) {
        this.#segment++
        this.#at = 0
        if (this.#segment >= this.#segments.length) break
        isWide = (this.#byte() & 1) !== 0
        continue
      }
      const width = isWide ? 2 : 1
      const count = Math.min(left, Math.max(1, Math.floor((segment.length - this.#at) / width)))
      text += decode(segment.subarray(this.#at, this.#at + count * width), isWide)
      this.#at += count * width
      left -= count
    }
    this.#skip(runs * 4 + extraBytes)
    return text
  }

  #uint16(): number {
    return this.#byte() + this.#byte() * 0x100
  }

  #byte(): number {
    this.#toNext()
    return this.#segments[this.#segment]?.[this.#at++] ?? 0
  }

  #skip(bytes: number): void {
    let left = bytes
    while (left > 0) {
      this.#toNext()
      const segment = this.#segments[this.#segment]
      if (segment === undefined) return
      const here = Math.min(left, segment.length - this.#at)
      this.#at += here
      left -= here
    }
  }

  #toNext(): void {
    while (this.#segment < this.#segments.length && this.#at >= (this.#segments[this.#segment]?.length ?? 0)) {
      this.#segment++
      this.#at = 0
    }
  }
}
