// Cached knowledge of a work tree. On filesystems that report every change, an unchanged file is not read again, and a directory is not
// listed again if none of its entries was added or removed.

import type { Change, ChangeBatch } from '../../vfs/backend.ts'
import type { GitFiles } from '../files.ts'
import type { IndexEntry, TrackedPaths } from '../index/git-index.ts'

export class SeenFiles {
  readonly #prefix: string
  /** Files that match their index entry. */
  readonly #same = new Map<string, IndexEntry>()
  /** Untracked entries of directories. */
  readonly #rows = new Map<string, readonly string[]>()
  #tracked: TrackedPaths | undefined
  #settings = ''
  #changeCount = 0

  /** `undefined` if not every change is reported in time. */
  static async watch(files: GitFiles, root: string): Promise<SeenFiles | undefined> {
    const { vfs } = files
    if (vfs.sync === undefined || (await vfs.caps()).watch !== 'exact') return undefined
    const seen = new SeenFiles(root)
    await vfs.watch(root, batch => seen.#hear(batch), { immediate: true })
    return seen
  }

  private constructor(root: string) {
    this.#prefix = root === '/' ? '/' : `${root}/`
  }

  /** Counts changes: a result is not kept if something changed while it was computed. */
  get changeCount(): number {
    return this.#changeCount
  }

  /** Drops what was seen under other settings, because settings decide what counts as equal. */
  under(settings: string): void {
    if (settings !== this.#settings) this.#same.clear()
    this.#settings = settings
  }

  isSame(entry: IndexEntry): boolean {
    return this.#same.get(entry.path) === entry
  }

  /** `changeCount`: its value before the file was read. */
  keepSame(entry: IndexEntry, changeCount: number): void {
    if (changeCount === this.#changeCount) this.#same.set(entry.path, entry)
  }

  /** The untracked entries of a directory, with '/' after directories; `undefined` if unknown. */
  rowsOf(directory: string, tracked: TrackedPaths): readonly string[] | undefined {
    if (this.#tracked !== tracked) this.#rows.clear()
    this.#tracked = tracked
    return this.#rows.get(directory)
  }

  keepRows(directory: string, tracked: TrackedPaths, rows: readonly string[], changeCount: number): void {
    if (changeCount === this.#changeCount && tracked === this.#tracked) this.#rows.set(directory, rows)
  }

  #hear({ changes, overflow }: ChangeBatch): void {
    if (overflow) this.#forgetAll()
    for (const change of changes) {
      this.#forget(change.path, change)
      if (change.oldPath !== undefined) this.#forget(change.oldPath, change)
    }
  }

  #forget(place: string, { type, kind }: Change): void {
    const path = place.startsWith(this.#prefix) ? place.slice(this.#prefix.length) : undefined
    if (path === '.git' || path?.startsWith('.git/') === true) return
    this.#changeCount++
    const staysInPlace = type === 'modify' || type === 'attributes'
    // A directory is added or removed with all its entries.
    if (path === undefined || (kind === 'directory' && !staysInPlace && type !== 'create')) {
      this.#forgetAll()
      return
    }
    this.#same.delete(path)
    if (staysInPlace) return
    const end = path.lastIndexOf('/')
    this.#rows.delete(end === -1 ? '' : path.slice(0, end))
  }

  #forgetAll(): void {
    this.#changeCount++
    this.#same.clear()
    this.#rows.clear()
  }
}
