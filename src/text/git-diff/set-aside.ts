// Removes lines that cannot help a comparison before it starts: those without a partner in the other file, and, among such lines, those
// that are too common to be anchors. They count as changed. This makes git fast, and decides which of several equally short differences is
// found.

/** A line is common if it occurs more often than about the square root of the number of lines; this is the upper limit. */
const commonFrom = 1024
/** How many lines on either side of a common one are checked. */
const neighbourhood = 100
/** A common line is left out if less than one in this many lines of its run is a common one; the others have no partner. */
const outweighedBy = 4

const without = 0
const some = 1
const many = 2

/**
 * The lines from `start` to `end` (exclusive) that the comparison must use, ascending. All others there are marked in `changed`.
 *
 * @param partners how often each class occurs in the whole other file
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

/** A power of two close to the square root, from above. */
export function roundRoot(value: number): number {
  let root = 1
  for (let rest = value; rest > 0; rest = Math.floor(rest / 4)) root *= 2
  return root
}

/** Whether a common line is in a run of lines most of which have no partner, with such lines on both sides. */
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
