// Finds what a write changed in a content, so that another tab is not sent all of it.

import { chunkBytes, chunksIn } from '../../../vfs/patch.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { isMissing } from './remote-content.ts'

/** A content is the one before with `bytes` from byte `at` on, which is not after its end. */
export interface ContentChange {
  readonly at: number
  readonly bytes: Uint8Array
}

/** Shorter contents are sent whole. */
const minBytes = 64
/** Longer changes are sent as whole contents, which are sent in parts. */
const maxChangeBytes = 65_536

/**
 * `undefined`: the content must be sent whole. Only contents that share memory are compared: the later one was made by a write at a position
 * or an append. A content that a caller gave whole is stored whole, because it may replace one that is damaged.
 */
export function changeBetween(before: FileContent, after: FileContent): ContentChange | undefined {
  if (after.length < minBytes || before.length > after.length || isMissing(before) || isMissing(after)) return undefined
  const [old, fresh] = [chunksIn(before), chunksIn(after)]
  let first = 0
  while (first < old.length && isShared(old[first], fresh[first]) && old[first]?.length === fresh[first]?.length) first++
  let last = fresh.length - 1
  const isAsLong = before.length === after.length
  while (isAsLong && last > first && isShared(old[last], fresh[last])) last--
  const isSharing = first > 0 || last < fresh.length - 1 || isShared(old[first], fresh[first])
  if (!isSharing || first > last || (last - first) * chunkBytes > maxChangeBytes) return undefined
  const at = first * chunkBytes + sameStart(old[first], fresh[first])
  const end = last * chunkBytes + (fresh[last]?.length ?? 0) - (isAsLong ? sameEnd(old[last], fresh[last]) : 0)
  if (end - at > maxChangeBytes || end <= at) return undefined
  return { at, bytes: after.slice(at, end) }
}

/** Whether they begin in the same memory, which is never changed, so that the shorter one is the beginning of the longer one. */
function isShared(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && one.buffer === other?.buffer && one.byteOffset === other.byteOffset
}

function sameStart(one: Uint8Array = nothing, other: Uint8Array = nothing): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

/** Both have the same length. */
function sameEnd(one: Uint8Array = nothing, other: Uint8Array = nothing): number {
  let count = 0
  while (count < one.length && one[one.length - 1 - count] === other[other.length - 1 - count]) count++
  return count
}

const nothing = new Uint8Array()
