// What a session has seen of each file. An edit that names text instead of lines is only safe when the file still holds what the model
// saw, whoever wrote it and by whatever name it was opened.

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export type Freshness = 'never-seen' | 'current' | 'changed'

interface Seen {
  readonly rev: number
  readonly hash: string
}

/** Beyond this the files that were seen longest ago count as never seen: an edit then asks for a read, and is never wrong. */
const defaultMaxFiles = 100_000

/** By real path. A file whose text is the same again is current, also after its times or its mode changed. */
export class FreshnessLedger {
  readonly #seen = new Map<VfsPath, Seen>()
  readonly #maxFiles: number

  constructor(maxFiles: number = defaultMaxFiles) {
    this.#maxFiles = maxFiles
  }

  /** The model has seen, or just wrote, `text` at `path`, which was then at revision `rev`. */
  note(path: VfsPath, rev: number, text: string): void {
    this.#seen.delete(path)
    this.#seen.set(path, { rev, hash: fullHash(text) })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= this.#maxFiles) break
      this.#seen.delete(oldest)
    }
  }

  /** `rev` and `text` are what is at `path` now. */
  check(path: VfsPath, rev: number, text: string): Freshness {
    const seen = this.#seen.get(path)
    if (seen === undefined) return 'never-seen'
    return seen.rev === rev || seen.hash === fullHash(text) ? 'current' : 'changed'
  }
}
