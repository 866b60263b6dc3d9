// What a session has seen of each file. An edit is only safe when the file still holds what the model saw, whoever wrote it and by whatever
// name it was opened. The ledger holds identities and no texts, so it is small enough to outlive the session (session-state.ts).

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export type Freshness = 'never-seen' | 'current' | 'changed'

interface Seen {
  /** `undefined` for what comes from a session before: a filesystem may count anew. */
  readonly rev: number | undefined
  readonly hash: string
}

/** Beyond this the files that were seen longest ago count as never seen: an edit then asks for a read, and is never wrong. */
const defaultMaxFiles = 100_000

/**
 * By real path. A file whose text is the same again is current, also after its times or its mode changed. Each toolset notes and checks a
 * text in the one form in which it shows it.
 */
export class FreshnessLedger {
  readonly #seen = new Map<VfsPath, Seen>()
  readonly #maxFiles: number

  constructor(maxFiles: number = defaultMaxFiles) {
    this.#maxFiles = maxFiles
  }

  /** The model has seen, or just wrote, `text` at `path`, which was then at revision `rev`. */
  note(path: VfsPath, rev: number | undefined, text: string): void {
    this.noteHash(path, rev, fullHash(text))
  }

  /** The same where the SHA-256 of the text is known, or all that is left of it. */
  noteHash(path: VfsPath, rev: number | undefined, hash: string): void {
    this.#seen.delete(path)
    this.#seen.set(path, { rev, hash })
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= this.#maxFiles) break
      this.#seen.delete(oldest)
    }
  }

  /** `rev` and `text` are what is at `path` now. Without a revision the text alone decides. */
  check(path: VfsPath, rev: number | undefined, text: string): Freshness {
    const seen = this.#seen.get(path)
    if (seen === undefined) return 'never-seen'
    return (rev !== undefined && seen.rev === rev) || seen.hash === fullHash(text) ? 'current' : 'changed'
  }

  /** Path and hash of each file, the one that was seen longest ago first. */
  identities(): readonly (readonly [path: VfsPath, hash: string])[] {
    return [...this.#seen].map(([path, { hash }]) => [path, hash])
  }
}
