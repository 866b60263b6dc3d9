// Prefetches files. Scripts mostly read files in the order of a directory listing, so the worker then requests several files at
// once. A prefetched content is used once, within a short time, and never after the script has changed the file or waited. To the
// script, each file appears to be read when it asks for it.

import { isPromise } from '../../vfs/is-promise.ts'
import type { Awaitable, FileEntry, FileStat, ShellFiles } from '../../shell/files.ts'

export interface AheadOf {
  readonly stats: FileStat
  readonly contents: ContentAhead
}

export type AheadKind = keyof AheadOf

export interface ContentAhead {
  /** The revision at which the file had this content. */
  readonly rev: number
  readonly bytes: Uint8Array
}

/**
 * The result for each path in order. `null` if the path must be requested separately. If the list is shorter than the request,
 * the rest did not fit.
 */
export type FilesAhead<K extends AheadKind> = readonly (AheadOf[K] | null)[]

export type AskAhead = <K extends AheadKind>(of: K, paths: readonly string[]) => Awaitable<{ readonly found: FilesAhead<K> }>

/** A prefetched content that the script has used. */
export type TakenFile = readonly [path: string, rev: number]

/** The maximum number of paths in one request. */
const maxWindow = 512
/** How many names a script can skip in a listing that it reads in order. */
const maxPassedNames = 16
const freshMs = 100
const maxListedNames = 200_000

/** A listed directory and the script's position in it. */
class Listing {
  readonly #prefix: string
  readonly #entries: readonly FileEntry[]
  readonly #places: Record<AheadKind, number> = { stats: -1, contents: -1 }

  constructor(prefix: string, entries: readonly FileEntry[]) {
    this.#prefix = prefix
    this.#entries = entries
  }

