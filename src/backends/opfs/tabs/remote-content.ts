// A file's content that only the leader has. It is fetched on read, or in advance, so that snapshots keep it.

import { ContentElsewhere } from '../../../vfs/elsewhere.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { VfsPath } from '../../../core/path.ts'
import { SizedLru } from '../../../core/lru.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import type { Wanted } from './messages.ts'

/** If a tree is too large to be kept whole, this many bytes of fetched contents are kept. */
export const readBytes: number = 64 * 1024 * 1024
/** Contents are fetched in pieces of this size, so that neither tab is blocked for long. */
export const pieceBytes: number = 1024 * 1024

/** Asks the leader for contents. A piece that the leader no longer has is `undefined`. Rejects with `VfsError`. */
export type Fetch = (wanted: readonly Wanted[]) => Promise<readonly (Uint8Array | undefined)[]>

export interface ContentSource {
  readonly fetch: Fetch
  /** Whether the tree is small enough to keep all of its contents in this tab. */
  readonly isKeepingAll: () => boolean
  readonly recent: SizedLru<RemoteContent, true>
}

export function recentContents(): SizedLru<RemoteContent, true> {
  return new SizedLru(readBytes, content => content.forget())
}

export class RemoteContent implements FileContent {
  readonly length: number
  readonly ino: number
  readonly path: VfsPath
  readonly #source: ContentSource
  #bytes: Uint8Array | undefined
  #loading: Promise<void> | undefined

  constructor(ino: number, length: number, path: VfsPath, source: ContentSource) {
    this.ino = ino
    this.length = length
    this.path = path
    this.#source = source
    if (length === 0) this.#bytes = new Uint8Array()
  }

  get isHere(): boolean {
    return this.#bytes !== undefined
  }

  slice(start = 0, end: number = this.length): Uint8Array {
    if (this.#bytes === undefined) throw new ContentElsewhere(() => this.load())
    return this.#bytes.slice(start, end)
  }

  forget(): void {
    if (this.length > 0) this.#bytes = undefined
  }

  /** The content arrived together with others. */
  put(bytes: Uint8Array): void {
    this.#bytes = bytes
  }

  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    if (this.#bytes !== undefined) return
    const { fetch, isKeepingAll, recent } = this.#source
    if (this.length > readBytes && !isKeepingAll()) {
      throw new VfsError('EFBIG', 'read', {
        path: this.path,
        hint: `a tab that does not have the files open itself can only read files of up to ${readBytes} bytes; read it in the tab that was opened first`,
      })
    }
    const bytes = new Uint8Array(this.length)
    for (let start = 0; start < this.length; start += pieceBytes) {
      const end = Math.min(this.length, start + pieceBytes)
      const [piece] = await fetch([{ path: this.path, ino: this.ino, start, end }])
      if (piece?.length !== end - start)
        throw new VfsError('ESTALE', 'read', { path: this.path, hint: 'another tab replaced the file meanwhile; read it again' })
      bytes.set(piece, start)
    }
    this.#bytes = bytes
    if (!isKeepingAll()) recent.set(this, true, this.length)
  }
}

export function isMissing(content: FileContent): content is RemoteContent {
  return content instanceof RemoteContent && !content.isHere
}
