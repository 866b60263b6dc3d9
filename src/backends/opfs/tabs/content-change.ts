// Finds what a write changed in a content, so that another tab is not sent all of it.

import { chunkBytes, chunksIn } from '../../../vfs/patch.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { Tree, type Version } from '../../../vfs/tree/tree.ts'
import { isContent, type Piece, piecesOf } from '../log/pieced-content.ts'
import { isMissing } from './remote-content.ts'
import { contentAt } from './request-contents.ts'

/** A content is the one before with `bytes` from byte `at` on, which is not after its end. */
export interface ContentChange {
  readonly at: number
  readonly bytes: Uint8Array
}

/** By the files of the edits. */
export type Changes = ReadonlyMap<object, ContentChange>

/** What `edits`, which begin with the state `base`, change in contents, as far as `between` finds it. */
export function changesIn(edits: readonly Edit[], base: Version, between: typeof changeBetween): Changes {
  const changes = new Map<object, ContentChange>()
  // A single edit needs no copy of the tree.
  const tree = edits.length > 1 ? new Tree(base) : undefined
  for (const edit of edits) {
    if (edit.kind === 'put' && edit.node.kind === 'file' && edit.change === 'modify') {
      const before = contentAt(tree ?? base, edit.path)
      const change = before && between(before, edit.node.bytes)
      if (change !== undefined) changes.set(edit.node, change)
    }
    tree?.apply(edit)
  }
  return changes
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

/** The same between two contents of the stored tree: the pieces that both have are not read. */
export function storedChangeBetween(before: FileContent, after: FileContent): ContentChange | undefined {
  if (after.length < minBytes || before.length > after.length || !isContent(before) || !isContent(after)) return undefined
  const [old, fresh] = [piecesOf(before), piecesOf(after)]
  const at = sharedStart(old, fresh)
  const most = before.length === after.length ? after.length - at : 0
  const end = after.length - Math.min(most, sharedEnd(old, fresh, most))
  return at + after.length - end === 0 ? undefined : { at, bytes: after.slice(at, end) }
}

/** How many bytes at the beginning both have from the same pieces. */
function sharedStart(old: readonly Piece[], fresh: readonly Piece[]): number {
  let sum = 0
  for (const [index, { content, start, length }] of fresh.entries()) {
    const other = old[index]
    if (other?.content !== content || other.start !== start) break
    sum += Math.min(length, other.length)
    if (length !== other.length) break
  }
  return sum
}

/** The same at the end, at most `most`. */
function sharedEnd(old: readonly Piece[], fresh: readonly Piece[], most: number): number {
  let sum = 0
  for (let back = 1; back <= fresh.length && sum < most; back++) {
    const [piece, other] = [fresh.at(-back), old.at(-back)]
    if (piece === undefined || other?.content !== piece.content) break
    if (other.start + other.length !== piece.start + piece.length) break
    sum += Math.min(piece.length, other.length)
    if (piece.length !== other.length) break
  }
  return sum
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
