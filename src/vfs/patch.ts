// Writes parts of files: through the filesystem's {@link PatchOffer} if there is one, and otherwise by writing the whole file.

import type { VfsPath } from '../core/path.ts'
import type { Stat, WriteOptions } from './backend.ts'
import { type Patching, patchOffer } from './patch-offer.ts'
import { call, type Primitives, type Steps } from './steps.ts'
import type { FileContent } from './tree/node.ts'

/** Writes to the file at `path`: over a part of it if `options` say so, also where `on` can only write it whole. */
export function* writePart(
  on: Primitives,
  path: VfsPath,
  data: Uint8Array,
  options: WriteOptions & Partial<Patching>,
): Steps<Stat> {
  const { at, patch: _patch, ...rest } = options
  if (at === undefined || patchOffer(on, path) !== undefined) return yield* call(on, 'write', path, data, options)
  return yield* call(on, 'write', path, overwritten(yield* call(on, 'read', path), data, at), rest)
}

/** A copy of `before` with `data` from byte `at` on. */
export function overwritten(before: Uint8Array, data: Uint8Array, at: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(before.length, at + data.length))
  bytes.set(before)
  bytes.set(data, at)
  return bytes
}

export const chunkBytes = 65_536

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
  const chunks = [...chunksIn(before)]
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

/** A content in chunks of {@link chunkBytes}, which must not be changed. Contents that were patched share those that are the same. */
export function chunksIn(content: FileContent): readonly Uint8Array[] {
  return content instanceof ChunkedContent ? content.chunks : chunksOf(content.view?.() ?? wholeOf(content))
}

function wholeOf(content: FileContent): Uint8Array {
  return content instanceof Uint8Array ? content : content.slice()
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )
}
