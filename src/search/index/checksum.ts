// Tells whether a pack is as it was written. Made for accidents, not for forgers: whatever happens within one word always changes it, and
// anything else does but for one time in four thousand million. Four rows of words at a time, because each step waits for the one before.

export type Checksum = [number, number, number, number]

export function newChecksum(): Checksum {
  return [1, 2, 3, 4]
}

/** Goes on with `words` from `from` to before `to`. Where it was cut into calls matters, so both sides must cut alike. */
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

/** As an unsigned number of 32 bits. */
export function checksumOf([first, second, third, fourth]: Checksum): number {
  return mixed(mixed(mixed(first, second), third), fourth) >>> 0
}

/** For each `word` another number for each `state`, and the other way round: no difference is lost on the way. */
function mixed(state: number, word: number): number {
  const product = Math.imul(state ^ word, 0x1e3779b1)
  return product ^ (product >>> 15)
}
