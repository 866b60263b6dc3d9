// A program that writes at positions of a large file would otherwise read and write all of it each time. So a filesystem may replace a part
// of a content. This is not part of the port. Filesystems are found by object identity, so a wrapper that shows other files under the same
// paths does not inherit the wrong one.

import type { VfsPath } from '../core/path.ts'
import type { Primitives } from './steps.ts'
import type { FileContent } from './tree/node.ts'

/** How to make the new content from the old one. */
export interface Patching {
  /** Not after the end of the old content. */
  readonly at: number
  /** Used if the filesystem keeps its contents in memory. */
  readonly patch: (before: FileContent, data: Uint8Array, at: number) => FileContent
}

/** What a filesystem offers to programs that write at positions of a file. */
export interface PatchOffer {
  /** The file itself is changed, so that also writing at its end costs only what is written. */
  readonly isInPlace?: boolean | undefined
  /** Runs synchronous calls that belong together, which then cost less. */
  readonly within?: <T>(act: () => T) => T
  /** Makes what was written to the file durable. Absent if each write is as durable as it will be. */
  readonly settle?: (() => void) | undefined
}

/** `undefined`: a file at that path is read, changed and written. */
type OfferAt = (path: VfsPath) => PatchOffer | undefined

const offers = new WeakMap<object, OfferAt>()

/** Registers that `write` of `fs` accepts a {@link Patching} for each path for which `at` returns an offer. */
export function offerPatch(fs: object, at: OfferAt = () => ({})): void {
  offers.set(fs, at)
}

/** What `on` offers for the file at `path`. `undefined`: read the content, change it and write it. */
export function patchOffer(on: Primitives, path: VfsPath): PatchOffer | undefined {
  return offers.get(on.sync ?? on)?.(path)
}
