// Detects accidental damage of a pack; it does not protect against forgery. A change within one word always changes the checksum; another
// change does not with a probability of 1 in 4,000 million. It computes four rows of words in parallel, because each step waits for the
// previous one.

export type Checksum = [number, number, number, number]

export function newChecksum(): Checksum {
  return [1, 2, 3, 4]
}

/** Adds `words` from `from` to `to` (exclusive). The division into calls matters, so both sides must divide in the same way. */
export function updateChecksum(checksum: Checksum, words: Uint32Array, from: number, to: number): void {
  let [first, second, third, fourth] = checksum
  let at = from
  for (; at + 4 <= to; at += 4) {
    first = mixed(first, words[at] ?? 0)
    second = mixed(second, words[at + 1] ?? 0)
    third = mixed(third, words[at + 2] ?? 0)
    fourth = mixed(fourth, words[at + 3] ?? 0)
  }
  for (; at < to; at++) first = mixed(first, words[at] ?? 0)
  checksum[0] = first
  checksum[1] = second
  checksum[2] = third
  checksum[3] = fourth
}

/** As an unsigned 32-bit number. */
export function checksumOf([first, second, third, fourth]: Checksum): number {
  return mixed(mixed(mixed(first, second), third), fourth) >>> 0
}

/** A bijection in `word` for each `state`, and the other way round, so that no difference is lost. */
function mixed(state: number, word: number): number {
  const product = Math.imul(state ^ word, 0x1e3779b1)
  return product ^ (product >>> 15)
}
