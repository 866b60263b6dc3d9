// The index as a table: the content of the next commit, with the stats of each file when it was last read, so that a file is only read
// again if its stats differ. Entries are values; a copy of the table is cheap.

import { compareText, type ObjectId } from '../store/object-format.ts'
import type { CachedTree } from './cached-tree.ts'

/** The stats of a file when it was staged, in git's format. Seconds and nanoseconds. */
export interface IndexStat {
  readonly ctimeSeconds: number
  readonly ctimeNanoseconds: number
  readonly mtimeSeconds: number
  readonly mtimeNanoseconds: number
  readonly device: number
  /** The lowest 32 bits. */
  readonly inode: number
  readonly userId: number
  readonly groupId: number
  /** The lowest 32 bits. 0 for a file with content means that the stats are unreliable. */
  readonly sizeBytes: number
}

export interface IndexEntry {
  /** From the root of the work tree, as byte text. */
  readonly path: string
  readonly oid: ObjectId
  readonly mode: number
  /** 0, or in a conflict 1 (base), 2 (ours), 3 (theirs). */
  readonly stage: number
  readonly stat: IndexStat
  readonly isAssumedValid: boolean
  readonly isSkipped: boolean
  readonly isIntentToAdd: boolean
}

const noStat: IndexStat = {
  ctimeSeconds: 0,
  ctimeNanoseconds: 0,
  mtimeSeconds: 0,
  mtimeNanoseconds: 0,
  device: 0,
  inode: 0,
  userId: 0,
  groupId: 0,
  sizeBytes: 0,
}

/** An entry of stage 0 without flags, whose file was not read yet. */
export function newEntry(path: string, mode: number, oid: ObjectId, stat: IndexStat = noStat, stage: number = 0): IndexEntry {
  return { path, oid, mode, stage, stat, isAssumedValid: false, isSkipped: false, isIntentToAdd: false }
}

type Stages = readonly [IndexEntry | undefined, IndexEntry | undefined, IndexEntry | undefined]

/** The paths of an index; the same object, even in copies, until one is added or removed. */
export class TrackedPaths {
  #directories: ReadonlySet<string> | undefined

  /** Every directory that contains one of `paths`, which are those of the index. */
  directories(paths: Iterable<string>): ReadonlySet<string> {
    return (this.#directories ??= directoriesOf(paths))
  }
}

export class GitIndex {
  #entries: Map<string, IndexEntry>
  readonly #unmerged: Map<string, Stages>
  /** Shared with copies until one of them changes. */
  #isShared = false
  #tracked = new TrackedPaths()
  #sorted: readonly IndexEntry[] | undefined
  #isChanged = false
  /** Cached IDs of trees; changing an entry drops those above it. */
  tree: CachedTree | undefined
  /** When the file was written, in milliseconds; 0 for a new one. */
  readonly writtenMs: number
  readonly version: number

  constructor(entries: readonly IndexEntry[] = [], tree?: CachedTree, writtenMs: number = 0, version: number = 2) {
    this.#entries = new Map()
    this.#unmerged = new Map()
    this.tree = tree
    this.writtenMs = writtenMs
    this.version = version
    for (const entry of entries) {
      if (entry.stage === 0) this.#entries.set(entry.path, entry)
      else this.#setStage(entry)
    }
    if (entries.length > 0) this.#sorted = entries
  }

