/** The lengths and bits of a canonical prefix code. The bits are reversed, as they are written. */
export class PrefixCode {
  readonly sizes: Uint8Array
  readonly bits: Uint16Array
  readonly counts: Uint32Array
  readonly #maxSize: number
  readonly #keys: Uint32Array
  readonly #weights: Uint32Array
  readonly #perSize = new Uint16Array(64)
  readonly #next = new Uint16Array(17)

  constructor(symbolCount: number, maxSize: number) {
    this.sizes = new Uint8Array(symbolCount)
    this.bits = new Uint16Array(symbolCount)
    this.counts = new Uint32Array(symbolCount)
    this.#keys = new Uint32Array(symbolCount)
    this.#weights = new Uint32Array(symbolCount)
    this.#maxSize = maxSize
  }

  /** Makes the code for `counts`. */
  build(): void {
    const { counts, sizes } = this
    sizes.fill(0)
    let used = 0
    for (let symbol = 0; symbol < counts.length; symbol++)
      if (counts[symbol] !== 0) this.#keys[used++] = ((counts[symbol] as number) << 9) | symbol
    if (used === 0) return
    if (used === 1) sizes[(this.#keys[0] as number) & 511] = 1
    else this.#assign(this.#keys.subarray(0, used).sort())
    this.assignBits()
  }

  /** Sizes from counts in rising order: a tree of Huffman, built in place, then made flat enough. */
  #assign(keys: Uint32Array): void {
    const used = keys.length
    const weights = this.#weights
    for (let at = 0; at < used; at++) weights[at] = (keys[at] as number) >>> 9
    // Joins the two lightest each time. What was joined becomes the number of its parent.
    let leaf = 0
    let joined = 0
    for (let at = 0; at < used - 1; at++) {
      let weight = 0
      for (let side = 0; side < 2; side++) {
        if (leaf < used && (joined >= at || (weights[leaf] as number) < (weights[joined] as number))) {
          weight += weights[leaf++] as number
        } else {
          weight += weights[joined] as number
          weights[joined++] = at
        }
      }
      weights[at] = weight
    }
    // From parents to depths.
    weights[used - 2] = 0
    for (let at = used - 3; at >= 0; at--) weights[at] = (weights[weights[at] as number] as number) + 1
    const perSize = this.#perSize.fill(0)
    let open = 1
    let inner = used - 2
    for (let depth = 0; open > 0; depth++) {
      let innerCount = 0
      while (inner >= 0 && weights[inner] === depth) {
        innerCount++
        inner--
      }
      const size = Math.min(depth, this.#maxSize)
      perSize[size] = (perSize[size] as number) + open - innerCount
      open = innerCount * 2
    }
    this.#flatten(perSize)
    let at = used
    for (let size = 1; size <= this.#maxSize; size++)
      for (let count = perSize[size] as number; count > 0; count--) this.sizes[(keys[--at] as number) & 511] = size
  }

  /** Codes that were cut to the greatest size leave too little room: shorter ones give way until all fit. */
  #flatten(perSize: Uint16Array): void {
    const max = this.#maxSize
    let room = 0
    for (let size = 1; size <= max; size++) room += (perSize[size] as number) << (max - size)
    for (; room > 1 << max; room--) {
      perSize[max] = (perSize[max] as number) - 1
      for (let size = max - 1; size > 0; size--) {
        if (perSize[size] === 0) continue
        perSize[size] = (perSize[size] as number) - 1
        perSize[size + 1] = (perSize[size + 1] as number) + 2
        break
      }
    }
  }

  assignBits(): void {
    const { sizes, bits } = this
    const next = this.#next.fill(0)
    for (let symbol = 0; symbol < sizes.length; symbol++) {
      const above = (sizes[symbol] as number) + 1
      if (above > 1) next[above] = (next[above] as number) + 1
    }
    for (let size = 1; size < 17; size++) next[size] = ((next[size - 1] as number) + (next[size] as number)) << 1
    for (let symbol = 0; symbol < sizes.length; symbol++) {
      const size = sizes[symbol] as number
      if (size === 0) continue
      let code = next[size] as number
      next[size] = code + 1
      let reversed = 0
      for (let bit = 0; bit < size; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1)
      bits[symbol] = reversed
    }
  }

  /** The bits that the counted symbols take. */
  cost(): number {
    let cost = 0
    for (let symbol = 0; symbol < this.counts.length; symbol++)
      cost += (this.counts[symbol] as number) * (this.sizes[symbol] as number)
    return cost
  }
}
