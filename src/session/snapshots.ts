// Which texts this session has shown or written, by path and tag. A tag has 16 bits, so it only finds a text; the SHA-256 behind it
// decides (DESIGN §4.6). Texts are bounded by weight; the identities are kept longer, so that a dropped text is still known as ours.

import { fullHash } from '../core/hash.ts'
import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { contentTag } from '../text/hashline/tag.ts'

/** May an edit that names `tag` change a file that now holds `liveText`? */
export type Authorization =
  | { readonly kind: 'current' }
  /** The tag is ours and stood for another text. `snapshot` is that text while it is still kept. */
  | { readonly kind: 'stale'; readonly liveTag: string; readonly snapshot: string | undefined }
  /** The tag is right by accident or but for trailing blanks: the text itself was never shown in this session. */
  | { readonly kind: 'same-tag-other-text'; readonly liveTag: string }
  /** Never issued in this session for this path. */
  | { readonly kind: 'unknown'; readonly liveTag: string }

/** Identities remembered per session; beyond it the oldest paths are forgotten and their tags become unknown. */
const maxIdentities = 100_000

export class SnapshotStore {
  /** path → tag → full hashes, oldest path first. */
  readonly #issued = new Map<VfsPath, Map<string, Set<string>>>()
  readonly #texts: SizedLru<string, string>
  readonly #pathOfDisplay = new Map<string, VfsPath>()
  #identities = 0

  constructor(maxTextBytes: number) {
    this.#texts = new SizedLru(maxTextBytes)
  }

  /** Notes that the model has seen or written `normalizedText` at `path`, and gives its tag. */
  record(path: VfsPath, display: string, normalizedText: string): string {
    const tag = contentTag(normalizedText)
    const hash = fullHash(normalizedText)
    const tags = this.#issued.get(path) ?? new Map<string, Set<string>>()
    const hashes = tags.get(tag) ?? new Set<string>()
    if (!hashes.has(hash)) this.#identities++
    hashes.add(hash)
    tags.set(tag, hashes)
    this.#issued.delete(path)
    this.#issued.set(path, tags)
    this.#pathOfDisplay.set(display, path)
    // UTF-16: two bytes a unit.
    this.#texts.set(`${path}\0${hash}`, normalizedText, normalizedText.length * 2 + 1)
    this.#forgetOldest()
    return tag
  }

  authorize(path: VfsPath, tag: string, liveText: string): Authorization {
    const liveTag = contentTag(liveText)
    const hashes = this.#issued.get(path)?.get(tag)
    if (hashes === undefined) return { kind: 'unknown', liveTag }
    if (hashes.has(fullHash(liveText))) return { kind: 'current' }
    if (liveTag === tag) return { kind: 'same-tag-other-text', liveTag }
    return { kind: 'stale', liveTag, snapshot: this.#onlyText(path, hashes) }
  }

  /** The text behind a header as it was displayed; `undefined` when unknown, ambiguous or no longer kept. */
  textOf(display: string, tag: string): string | undefined {
    const path = this.#pathOfDisplay.get(display)
    const hashes = path === undefined ? undefined : this.#issued.get(path)?.get(tag)
    return path === undefined || hashes === undefined ? undefined : this.#onlyText(path, hashes)
  }

  #onlyText(path: VfsPath, hashes: ReadonlySet<string>): string | undefined {
    const [hash, ...others] = hashes
    return hash === undefined || others.length > 0 ? undefined : this.#texts.get(`${path}\0${hash}`)
  }

  #forgetOldest(): void {
    for (const [path, tags] of this.#issued) {
      if (this.#identities <= maxIdentities || this.#issued.size === 1) return
      for (const hashes of tags.values()) this.#identities -= hashes.size
      this.#issued.delete(path)
      for (const [display, of] of this.#pathOfDisplay) if (of === path) this.#pathOfDisplay.delete(display)
    }
  }
}
