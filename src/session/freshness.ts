// What a session has seen of each file. An edit is only safe if the file still has the content that the model saw, whoever wrote it and
// under whatever name it was opened. The ledger stores identities and no texts, so it is small enough to be saved (session-state.ts).

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export type Freshness = 'never-seen' | 'current' | 'changed'

interface Seen {
  /** `undefined` for a file that an earlier session saw, because a filesystem may count from the start again. */
  readonly rev: number | undefined
  readonly hash: string
}

/** Beyond this number, the files that were seen longest ago count as unseen: an edit then asks for a read, and is never wrong. */
const defaultMaxFiles = 100_000

/**
 * By real path. A file with the same text is current, even if it was changed in between or has another time or mode. Each toolset records
 * and checks a text in the one form in which it shows it.
 */
export class FreshnessLedger {
  readonly #seen = new Map<VfsPath, Seen>()
  readonly #maxFiles: number

  constructor(maxFiles: number = defaultMaxFiles) {
    this.#maxFiles = maxFiles
  }

  /** The model has seen, or just written, `text` at `path`, which was at revision `rev`. */
  note(path: VfsPath, rev: number | undefined, text: string): void {
    this.noteHash(path, rev, fullHash(text))
  }

  /** The same, if only the SHA-256 of the text is known. */
  noteHash(path: VfsPath, rev: number | undefined, hash: string): void {
    this.#seen.delete(path)
    this.#seen.set(path, { rev, hash })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= this.#maxFiles) break
      this.#seen.delete(oldest)
    }
  }

  /** `rev` and `text` are the current ones at `path`. Without a revision, only the text is compared. */
  check(path: VfsPath, rev: number | undefined, text: string): Freshness {
    const seen = this.#seen.get(path)
    if (seen === undefined) return 'never-seen'
    return (rev !== undefined && seen.rev === rev) || seen.hash === fullHash(text) ? 'current' : 'changed'
  }

  /** Path and hash of each file; the file that was seen longest ago is first. */
  identities(): readonly (readonly [path: VfsPath, hash: string])[] {
    return [...this.#seen].map(([path, { hash }]) => [path, hash])
  }
}
