// The content and attributes of an open file that has no name any more.

import type { Stat } from '../../backend.ts'
import type { Primitives } from '../../steps.ts'
import type { VfsPath } from '../../../core/path.ts'
import { keep } from '../../borrow.ts'
import type { Changed, OpenNode } from './open-files.ts'
import { VfsError } from '../../error.ts'

/** The content of a file that has no name any more. */
export interface Image {
  /** May be longer than the content, so that writing at the end need not copy all of it each time. */
  bytes: Uint8Array
  isOwned: boolean
  stat: Stat
}

export function keptBytes({ sync }: Primitives, path: VfsPath): (() => Uint8Array) | undefined {
  if (sync === undefined) return undefined
  try {
    return keep(sync, path)?.bytes
  } catch {
    return undefined
  }
}

export function imageOf(node: OpenNode): Image {
  if (node.image !== undefined) return node.image
  throw new VfsError('ESTALE', 'read', { hint: 'the open file was removed or replaced, and its content is not known' })
}

export function changeImage(image: Image, changed: Changed): void {
  const { sizeBytes, mtimeMs } = image.stat
  let next = sizeBytes
  if ('cut' in changed) {
    image.bytes = image.bytes.slice(0, changed.cut)
    next = changed.cut
  } else {
    const [bytes, at] = 'patch' in changed ? [changed.patch, changed.at] : [changed.append, sizeBytes]
    next = Math.max(sizeBytes, at + bytes.length)
    if (!image.isOwned || next > image.bytes.length)
      image.bytes = resized(image.bytes.subarray(0, sizeBytes), Math.max(64, next + (next >> 1)))
    image.bytes.set(bytes, at)
  }
  image.isOwned = true
  const nowMs = Math.max(Date.now(), mtimeMs + 1)
  image.stat = { ...image.stat, sizeBytes: next, mtimeMs: nowMs, ctimeMs: nowMs }
}

/** `bytes`, padded with zeros up to `length`. */
function resized(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  const next = new Uint8Array(length)
  next.set(bytes)
  return next
}
