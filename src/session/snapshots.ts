// The texts that this session has shown or written, by path and tag. A tag has only 16 bits, so it only finds candidates. The
// text decides, or its SHA-256 if the text is no longer in memory. Texts are limited by size, hashes by number.

import { fullHash } from '../core/hash.ts'
import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { contentTag } from '../text/hashline/tag.ts'
import { allLines, mergeSpans, type LineSpan } from '../text/line-spans.ts'
import type { Freshness } from './freshness.ts'
import type { StateBudget } from './state-budget.ts'

/** The text for which a tag was issued, as far as it is known. */
export type Snapshot =
  | { readonly kind: 'kept'; readonly text: string }
  /** The text was dropped to stay within `limits.snapshotMaxBytes`. */
  | { readonly kind: 'dropped' }
  /** The session has shown several texts of the path with this tag. */
  | { readonly kind: 'ambiguous' }

/** Whether an edit that names `tag` may change a file whose current text is `liveText`. */
export type Authorization =
  | { readonly kind: 'current' }
  /** The tag was issued for another text. */
  | { readonly kind: 'stale'; readonly liveTag: string; readonly snapshot: Snapshot }
  /** The tag matches by accident, or except for trailing blanks: the session has never shown this text. */
  | { readonly kind: 'same-tag-other-text'; readonly liveTag: string; readonly snapshot: Snapshot }
  /** The session has not issued the tag for this path, or so long ago that even the hash was dropped. */
  | { readonly kind: 'unknown'; readonly liveTag: string; readonly mayBeForgotten: boolean }

/** The tags of one path, each with the SHA-256 of its texts; `null` for a text that a newer one has replaced. */
export interface IssuedTags {
  readonly path: VfsPath
  readonly tags: readonly (readonly [tag: string, hashes: readonly (string | null)[]])[]
}

/** A text for which a tag of `path` was issued. */
export type KeptText = readonly [path: VfsPath, tag: string, text: string]

/** The saved form for a session that continues later. */
export interface SavedSnapshots {
  /** Oldest path first. */
  readonly issued: readonly IssuedTags[]
  /** Newest first. Each belongs to a tag in `issued`, which contains its hash. */
  readonly texts: readonly KeptText[]
  /** The display names under which paths were shown. */
  readonly displays: readonly (readonly [display: string, path: VfsPath])[]
  /** Which rows of which text were shown, in that order. `index` is the position of its hash in the tag's hashes. */
  readonly rows?: readonly ShownRows[]
}

export type ShownRows = readonly [
  path: VfsPath,
  tag: string,
  index: number,
  spans: readonly (readonly [start: number, end: number])[],
]

export interface ShownVersion {
  readonly tag: string
  /** `undefined` if the text is no longer in memory. */
  readonly text: string | undefined
  readonly shown: readonly LineSpan[]
}

/** The number of hashes per session. Above it, the oldest paths are dropped and their tags become unknown. */
const defaultMaxIdentities = 100_000

/** The number of texts whose shown rows are saved in a state. */
const maxSavedRows = 10_000

/**
 * One text of one path. Its hash is computed only when the text is dropped, because comparing texts is far cheaper. A text that a
 * newer one of its path has replaced keeps only a mark without a hash: if the file gets that text again, it must be read again.
 */
interface Version {
  readonly path: VfsPath
  readonly tag: string
  /** The shown rows of the text. */
  shown: readonly LineSpan[]
  /** A higher number was shown later. */
  order: number
  text: string | undefined
  hash: string | undefined
}

export class SnapshotStore {
  /** path → tag → versions, oldest path first. */
  readonly #issued = new Map<VfsPath, Map<string, Version[]>>()
  readonly #kept: SizedLru<Version, string>
  /** The last text of each path that was shown or written. */
  readonly #latest = new Map<VfsPath, Version>()
  readonly #ofBytes = new WeakMap<Uint8Array, Version>()
  readonly #pathOfDisplay = new Map<string, VfsPath>()
  readonly #maxIdentities: number
  #identities = 0
  #order = 0
  #hasForgotten = false

