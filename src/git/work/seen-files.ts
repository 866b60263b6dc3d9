// What is known of a work tree since it was last looked at. On filesystems that tell of every change, a file that nobody touched since
// it was as the index has it is not looked at again, and a directory in which nothing came or went is not listed again.

import type { Change, ChangeBatch } from '../../vfs/backend.ts'
import type { GitFiles } from '../files.ts'
import type { IndexEntry, TrackedPaths } from '../index/git-index.ts'

export class SeenFiles {
  readonly #prefix: string
  /** Files that are as their entry says. */
  readonly #same = new Map<string, IndexEntry>()
  /** What directories hold beside tracked files. */
  readonly #rows = new Map<string, readonly string[]>()
  #tracked: TrackedPaths | undefined
  #settings = ''
  #changeCount = 0

  /** `undefined` where not every change is told in time. */
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

  /** Counts changes: what was read while something changed is not kept. */
  get changeCount(): number {
    return this.#changeCount
  }

  /** What was seen under other settings, which decide what counts as the same, is forgotten. */
  under(settings: string): void {
    if (settings !== this.#settings) this.#same.clear()
    this.#settings = settings
  }

  isSame(entry: IndexEntry): boolean {
    return this.#same.get(entry.path) === entry
  }

  /** `changeCount`: as it was before the file was looked at. */
  keepSame(entry: IndexEntry, changeCount: number): void {
    if (changeCount === this.#changeCount) this.#same.set(entry.path, entry)
  }

  /** What a directory holds beside tracked files, directories with '/' behind them; `undefined` when that is not known. */
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
    // A directory comes or goes with all that is in it.
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
