// Reads many contents in few accesses. An access takes longer than the bytes of a small content: some microseconds, or a third of a millisecond
// where the browser asks another process, as Chromium does in a private window.

import type { NumberedFile } from './header.ts'

const windowBytes = 1024 * 1024
/** Between two contents are the records of their files. A longer gap costs more than a second access. */
const gapBytes = 1024

/** A content with a place in a file of the store. */
export interface PlacedContent {
  readonly location: { readonly holder: NumberedFile; readonly offset: number } | undefined
  /** With its table of checksums, if it has one. */
  readonly storedBytes: number
  /** `stored` may share its memory with other contents. It is unverified. */
  readonly received: (stored: Uint8Array) => void
}

interface Wanted {
  readonly content: PlacedContent
  readonly holder: NumberedFile
  readonly start: number
  readonly end: number
}

/** A content that cannot be read gets no bytes. Reading it alone throws the reason. */
export function readTogether(contents: readonly PlacedContent[]): void {
  const wanted = contents.flatMap(placed).sort((a, b) => a.holder.number - b.holder.number || a.start - b.start)
  for (let first = 0; first < wanted.length;) {
    const next = endOfRun(wanted, first)
    readRun(wanted.slice(first, next))
    first = next
  }
}

function placed(content: PlacedContent): Wanted[] {
  const { location, storedBytes } = content
  if (location === undefined) return []
  return [{ content, holder: location.holder, start: location.offset, end: location.offset + storedBytes }]
}

function endOfRun(wanted: readonly Wanted[], first: number): number {
  const { holder, start, end } = wanted[first] ?? { holder: undefined, start: 0, end: 0 }
  let [next, reached] = [first + 1, end]
  for (; next < wanted.length; next++) {
    const other = wanted[next]
    if (other === undefined || other.holder !== holder) break
    if (other.start - reached > gapBytes || other.end - start > windowBytes) break
    reached = Math.max(reached, other.end)
  }
  return next
}

function readRun(run: readonly Wanted[]): void {
  const [first] = run
  if (first === undefined) return
  const last = run.reduce((end, other) => Math.max(end, other.end), 0)
  const window = new Uint8Array(last - first.start)
  try {
    if (first.holder.file.read(window, first.start) !== window.length) return
  } catch {
    return
  }
  const used = run.reduce((sum, { content }) => sum + content.storedBytes, 0)
  for (const { content, start, end } of run) {
    const part = window.subarray(start - first.start, end - first.start)
    // A part keeps the whole window in memory, so it is copied out of one that is mostly gaps.
    content.received(used * 2 < window.length ? part.slice() : part)
  }
}
