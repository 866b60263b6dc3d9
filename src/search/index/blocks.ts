// A file divided into runs of whole lines of about 8 KB, so that a line is never in two blocks and a search can start in the middle of a
// file with the right line number. A much longer line is divided into overlapping parts; each of them represents the whole line.

import { lineBreakFrom, type LineEndings } from '../lines.ts'
import { maxLiteralBytes } from './grams.ts'

export const blockBytes = 8192
export const maxBlockBytes = 65_536
/** A literal across the border of two parts is complete in one of them. */
const overlapBytes = 2 * maxLiteralBytes

export interface Block {
  /** The range whose grams are counted. */
  readonly start: number
  readonly end: number
  /** The range to search: the same, or the long line that contains this part. */
  readonly regionStart: number
  readonly regionEnd: number
}

/** Calls `visit` for each block of `bytes` from `start`, in order. */
export function eachBlock(bytes: Uint8Array, start: number, endings: LineEndings, visit: (block: Block) => void): void {
  for (let at = start; at < bytes.length;) {
    const next = lineBreakFrom(bytes, Math.min(at + blockBytes, bytes.length) - 1, endings).next
    if (next - at <= maxBlockBytes) visit({ start: at, end: next, regionStart: at, regionEnd: next })
    else {
      for (let part = at; part < next; part += maxBlockBytes - overlapBytes) {
        const end = Math.min(part + maxBlockBytes, next)
        visit({ start: part, end, regionStart: at, regionEnd: next })
        if (end === next) break
      }
    }
    at = next
  }
}

/** Shorter lines are not distinguished by length. */
const shortLineBytes = 1024

/** Whether `block` is a part of a long line. */
export function isPart({ start, end, regionStart, regionEnd }: Block): boolean {
  return start !== regionStart || end !== regionEnd
}

/** The most bytes that a line of `block` may have, with its ending, if `longestBytes` is the longest of its lines. */
export function longestLineIn(block: Block, longestBytes: number): number {
  if (isPart(block)) return block.regionEnd - block.regionStart
  return Math.max(longestBytes, Math.min(shortLineBytes, block.end - block.start))
}
