// The numbered conflicts that this session was shown. A number stays with its conflict until the conflict is resolved, and is valid only
// for the text that was shown. If the text changes, or an identical conflict appears or disappears, the number becomes invalid.

import { fullHash } from '../core/hash.ts'
import type { VfsPath } from '../core/path.ts'

export interface RegisteredConflict {
  readonly id: number
  readonly path: VfsPath
  readonly display: string
}

interface Entry extends RegisteredConflict {
  readonly hash: string
}

/** The saved form for a session that continues later. It contains hashes but no texts. */
export interface SavedConflicts {
  readonly nextId: number
  /** In the order of the file; files by their last access, oldest first. */
  readonly entries: readonly (readonly [id: number, path: VfsPath, display: string, hash: string])[]
}

/** Beyond this number, the conflicts of the file that was accessed longest ago are forgotten. */
const maxConflicts = 10_000

export class ConflictRegistry {
  /** path → its conflicts in the order of the file; files by their last access, oldest first. */
  readonly #files = new Map<VfsPath, readonly Entry[]>()
  #nextId: number

  /** `saved` is from an earlier session, and has been checked. */
  constructor(saved: SavedConflicts = { nextId: 1, entries: [] }) {
    this.#nextId = saved.nextId
    const files = new Map<VfsPath, Entry[]>()
    for (const [id, path, display, hash] of saved.entries) {
      const entry = { id, path, display, hash }
      const entries = files.get(path)
      if (entries === undefined) files.set(path, [entry])
      else entries.push(entry)
    }
    for (const [path, entries] of files) this.#files.set(path, entries)
  }

  save(): SavedConflicts {
    return {
      nextId: this.#nextId,
      entries: [...this.#files.values()].flat().map(({ id, path, display, hash }) => [id, path, display, hash]),
    }
  }

  /** Records all conflicts of a file, given by their texts, and returns their numbers. A known text keeps its number. */
  register(path: VfsPath, display: string, texts: readonly string[]): readonly number[] {
    const known = [...(this.#files.get(path) ?? [])]
    const entries = texts.map((text): Entry => {
      const hash = fullHash(text)
      const index = known.findIndex(entry => entry.hash === hash)
      const [same] = index === -1 ? [] : known.splice(index, 1)
      return { id: same?.id ?? this.#nextId++, path, display, hash }
    })
    this.#files.delete(path)
    if (entries.length > 0) this.#files.set(path, entries)
    this.#forgetOldest(path)
    return entries.map(entry => entry.id)
  }

  /** The unresolved conflicts, by file. */
  all(): ReadonlyMap<VfsPath, readonly RegisteredConflict[]> {
    return this.#files
  }

  get(id: number): RegisteredConflict | undefined {
    return [...this.#files.values()].flat().find(entry => entry.id === id)
  }

  /** Whether `id` was assigned and is no longer valid: resolved, or no longer found in its file. */
  isPast(id: number): boolean {
    return id < this.#nextId && this.get(id) === undefined
  }

  /**
   * Where the conflicts of a file are now: number → index in `texts`, the conflicts that the file contains. Conflicts whose place is
   * uncertain are missing.
   */
  locate(path: VfsPath, texts: readonly string[]): ReadonlyMap<number, number> {
    const places = groupBy(texts.map(fullHash).entries(), ([, hash]) => hash)
    const twins = groupBy(this.#files.get(path) ?? [], entry => entry.hash)
    const located = new Map<number, number>()
    for (const [hash, entries] of twins) {
      const indices = places.get(hash) ?? []
      if (indices.length !== entries.length) continue
      for (const [nth, [index]] of indices.entries()) {
        const entry = entries[nth]
        if (entry !== undefined) located.set(entry.id, index)
      }
    }
    return located
  }

  /** Forgets conflicts that are resolved. */
  forget(ids: ReadonlySet<number>): void {
    for (const [path, entries] of this.#files) {
      const left = entries.filter(entry => !ids.has(entry.id))
      if (left.length === 0) this.#files.delete(path)
      else this.#files.set(path, left)
    }
  }

  #forgetOldest(keep: VfsPath): void {
    let count = [...this.#files.values()].flat().length
    for (const [path, entries] of this.#files) {
      if (count <= maxConflicts || path === keep) return
      count -= entries.length
      this.#files.delete(path)
    }
  }
}

function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}
