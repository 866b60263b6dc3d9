// Records which content of each file a session has seen. An edit is only safe if the file still has the content that the model
// saw, regardless of who wrote it and of the path. Only hashes are stored, so the record is small enough to be saved
// (session-state.ts).

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export type Freshness = 'never-seen' | 'current' | 'changed'

interface Seen {
  /** `undefined` for a file that an earlier session saw, because a filesystem may restart its revisions. */
  readonly rev: number | undefined
  readonly hash: string
}

/**
 * Above this number, the files that were seen longest ago count as unseen. An edit then requires a read, which is always safe.
 */
const defaultMaxFiles = 100_000

/**
 * Keyed by real path. A file with the same text is current, even if its revision, time or mode differs. Each toolset records and
 * compares texts in the one form in which it shows them.
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

  /** Like `saw`, if only the SHA-256 of the text is known. */
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
