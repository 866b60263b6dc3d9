// Which texts this session has shown or written, by path and tag. A tag has 16 bits, so it only finds a text; the text itself decides,
// or the SHA-256 that is left of it once memory ran short. Texts are bounded by weight, identities by number.

import { fullHash } from '../core/hash.ts'
import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { contentTag } from '../text/hashline/tag.ts'
import { allLines, mergeSpans, type LineSpan } from '../text/line-spans.ts'
import type { Freshness } from './freshness.ts'
import type { StateBudget } from './state-budget.ts'

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

/** A text that a tag of `path` stood for. */
export type KeptText = readonly [path: VfsPath, tag: string, text: string]

/** What a store leaves for a session that goes on later. */
export interface SavedSnapshots {
  /** Oldest path first. */
  readonly issued: readonly IssuedTags[]
  /** Newest first. Each is of a tag in `issued`, with its hash among those of the tag. */
  readonly texts: readonly KeptText[]
  /** Under which names paths were shown. */
  readonly displays: readonly (readonly [display: string, path: VfsPath])[]
  /** Which rows of which text were shown, in the order in which they were. `index` is that of the hash among those of the tag. */
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
  /** `undefined` when it is no longer in memory. */
  readonly text: string | undefined
  readonly shown: readonly LineSpan[]
}

/** Identities remembered per session; beyond it the oldest paths are forgotten and their tags become unknown. */
const defaultMaxIdentities = 100_000

/** Texts whose shown rows a state holds. */
const maxSavedRows = 10_000

/**
 * One text of one path. Its hash is only made when the text is dropped: comparing texts is far cheaper than hashing them. A text that a
 * newer one of its path has replaced leaves no hash, only that it was there: should the file come to hold it again, it is read again.
 */
interface Version {
  readonly path: VfsPath
  readonly tag: string
  /** Rows that were shown of it. */
  shown: readonly LineSpan[]
  /** Higher for what was shown later. */
  order: number
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
  #order = 0
  #hasForgotten = false

  /** `saved` is of a session before this one, and was looked at already. */
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
    // As it was: hashed again when it is dropped, should it still be the last of its path then.
    version.hash = undefined
    this.#latest.set(path, version)
    this.#keep(version, text)
  }

  /** What every tag stood for, with as many of the texts as `budget` has room for. */
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
   * Notes that the model has seen or written `normalizedText` at `path`, and gives its tag. Whoever knows the tag passes it. `rows` are
   * the lines that it was shown; without them, all.
   */
  record(
    path: VfsPath,
    display: string,
    normalizedText: string,
    { tag = contentTag(normalizedText), rows = [allLines] }: { tag?: string; rows?: readonly LineSpan[] } = {},
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

  /** Whether `text` is what was shown or written last of `path`. */
  freshness(path: VfsPath, text: string): Freshness {
    const latest = this.#latest.get(path)
    if (latest === undefined) return 'never-seen'
    const isSame = latest.text === undefined ? latest.hash === fullHash(text) : latest.text === text
    return isSame ? 'current' : 'changed'
  }

  /** Rows of `text`, a text of `path`, that the model knows. */
  shownRows(path: VfsPath, tag: string, text: string): readonly LineSpan[] {
    return findVersion(this.#issued.get(path)?.get(tag) ?? [], text)?.shown ?? []
  }

  /** Every text of `path` of which rows were shown, the one that was shown last first. */
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

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : fullHash(text)
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
