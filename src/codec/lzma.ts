// LZMA: a range coder whose probabilities depend on what was decoded before. Source: the LZMA specification in the public domain LZMA SDK.

import { damaged, unsupported } from './error.ts'
import { DecoderOutput } from './output.ts'

const [topValue, modelBits, moveBits, startProbability] = [2 ** 24, 11, 5, 1024]
const [stateCount, positionStates, minimalMatch] = [12, 16, 2]

/** The bytes of one run of the range coder. */
class RangeDecoder {
  #range = 0xffffffff
  #code = 0
  #at: number
  readonly #bytes: Uint8Array
  readonly #end: number

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    if (this.#next() !== 0) throw damaged('its content is damaged')
    for (let count = 0; count < 4; count++) this.#code = ((this.#code << 8) | this.#next()) >>> 0
  }

  get position(): number {
    return this.#at
  }

  /** The coder ended where it had to. */
  get isAtEnd(): boolean {
    return this.#code === 0
  }

  bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index] ?? startProbability
    const bound = (this.#range >>> modelBits) * probability
    let bit = 0
    if (this.#code < bound) {
      this.#range = bound
      probabilities[index] = probability + ((2 ** modelBits - probability) >>> moveBits)
    } else {
      this.#range -= bound
      this.#code -= bound
      probabilities[index] = probability - (probability >>> moveBits)
      bit = 1
    }
    this.#normalize()
    return bit
  }

  direct(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--) {
      this.#range >>>= 1
      const isSet = this.#code >= this.#range
      if (isSet) this.#code -= this.#range
      value = value * 2 + (isSet ? 1 : 0)
      this.#normalize()
    }
    return value
  }

  tree(probabilities: Uint16Array, base: number, bits: number): number {
    let node = 1
    for (let left = bits; left > 0; left--) node = node * 2 + this.bit(probabilities, base + node)
    return node - (1 << bits)
  }

  reverseTree(probabilities: Uint16Array, base: number, bits: number): number {
    let node = 1
    let value = 0
    for (let index = 0; index < bits; index++) {
      const bit = this.bit(probabilities, base + node)
      node = node * 2 + bit
      value += bit << index
    }
    return value
  }

  #normalize(): void {
    if (this.#range >= topValue) return
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | this.#next()) >>> 0
  }

  #next(): number {
    if (this.#at >= this.#end) throw damaged('it is cut off')
    return this.#bytes[this.#at++] ?? 0
  }
}

class LengthModel {
  readonly #choice = fresh(2)
  readonly #low = fresh(positionStates << 3)
  readonly #middle = fresh(positionStates << 3)
  readonly #high = fresh(256)