  /** `saved` is from an earlier session, and has been checked. */
  constructor(
    maxTextBytes: number,
    maxIdentities: number = defaultMaxIdentities,
    { issued, texts, displays, rows = [] }: SavedSnapshots = { issued: [], texts: [], displays: [] },
  ) {
    this.#maxIdentities = maxIdentities
    this.#kept = new SizedLru(maxTextBytes, (version, text) => {
      if (this.#latest.get(version.path) === version) version.hash ??= fullHash(text)
      version.text = undefined
    })
    for (const { path, tags } of issued) {
      const versions = ([tag, hashes]: IssuedTags['tags'][number]): readonly [string, Version[]] => [
        tag,
        hashes.map(hash => ({ path, tag, text: undefined, hash: hash ?? undefined, shown: [], order: 0 })),
      ]
      this.#issued.set(path, new Map(tags.map(versions)))
      this.#identities += tags.reduce((sum, [, hashes]) => sum + hashes.length, 0)
    }
    for (const text of texts.toReversed()) this.#restore(text)
    for (const [path, tag, index, spans] of rows) {
      const version = this.#issued.get(path)?.get(tag)?.[index]
      if (version !== undefined)
        this.#show(
          version,
          spans.map(([start, end]) => ({ start, end })),
        )
    }
    for (const [display, path] of displays) if (this.#issued.has(path)) this.#pathOfDisplay.set(display, path)
    this.#forgetOldest()
  }

  #restore([path, tag, text]: KeptText): void {
    const hash = fullHash(text)
    const version = this.#issued
      .get(path)
      ?.get(tag)
      ?.find(issued => issued.hash === hash)
    if (version === undefined) return
    // The hash is reset. It is computed again when the text is dropped, if it is then the last text of its path.
    version.hash = undefined
    this.#latest.set(path, version)
    this.#keep(version, text)
  }

  /** The texts of all tags, as many as `budget` has space for. */
  save(budget: StateBudget): SavedSnapshots {
    const chosen = new Map<Version, string>()
    for (const [version, text] of this.#kept.newestFirst()) if (budget.take(text)) chosen.set(version, text)
    const texts = new Map<Version, KeptText>()
    const issued = [...this.#issued].map(([path, tags]) => ({
      path,
      tags: [...tags].map(([tag, versions]): IssuedTags['tags'][number] => {
        for (const version of versions) {
          const text = chosen.get(version)
          if (text !== undefined) texts.set(version, [path, tag, text])
        }
        return [tag, versions.map(version => this.#identityOf(version) ?? hashOf(chosen.get(version)))]
      }),
    }))
    return {
      issued,
      texts: [...chosen.keys()].flatMap(version => {
        const text = texts.get(version)
        return text === undefined ? [] : [text]
      }),
      displays: [...this.#pathOfDisplay].slice(-this.#maxIdentities),
      rows: this.#savedRows(),
    }
  }

  #savedRows(): readonly ShownRows[] {
    const rows: { readonly order: number; readonly saved: ShownRows }[] = []
    for (const [path, tags] of this.#issued) {
      for (const [tag, versions] of tags) {
        for (const [index, { order, shown }] of versions.entries()) {
          if (shown.length > 0) rows.push({ order, saved: [path, tag, index, shown.map(({ start, end }) => [start, end])] })
        }
      }
    }
    return rows
      .sort((one, other) => one.order - other.order)
      .slice(-maxSavedRows)
      .map(({ saved }) => saved)
  }

  #identityOf(version: Version): string | undefined {
    if (version.text !== undefined && this.#latest.get(version.path) === version) version.hash ??= fullHash(version.text)
    return version.hash
  }

  /**
   * Records that the model has seen or written `normalizedText` at `path`, and returns its tag. A caller that knows the tag
   * passes it. `rows` are the shown lines; by default all of them. `bytes` are the text in an array that never changes.
   */
  record(
    path: VfsPath,
    display: string,
    normalizedText: string,
    {
      tag = contentTag(normalizedText),
      rows = [allLines],
      bytes,
    }: { tag?: string; rows?: readonly LineSpan[]; bytes?: Uint8Array | undefined } = {},
  ): string {
    const tags = this.#issued.get(path) ?? new Map<string, Version[]>()
    const versions = tags.get(tag) ?? []
    let version = findVersion(versions, normalizedText)
    if (version === undefined) {
      version = { path, tag, text: undefined, hash: undefined, shown: [], order: 0 }
      versions.push(version)
      this.#identities++
    }
    this.#show(version, rows)
    this.#latest.set(path, version)
    if (bytes !== undefined) this.#ofBytes.set(bytes, version)
    this.#keep(version, normalizedText)
    tags.set(tag, versions)
    this.#issued.delete(path)
    this.#issued.set(path, tags)
    this.#pathOfDisplay.set(display, path)
    this.#forgetOldest()
    return tag
  }

  /** The tag of `normalizedText`, if it is the last text of `path` that was shown or written. Comparing is faster than computing it. */
  latestTag(path: VfsPath, normalizedText: string): string | undefined {
    const latest = this.#latest.get(path)
    return latest?.text === normalizedText ? latest.tag : undefined
  }

  /** The text that was recorded with this very array of bytes, if it is still in memory, and its tag. */
  textFrom(bytes: Uint8Array): { readonly text: string; readonly tag: string } | undefined {
    const version = this.#ofBytes.get(bytes)
    return version?.text === undefined ? undefined : { text: version.text, tag: version.tag }
  }

  authorize(path: VfsPath, tag: string, liveText: string, liveTag: string = contentTag(liveText)): Authorization {
    const versions = this.#issued.get(path)?.get(tag)
    if (versions === undefined) return { kind: 'unknown', liveTag, mayBeForgotten: this.#hasForgotten }
    if (liveTag !== tag) return { kind: 'stale', liveTag, snapshot: snapshotOf(versions) }
    if (findVersion(versions, liveText) !== undefined) return { kind: 'current' }
    return { kind: 'same-tag-other-text', liveTag, snapshot: snapshotOf(versions) }
  }

  /** Whether `text` is the last text of `path` that was shown or written. */
  freshness(path: VfsPath, text: string): Freshness {
    const latest = this.#latest.get(path)
    if (latest === undefined) return 'never-seen'
    const isSame = latest.text === undefined ? latest.hash === fullHash(text) : latest.text === text
    return isSame ? 'current' : 'changed'
  }

  /** The rows of `text` at `path` that the model knows. */
  shownRows(path: VfsPath, tag: string, text: string): readonly LineSpan[] {
    return findVersion(this.#issued.get(path)?.get(tag) ?? [], text)?.shown ?? []
  }

  /** All texts of `path` with shown rows, the last one first. */
  shownVersions(path: VfsPath): readonly ShownVersion[] {
    return [...(this.#issued.get(path)?.values() ?? [])]
      .flat()
      .filter(({ shown }) => shown.length > 0)
      .sort((one, other) => other.order - one.order)
  }

  #show(version: Version, rows: readonly LineSpan[]): void {
    version.shown = mergeSpans([...version.shown, ...rows])
    version.order = ++this.#order
  }

  /** The text of a header as it was displayed; `undefined` if it is unknown, ambiguous or no longer in memory. */
  textOf(display: string, tag: string): string | undefined {
    const path = this.#pathOfDisplay.get(display)
    const versions = path === undefined ? undefined : this.#issued.get(path)?.get(tag)
    const snapshot = versions === undefined ? undefined : snapshotOf(versions)
    return snapshot?.kind === 'kept' ? snapshot.text : undefined
  }

  #keep(version: Version, text: string): void {
    version.text = text
    // UTF-16: two bytes per code unit.
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

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : fullHash(text)
}

/** The version with this text among those that share a tag. */
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
