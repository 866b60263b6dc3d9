// Which texts this session has shown or written, by path and tag. A tag has 16 bits, so it only finds a text; the text itself decides,
// or the SHA-256 that is left of it once memory ran short (DESIGN §4.6). Texts are bounded by weight, identities by number.

import { fullHash } from '../core/hash.ts'
import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { contentTag } from '../text/hashline/tag.ts'

/** The text that a tag stood for, as far as it can still be told. */
export type Snapshot =
  | { readonly kind: 'kept'; readonly text: string }
  /** It was dropped to stay within `limits.snapshotMaxBytes`. */
  | { readonly kind: 'dropped' }
  /** This session has shown several texts of the path under the tag. */
  | { readonly kind: 'ambiguous' }

/** May an edit that names `tag` change a file that now holds `liveText`? */
export type Authorization =
  | { readonly kind: 'current' }
  /** The tag is ours and stood for another text. */
  | { readonly kind: 'stale'; readonly liveTag: string; readonly snapshot: Snapshot }
  /** The tag is right by accident or but for trailing blanks: the text itself was never shown in this session. */
  | { readonly kind: 'same-tag-other-text'; readonly liveTag: string; readonly snapshot: Snapshot }
  /** Not issued in this session for this path, or so long ago that even its identity is forgotten. */
  | { readonly kind: 'unknown'; readonly liveTag: string; readonly mayBeForgotten: boolean }

/** The tags of one path, each with the SHA-256 of the texts that it stood for; `null` for one that a newer text has replaced. */
export interface IssuedTags {
  readonly path: VfsPath
  readonly tags: readonly (readonly [tag: string, hashes: readonly (string | null)[]])[]
}

/** Identities remembered per session; beyond it the oldest paths are forgotten and their tags become unknown. */
const defaultMaxIdentities = 100_000

/**
 * One text of one path. Its hash is only made when the text is dropped: comparing texts is far cheaper than hashing them. A text that a
 * newer one of its path has replaced leaves no hash, only that it was there: should the file come to hold it again, it is read again.
 */
interface Version {
  readonly path: VfsPath
  text: string | undefined
  hash: string | undefined
}

export class SnapshotStore {
  /** path → tag → versions, oldest path first. */
  readonly #issued = new Map<VfsPath, Map<string, Version[]>>()
  readonly #kept: SizedLru<Version, string>
  /** What was shown or written last of each path. */
  readonly #latest = new Map<VfsPath, Version>()
  readonly #pathOfDisplay = new Map<string, VfsPath>()
  readonly #maxIdentities: number
  #identities = 0
  #hasForgotten = false

  /** `issued`: what a session before this one had issued, oldest path first. */
  constructor(maxTextBytes: number, maxIdentities: number = defaultMaxIdentities, issued: readonly IssuedTags[] = []) {
    this.#maxIdentities = maxIdentities
    this.#kept = new SizedLru(maxTextBytes, (version, text) => {
      if (this.#latest.get(version.path) === version) version.hash ??= fullHash(text)
      version.text = undefined
    })
    for (const { path, tags } of issued) {
      const versions = ([tag, hashes]: IssuedTags['tags'][number]): readonly [string, Version[]] => [
        tag,
        hashes.map(hash => ({ path, text: undefined, hash: hash ?? undefined })),
      ]
      this.#issued.set(path, new Map(tags.map(versions)))
      this.#identities += tags.reduce((sum, [, hashes]) => sum + hashes.length, 0)
    }
    this.#forgetOldest()
  }

  /** What every tag stood for, as identities: for a session that goes on later, where only the same text is the same. */
  issued(): readonly IssuedTags[] {
    return [...this.#issued].map(([path, tags]) => ({
      path,
      tags: [...tags].map(([tag, versions]) => [tag, versions.map(version => this.#identityOf(version) ?? null)]),
    }))
  }

  #identityOf(version: Version): string | undefined {
    if (version.text !== undefined && this.#latest.get(version.path) === version) version.hash ??= fullHash(version.text)
    return version.hash
  }

  /** Notes that the model has seen or written `normalizedText` at `path`, and gives its tag. Whoever knows the tag passes it. */
  record(path: VfsPath, display: string, normalizedText: string, tag: string = contentTag(normalizedText)): string {
    const tags = this.#issued.get(path) ?? new Map<string, Version[]>()
    const versions = tags.get(tag) ?? []
    let version = findVersion(versions, normalizedText)
    if (version === undefined) {
      version = { path, text: undefined, hash: undefined }
      versions.push(version)
      this.#identities++
    }
    this.#latest.set(path, version)
    this.#keep(version, normalizedText)
    tags.set(tag, versions)
    this.#issued.delete(path)
    this.#issued.set(path, tags)
    this.#pathOfDisplay.set(display, path)
    this.#forgetOldest()
    return tag
  }

  authorize(path: VfsPath, tag: string, liveText: string, liveTag: string = contentTag(liveText)): Authorization {
    const versions = this.#issued.get(path)?.get(tag)
    if (versions === undefined) return { kind: 'unknown', liveTag, mayBeForgotten: this.#hasForgotten }
    if (liveTag !== tag) return { kind: 'stale', liveTag, snapshot: snapshotOf(versions) }
    if (findVersion(versions, liveText) !== undefined) return { kind: 'current' }
    return { kind: 'same-tag-other-text', liveTag, snapshot: snapshotOf(versions) }
  }

  /** The text behind a header as it was displayed; `undefined` when unknown, ambiguous or no longer kept. */
  textOf(display: string, tag: string): string | undefined {
    const path = this.#pathOfDisplay.get(display)
    const versions = path === undefined ? undefined : this.#issued.get(path)?.get(tag)
    const snapshot = versions === undefined ? undefined : snapshotOf(versions)
    return snapshot?.kind === 'kept' ? snapshot.text : undefined
  }

  #keep(version: Version, text: string): void {
    version.text = text
    // UTF-16: two bytes a unit.
    this.#kept.set(version, text, text.length * 2 + 1)
    if (this.#kept.get(version) !== undefined) return
    version.text = undefined
    version.hash ??= fullHash(text)
  }

  #forgetOldest(): void {
    for (const [path, tags] of this.#issued) {
      if (this.#identities <= this.#maxIdentities || this.#issued.size === 1) return
      for (const versions of tags.values()) {
        this.#identities -= versions.length
        for (const version of versions) this.#kept.delete(version)
      }
      this.#hasForgotten = true
      this.#issued.delete(path)
      this.#latest.delete(path)
      for (const [display, of] of this.#pathOfDisplay) if (of === path) this.#pathOfDisplay.delete(display)
    }
  }
}

/** Of versions that share a tag, the one with this text. */
function findVersion(versions: readonly Version[], text: string): Version | undefined {
  const same = versions.find(version => version.text === text)
  if (same !== undefined || versions.every(version => version.text !== undefined)) return same
  const hash = fullHash(text)
  return versions.find(version => version.text === undefined && version.hash === hash)
}

function snapshotOf(versions: readonly Version[]): Snapshot {
  const [version, ...others] = versions
  if (others.length > 0) return { kind: 'ambiguous' }
  return version?.text === undefined ? { kind: 'dropped' } : { kind: 'kept', text: version.text }
}