  decode(range: RangeDecoder, positionState: number): number {
    if (range.bit(this.#choice, 0) === 0) return range.tree(this.#low, positionState << 3, 3)
    if (range.bit(this.#choice, 1) === 0) return 8 + range.tree(this.#middle, positionState << 3, 3)
    return 16 + range.tree(this.#high, 0, 8)
  }
}

export interface LzmaProperties {
  readonly literalContextBits: number
  readonly literalPositionBits: number
  readonly positionBits: number
}

/** From the byte that holds all three. */
export function lzmaProperties(byte: number): LzmaProperties {
  if (byte >= 225) throw unsupported('its properties are not those of LZMA')
  return { literalContextBits: byte % 9, literalPositionBits: Math.floor(byte / 9) % 5, positionBits: Math.floor(byte / 45) }
}

/** What an LZMA stream remembers from one piece to the next. */
export class LzmaDecoder {
  readonly #properties: LzmaProperties
  readonly #output: DecoderOutput
  readonly #windowStart: number
  readonly #literals: Uint16Array
  readonly #isMatch = fresh(stateCount * positionStates)
  readonly #isRepeat = fresh(stateCount)
  readonly #isRepeat0 = fresh(stateCount)
  readonly #isRepeat1 = fresh(stateCount)
  readonly #isRepeat2 = fresh(stateCount)
  readonly #isLongRepeat0 = fresh(stateCount * positionStates)
  readonly #slots = fresh(4 << 6)
  readonly #specialDistances = fresh(128)
  readonly #align = fresh(16)
  readonly #matchLength = new LengthModel()
  readonly #repeatLength = new LengthModel()
  #state = 0
  #distances: [number, number, number, number] = [0, 0, 0, 0]

  /** `windowStart`: the output before it cannot be referred to. */
  constructor(properties: LzmaProperties, output: DecoderOutput, windowStart: number) {
    this.#properties = properties
    this.#output = output
    this.#windowStart = windowStart
    this.#literals = fresh(0x300 << (properties.literalContextBits + properties.literalPositionBits))
  }

  /** Decodes `sizeBytes` bytes, or up to the end mark if it is not known. Returns where the packed bytes end. */
  decode(bytes: Uint8Array, start: number, end: number, sizeBytes: number | undefined): number {
    const range = new RangeDecoder(bytes, start, end)
    const output = this.#output
    const until = sizeBytes === undefined ? Number.POSITIVE_INFINITY : output.size + sizeBytes
    while (output.size < until) {
      const positionState = (output.size - this.#windowStart) & ((1 << this.#properties.positionBits) - 1)
      if (range.bit(this.#isMatch, this.#state * positionStates + positionState) === 0) {
        this.#literal(range)
        continue
      }
      const length = this.#reference(range, positionState)
      if (length === undefined) {
        if (sizeBytes !== undefined || !range.isAtEnd) throw damaged('it ends too early')
        return range.position
      }
      if (output.size + length > until) throw damaged('it is longer than it says')
      output.copy(this.#distances[0] + 1, length, this.#windowStart)
    }
    return range.position
  }

  #literal(range: RangeDecoder): void {
    const { literalContextBits, literalPositionBits } = this.#properties
    const output = this.#output
    const position = output.size - this.#windowStart
    const previous = position === 0 ? 0 : output.back(1)
    const context =
      ((position & ((1 << literalPositionBits) - 1)) << literalContextBits) + (previous >>> (8 - literalContextBits))
    const base = 0x300 * context
    let symbol = 1
    if (this.#state >= 7) {
      let match = output.back(this.#distances[0] + 1, this.#windowStart)
      while (symbol < 0x100) {
        const matchBit = (match >>> 7) & 1
        match <<= 1
        const bit = range.bit(this.#literals, base + ((1 + matchBit) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (matchBit !== bit) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(this.#literals, base + symbol)
    output.push(symbol & 0xff)
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6
  }

  /** The length of what is repeated from the first of the distances; `undefined` at the end mark. */
  #reference(range: RangeDecoder, positionState: number): number | undefined {
    const state = this.#state
    const [first, second, third, fourth] = this.#distances
    const isShort = state < 7
    if (range.bit(this.#isRepeat, state) === 0) {
      const length = this.#matchLength.decode(range, positionState)
      const distance = this.#distance(range, length)
      this.#distances = [distance, first, second, third]
      this.#state = isShort ? 7 : 10
      return distance === 0xffffffff ? undefined : length + minimalMatch
    }
    if (range.bit(this.#isRepeat0, state) === 0) {
      if (range.bit(this.#isLongRepeat0, state * positionStates + positionState) === 0) {
        this.#state = isShort ? 9 : 11
        return 1
      }
    } else if (range.bit(this.#isRepeat1, state) === 0) this.#distances = [second, first, third, fourth]
    else if (range.bit(this.#isRepeat2, state) === 0) this.#distances = [third, first, second, fourth]
    else this.#distances = [fourth, first, second, third]
    this.#state = isShort ? 8 : 11
    return this.#repeatLength.decode(range, positionState) + minimalMatch
  }

  #distance(range: RangeDecoder, length: number): number {
    const slot = range.tree(this.#slots, Math.min(length, 3) << 6, 6)
    if (slot < 4) return slot
    const directBits = (slot >>> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** directBits
    if (slot < 14) return base + range.reverseTree(this.#specialDistances, base - slot, directBits)
    return base + range.direct(directBits - 4) * 16 + range.reverseTree(this.#align, 0, 4)
  }
}

/** The older format of one file: properties, size of the dictionary, size of the content, content. Throws `CodecError`. */
export function unlzma(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (packed.length < 13) throw damaged('it is cut off')
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const size = view.getBigUint64(5, true)
  const isKnown = size !== 0xffffffffffffffffn
  const output = new DecoderOutput(maxBytes)
  const decoder = new LzmaDecoder(lzmaProperties(packed[0] ?? 255), output, 0)
  decoder.decode(packed, 13, packed.length, isKnown ? Number(size) : undefined)
  return output.slice(0)
}

function fresh(count: number): Uint16Array {
  return new Uint16Array(count).fill(startProbability)
}
