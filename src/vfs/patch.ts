// A program that writes at positions of a large file would otherwise read and write all of it each time. So a filesystem may replace a part
// of a content. This is not part of the port. Filesystems are found by object identity, so a wrapper that shows other files under the same
// paths does not inherit the wrong one.

import type { VfsPath } from '../core/path.ts'
import type { Stat, VfsSync, WriteOptions } from './backend.ts'
import type { FileContent } from './tree/node.ts'

/** How to make the new content from the old one. */
export interface Patching {
  /** Not after the end of the old content. */
  readonly at: number
  /** Used if the filesystem keeps its contents in memory. */
  readonly patch: (before: FileContent, data: Uint8Array, at: number) => FileContent
}

/** Writes `data` into the file at `path`, which must exist. */
export type PatchFile = (path: VfsPath, data: Uint8Array, options: WriteOptions & Patching) => Stat

/** What a filesystem offers to programs that write at positions of a file. */
interface Offer {
  /** The file itself is changed, so that also writing at its end costs only what is written. */
  readonly isInPlace?: boolean
  /** Makes what was written below `path` durable. Absent if each write is as durable as it will be. */
  readonly settle?: (path: VfsPath) => void
}

const offers = new WeakMap<VfsSync, Offer>()

/** Says that `write` of `fs` is a {@link PatchFile} too. */
export function offerPatch(fs: VfsSync, offer: Offer = {}): void {
  offers.set(fs, offer)
}

/** `undefined`: read the content, change it and write it. */
export function patcherOf(fs: VfsSync | undefined): (Offer & { readonly patchFile: PatchFile }) | undefined {
  const offer = fs && offers.get(fs)
  return offer && { ...offer, patchFile: (path, data, options) => fs.write(path, data, options) }
}

const chunkBytes = 65_536

/** A content in chunks of {@link chunkBytes}. Contents share the chunks that are the same in both. */
class ChunkedContent implements FileContent {
  readonly length: number
  #chunks: readonly Uint8Array[]
  #whole: Uint8Array | undefined

  constructor(chunks: readonly Uint8Array[], length: number) {
    this.#chunks = chunks
    this.length = length
  }

  get chunks(): readonly Uint8Array[] {
    return this.#chunks
  }

  slice(start = 0, end: number = this.length): Uint8Array {
    const last = Math.min(end, this.length)
    const bytes = new Uint8Array(Math.max(0, last - start))
    for (let at = start; at < last;) {
      const within = at % chunkBytes
      const part = this.#chunks[Math.floor(at / chunkBytes)]?.subarray(within, within + last - at)
      if (part === undefined || part.length === 0) break
      bytes.set(part, at - start)
      at += part.length
    }
    return bytes
  }

  view(): Uint8Array {
    if (this.#whole === undefined) {
      this.#whole = this.slice()
      // The bytes are not kept twice.
      this.#chunks = chunksOf(this.#whole)
    }
    return this.#whole
  }
}

/** `before` with `data` from byte `at` on, which is not after its end. Takes time in proportion to `data`, and a little for each chunk. */
export function patchedContent(before: FileContent, data: Uint8Array, at: number): FileContent {
  const length = Math.max(before.length, at + data.length)
  const chunks = before instanceof ChunkedContent ? [...before.chunks] : chunksOf(before.view?.() ?? wholeOf(before))
  for (let done = 0; done < data.length;) {
    const index = Math.floor((at + done) / chunkBytes)
    const within = (at + done) % chunkBytes
    const part = data.subarray(done, done + chunkBytes - within)
    const old = chunks[index] ?? new Uint8Array()
    const chunk = new Uint8Array(Math.max(old.length, within + part.length))
    chunk.set(old)
    chunk.set(part, within)
    chunks[index] = chunk
    done += part.length
  }
  return new ChunkedContent(chunks, length)
}

function wholeOf(content: FileContent): Uint8Array {
  return content instanceof Uint8Array ? content : content.slice()
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )
}
