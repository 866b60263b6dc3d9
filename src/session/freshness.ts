// Records which content of each file a session has seen. An edit is only safe if the file still has the content that the model
// saw, regardless of who wrote it and of the path. Only hashes are saved, so that the record is small (session-state.ts).

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export type Freshness = 'never-seen' | 'current' | 'changed'

interface Seen {
  /** `undefined` for a file that an earlier session saw, because a filesystem may restart its revisions. */
  readonly rev: number | undefined
  readonly content: { readonly kind: 'hash'; readonly hash: string } | { readonly kind: 'text'; readonly text: string }
}

/** Above this number, the files that were seen longest ago count as unseen. An edit then requires a read, which is always safe. */
const defaultMaxFiles = 100_000
/**
 * Texts are hashed only when they are many, or when the record is saved: a hash took half of the processor time of a small read or edit.
 */
const maxTextCharacters = 4_000_000

/**
 * Keyed by real path. A file with the same text is current, even if its revision, time or mode differs. Each toolset records and
 * compares texts in the one form in which it shows them.
 */
export class FreshnessLedger {
  readonly #seen = new Map<VfsPath, Seen>()
  /** The files whose texts are not hashed yet, with the text noted longest ago first. */
  readonly #unhashed = new Map<VfsPath, string>()
  #unhashedCharacters = 0
  readonly #maxFiles: number
  readonly #maxTextCharacters: number

  constructor(maxFiles: number = defaultMaxFiles, maxUnhashedCharacters: number = maxTextCharacters) {
    this.#maxFiles = maxFiles
    this.#maxTextCharacters = maxUnhashedCharacters
  }

  /** The model has seen, or just written, `text` at `path`, which was at revision `rev`. */
  note(path: VfsPath, rev: number | undefined, text: string): void {
    this.#set(path, { rev, content: { kind: 'text', text } })
    this.#unhashed.set(path, text)
    this.#unhashedCharacters += text.length
    if (this.#unhashedCharacters > this.#maxTextCharacters) this.#hashTexts(this.#maxTextCharacters / 2)
  }

  /** Like `note`, if only the SHA-256 of the text is known. */
  noteHash(path: VfsPath, rev: number | undefined, hash: string): void {
    this.#set(path, { rev, content: { kind: 'hash', hash } })
  }

  /** `rev` and `text` are the current ones at `path`. Without a revision, only the text is compared. */
  check(path: VfsPath, rev: number | undefined, text: string): Freshness {
    const seen = this.#seen.get(path)
    if (seen === undefined) return 'never-seen'
    if (rev !== undefined && seen.rev === rev) return 'current'
    const { content } = seen
    const isSame = content.kind === 'text' ? content.text === text : content.hash === fullHash(text)
    return isSame ? 'current' : 'changed'
  }

  /** Path and SHA-256 of each file; the file that was seen longest ago is first. */
  identities(): readonly (readonly [path: VfsPath, hash: string])[] {
    this.#hashTexts(0)
    return [...this.#seen].flatMap(([path, { content }]) => (content.kind === 'hash' ? [[path, content.hash] as const] : []))
  }

  #set(path: VfsPath, seen: Seen): void {
    this.#forget(path)
    this.#seen.set(path, seen)
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= this.#maxFiles) break
      this.#forget(oldest)
    }
  }

  #forget(path: VfsPath): void {
    this.#seen.delete(path)
    this.#unhashedCharacters -= this.#unhashed.get(path)?.length ?? 0
    this.#unhashed.delete(path)
  }

  /** Until the texts that are left have at most `maxCharacters`. */
  #hashTexts(maxCharacters: number): void {
    for (const [path, text] of this.#unhashed) {
      if (this.#unhashedCharacters <= maxCharacters) return
      const seen = this.#seen.get(path)
      if (seen !== undefined) this.#seen.set(path, { ...seen, content: { kind: 'hash', hash: fullHash(text) } })
      this.#unhashedCharacters -= text.length
      this.#unhashed.delete(path)
    }
  }
}
