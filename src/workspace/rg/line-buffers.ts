// The pieces in which ripgrep reads a text that is not mapped: what a piece holds decides which lines it looks at before it sees a null byte.

/** Offsets in the text. */
export interface LineBuffer {
  /** Everything before it is given up. */
  readonly base: number
  /** The first line that no buffer before this one had in full. */
  readonly from: number
  /** The end of the last line that is complete. */
  readonly to: number
  /** The end of what was read. */
  readonly readEnd: number
}

/** The amount that ripgrep reads at once. */
export const bufferBytes = 65_536

/**
 * Divides `text` into the buffers that ripgrep reads. `keptFrom` returns the offset from which lines of a buffer, which begins at `base` and
 * ends at `to`, are kept in the next one.
 */
export function* lineBuffers(
  text: Uint8Array,
  keptFrom: (base: number, to: number) => number,
): Generator<LineBuffer, void, undefined> {
  let capacity = bufferBytes
  let base = 0
  let from = 0
  let readEnd = 0
  while (readEnd < text.length) {
    let to = from
    while (to === from) {
      // It grows only if it is full.
      if (readEnd - base >= capacity) capacity *= 2
      const start = readEnd
      readEnd = Math.min(base + capacity, text.length)
      const lastLineFeed = text.lastIndexOf(10, readEnd - 1)
      if (lastLineFeed >= start) to = lastLineFeed + 1
      else if (readEnd === text.length) to = readEnd
    }
    yield { base, from, to, readEnd }
    base = keptFrom(base, to)
    from = to
  }
  // The last line may have no ending.
  if (from < text.length) yield { base, from, to: text.length, readEnd }
}