  /** `writtenMs`: when the copy was written, if that is not when this was. */
  copy(writtenMs: number = this.writtenMs): GitIndex {
    const copy = new GitIndex([], this.tree?.copy(), writtenMs, this.version)
    copy.#sorted = this.sorted()
    copy.#entries = this.#entries
    for (const [path, stages] of this.#unmerged) copy.#unmerged.set(path, stages)
    copy.#tracked = this.#tracked
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  /** Whether it differs from the file that it was read from, even if only in stats. */
  get isChanged(): boolean {
    return this.#isChanged || this.writtenMs === 0
  }

  get tracked(): TrackedPaths {
    return this.#tracked
  }

  /** Every directory that contains an entry. */
  directories(): ReadonlySet<string> {
    return this.#tracked.directories(this.paths())
  }

  /** The number of entries, counting each stage of a conflict. */
  get size(): number {
    return this.sorted().length
  }

  get hasConflicts(): boolean {
    return this.#unmerged.size > 0
  }

  /** The entry of stage 0. */
  get(path: string): IndexEntry | undefined {
    return this.#entries.get(path)
  }

  /** Base, ours and theirs of a conflict. */
  stages(path: string): Stages | undefined {
    return this.#unmerged.get(path)
  }

  /** Whether the path has an entry of any stage. */
  has(path: string): boolean {
    return this.#entries.has(path) || this.#unmerged.has(path)
  }

  /** Paths of conflicts in order. */
  conflicts(): readonly string[] {
    return [...this.#unmerged.keys()].sort(compareText)
  }

  /** Every entry, sorted by path, then by stage. */
  sorted(): readonly IndexEntry[] {
    if (this.#sorted !== undefined) return this.#sorted
    const all = [...this.#entries.values()]
    for (const stages of this.#unmerged.values()) for (const entry of stages) if (entry !== undefined) all.push(entry)
    all.sort((a, b) => compareText(a.path, b.path) || a.stage - b.stage)
    this.#sorted = all
    return all
  }

  /** The paths in order, each once. */
  paths(): readonly string[] {
    const paths: string[] = []
    for (const { path } of this.sorted()) if (paths.at(-1) !== path) paths.push(path)
    return paths
  }

  /**
   * Puts an entry of stage 0. It resolves a conflict at the path, and replaces a file where it needs a directory, or a directory where it
   * is a file.
   */
  set(entry: IndexEntry): void {
    this.#unshare()
    const before = this.#entries.get(entry.path)
    const hadConflict = this.#unmerged.delete(entry.path)
    if (before === undefined) this.#makeRoom(entry.path)
    if (before === undefined && !hadConflict) this.#tracked = new TrackedPaths()
    this.#entries.set(entry.path, entry)
    this.#changed(
      entry.path,
      before === undefined || before.oid !== entry.oid || before.mode !== entry.mode || before.isIntentToAdd,
    )
  }

  /** Replaces the stats or flags of an entry, which does not change the next commit. */
  refresh(entry: IndexEntry): void {
    if (!this.#entries.has(entry.path)) return
    this.#unshare()
    this.#entries.set(entry.path, entry)
    this.#changed(entry.path, false)
  }

  /** Replaces the entry by a conflict. */
  setConflict(path: string, stages: Stages): void {
    this.#unshare()
    if (!this.has(path)) this.#tracked = new TrackedPaths()
    this.#entries.delete(path)
    this.#unmerged.set(path, stages)
    this.#changed(path, true)
  }

  /** Removes all stages. */
  remove(path: string): boolean {
    if (!this.has(path)) return false
    this.#unshare()
    const had = this.#entries.delete(path)
    const hadConflict = this.#unmerged.delete(path)
    this.#tracked = new TrackedPaths()
    this.#changed(path, true)
    return had || hadConflict
  }

  /** Whether any entry is below the directory. */
  hasBelow(directory: string): boolean {
    const sorted = this.sorted()
    const prefix = `${directory}/`
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareText(sorted[middle]?.path ?? '', prefix) < 0) low = middle + 1
      else high = middle
    }
    return sorted[low]?.path.startsWith(prefix) ?? false
  }

  #setStage(entry: IndexEntry): void {
    const [base, ours, theirs] = this.#unmerged.get(entry.path) ?? [undefined, undefined, undefined]
    this.#unmerged.set(entry.path, [
      entry.stage === 1 ? entry : base,
      entry.stage === 2 ? entry : ours,
      entry.stage === 3 ? entry : theirs,
    ])
  }

  #makeRoom(path: string): void {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end)
      if (this.#entries.has(above)) this.remove(above)
    }
    // Only a new name that is also a directory here can have entries below it. That is rare, so a binary search is enough.
    if (this.#sorted !== undefined && this.hasBelow(path)) {
      for (const entry of this.#sorted) if (entry.path.startsWith(`${path}/`)) this.remove(entry.path)
    } else if (this.#sorted === undefined && this.#directories().has(path)) {
      for (const below of [...this.#entries.keys()]) if (below.startsWith(`${path}/`)) this.remove(below)
    }
  }

  #directoryNames: Set<string> | undefined
  /** Every directory that contains an entry. Kept while entries are added in sequence. */
  #directories(): ReadonlySet<string> {
    if (this.#directoryNames !== undefined) return this.#directoryNames
    return (this.#directoryNames = directoriesOf(this.#entries.keys()))
  }

  #unshare(): void {
    if (this.#isShared) this.#entries = new Map(this.#entries)
    this.#isShared = false
  }

  #changed(path: string, isContent: boolean): void {
    this.#isChanged = true
    this.#sorted = undefined
    if (!isContent) return
    this.tree?.invalidate(path)
    if (this.#directoryNames === undefined) return
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const name = path.slice(0, end)
      if (this.#directoryNames.has(name)) break
      this.#directoryNames.add(name)
    }
  }
}

function directoriesOf(paths: Iterable<string>): Set<string> {
  const names = new Set<string>()
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const name = path.slice(0, end)
      if (names.has(name)) break
      names.add(name)
    }
  }
  return names
}