  /** Moves the position to `path`. Returns whether it is one of the next names. */
  moveTo(path: string, of: AheadKind): boolean {
    const name = path.slice(this.#prefix.length)
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle]?.name ?? '') < name) low = middle + 1
      else high = middle
    }
    if (this.#entries[low]?.name !== name) return false
    const passedNames = low - this.#places[of] - 1
    this.#places[of] = low
    return passedNames >= 0 && passedNames <= maxPassedNames
  }

  /** Returns `path`, to which the position moves, and the names that follow it. */
  from(path: string, of: AheadKind, count: number): readonly string[] {
    const paths = [path]
    for (const { name, kind } of this.#entries.slice(this.#places[of] + 1, this.#places[of] + count))
      if (of === 'contents' ? kind === 'file' : kind !== 'symlink') paths.push(this.#prefix + name)
    return paths
  }
}

/** The prefetched contents or stats. */
class Kept<T> {
  readonly #byPath = new Map<string, { readonly value: T; readonly atMs: number }>()
  /** The number of paths to request at once. It grows if most prefetched results were used, and shrinks otherwise. */
  window = 1
  #given = 0
  #used = 0

  take(path: string): T | undefined {
    const kept = this.#byPath.get(path)
    if (kept === undefined) return undefined
    this.#byPath.delete(path)
    if (performance.now() - kept.atMs > freshMs) return undefined
    this.#used += 1
    return kept.value
  }

  /** The number of paths to request at the next name in order. */
  nextWindow(): number {
    this.window = this.#used * 2 >= this.#given ? Math.min(this.window * 2, maxWindow) : Math.max(1, this.window >> 2)
    this.#given = 0
    this.#used = 0
    return this.window
  }

  keep(paths: readonly string[], values: readonly (T | null)[]): void {
    if (this.#byPath.size > maxWindow) this.#byPath.clear()
    const atMs = performance.now()
    values.forEach((value, index) => {
      const path = paths[index]
      if (value === null || path === undefined || index === 0) return
      this.#byPath.set(path, { value, atMs })
      this.#given += 1
    })
  }

  drop(path: string): void {
    this.#byPath.delete(path)
    for (const kept of this.#byPath.keys()) if (kept.startsWith(`${path}/`)) this.#byPath.delete(kept)
  }

  clear(): void {
    this.#byPath.clear()
  }
}

export class ReadAhead {
  readonly #ask: AskAhead
  readonly #listings = new Map<string, Listing>()
  #listedNames = 0
  readonly #stats = new Kept<FileStat>()
  readonly #contents = new Kept<ContentAhead>()
  /** Increases with each change of the files. Answers to earlier requests are discarded. */
  #epoch = 0
  #taken: TakenFile[] = []

  constructor(ask: AskAhead) {
    this.#ask = ask
  }

  /** Wraps the files so that reads are prefetched. */
  over(files: ShellFiles): ShellFiles {
    const changing = <T>(paths: readonly string[], work: () => Awaitable<T>): Awaitable<T> => {
      const forget = (): void => paths.forEach(path => this.#drop(path))
      forget()
      const done = work()
      if (!isPromise(done)) return done
      // A content that was read during the change may be outdated.
      return done.finally(forget)
    }
    const everything = <T>(work: () => Awaitable<T>): Awaitable<T> => {
      this.forget()
      const done = work()
      return isPromise(done) ? done.finally(() => this.forget()) : done
    }
    return {
      ...files,
      readFile: (path, range) =>
        range?.start === undefined && range?.end === undefined
          ? this.#content(path, () => files.readFile(path))
          : files.readFile(path, range),
      stat: path => this.#stat(path, () => files.stat(path)),
      lstat: path => this.#stat(path, () => files.lstat(path)),
      readdir: path => whenThere(files.readdir(path), entries => this.#list(path, entries)),
      writeFile: (path, ...how) => changing([path], () => files.writeFile(path, ...how)),
      mkdir: (path, how) => changing([path], () => files.mkdir(path, how)),
      rm: (path, how) => changing([path], () => files.rm(path, how)),
      chmod: (path, mode) => changing([path], () => files.chmod(path, mode)),
      utimes: (path, mtimeMs, atimeMs) => changing([path], () => files.utimes(path, mtimeMs, atimeMs)),
      rename: (from, to) => everything(() => files.rename(from, to)),
      link: (existing, path) => everything(() => files.link(existing, path)),
      symlink: (target, path) => everything(() => files.symlink(target, path)),
    }
  }

  /**
   * Discards all prefetched results. Called before the script waits or pauses, and after a change under a path other than the real path.
   */
  forget(): void {
    this.#epoch += 1
    this.#stats.clear()
    this.#contents.clear()
  }

  /** The contents that were used since the last call. */
  taken(): readonly TakenFile[] | undefined {
    if (this.#taken.length === 0) return undefined
    const taken = this.#taken
    this.#taken = []
    return taken
  }

  #drop(path: string): void {
    this.#epoch += 1
    this.#stats.drop(path)
    this.#contents.drop(path)
  }

  #list(path: string, entries: readonly FileEntry[]): readonly FileEntry[] {
    if (this.#listedNames > maxListedNames) {
      this.#listings.clear()
      this.#listedNames = 0
    }
    this.#listedNames += entries.length
    const prefix = path === '/' ? '/' : `${path}/`
    this.#listings.set(prefix, new Listing(prefix, entries))
    return entries
  }

  #stat(path: string, alone: () => Awaitable<FileStat>): Awaitable<FileStat> {
    return whenThere(this.#read(this.#stats, 'stats', path), stat => stat ?? alone())
  }

  #content(path: string, alone: () => Awaitable<Uint8Array>): Awaitable<Uint8Array> {
    return whenThere(this.#read(this.#contents, 'contents', path), content => {
      if (content === undefined) return alone()
      this.#taken.push([path, content.rev])
      return content.bytes
    })
  }

  /** Returns `undefined` if the file must be requested separately. */
  #read<K extends AheadKind>(kept: Kept<AheadOf[K]>, of: K, path: string): Awaitable<AheadOf[K] | undefined> {
    const listing = this.#listings.get(directoryOf(path))
    const isNext = listing?.moveTo(path, of) === true
    const known = kept.take(path)
    if (known !== undefined || listing === undefined || !isNext) return known
    const paths = listing.from(path, of, kept.nextWindow())
    if (paths.length < 2) return undefined
    const epoch = this.#epoch
    return whenThere(this.#ask(of, paths), ({ found }) => {
      if (epoch === this.#epoch) kept.keep(paths, found)
      return found[0] ?? undefined
    })
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function whenThere<T, U>(value: Awaitable<T>, use: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(use) : use(value)
}
