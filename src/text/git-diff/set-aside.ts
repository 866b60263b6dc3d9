// Lines that cannot help a comparison are taken out before it: those without a partner in the other file, and, among such, those that
// are too common to anchor anything. They count as changed. This is most of git's speed, and it decides which of several equally
// short differences is found.

/** A line that occurs more often than about the root of the number of lines is common, at the latest from here. */
const commonFrom = 1024
/** How many lines on either side of a common one are looked at. */
const neighbourhood = 100
/** A common line is left out where lines without a partner around it are more than this part less one of all. */
const outweighedBy = 4

const without = 0
const some = 1
const many = 2

/**
 * The lines from `start` to `end` (exclusive) that the comparison has to look at, ascending. All others there are marked in `changed`.
 *
 * @param partners how often each class occurs in the other file, the whole of it
 */
export function keepUseful(
  classes: Int32Array,
  { start, end }: { readonly start: number; readonly end: number },
  partners: Int32Array,
  changed: Uint8Array,
): Int32Array {
  const limit = Math.min(commonFrom, roundRoot(classes.length))
  const kinds = new Uint8Array(end - start)
  for (let at = 0; at < kinds.length; at++) {
    const count = partners[classes[start + at] ?? 0] ?? 0
    kinds[at] = count === 0 ? without : count < limit ? some : many
  }
  const kept = new Int32Array(kinds.length)
  let keptCount = 0
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] === some || (kinds[at] === many && !isLostAmongStrangers(kinds, at))) kept[keptCount++] = start + at
    else changed[start + at] = 1
  }
  return kept.subarray(0, keptCount)
}

/** A power of two next to the square root, from above. */
export function roundRoot(value: number): number {
  let root = 1
  for (let rest = value; rest > 0; rest = Math.floor(rest / 4)) root *= 2
  return root
}

/** Whether a common line stands in a run of lines of which most have no partner, with such lines on both sides. */
function isLostAmongStrangers(kinds: Uint8Array, at: number): boolean {
  let [strangers, common] = [0, 2]
  for (const step of [-1, 1]) {
    const strangersBefore = strangers
    for (let distance = 1; distance <= neighbourhood; distance++) {
      const kind = kinds[at + step * distance]
      if (kind === without) strangers++
      else if (kind === many) common++
      else break
    }
    if (strangers === strangersBefore) return false
  }
  return common * outweighedBy < common + strangers
}
