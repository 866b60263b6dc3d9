// The one way to search the contents of many files: in order, each as it was at one moment, with the index where it helps, in steps
// that let others run and hear an abort. What is looked for in a file, and what becomes of it, is the caller's.

import { nextTurn } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import type { Candidate, IndexQuery } from '../search/index/block-index.ts'
import type { Region } from '../search/lines.ts'
import type { SearchOutcome } from '../search/matcher.ts'
import type { Pattern } from '../search/pattern.ts'
import { searchableText } from '../search/searchable.ts'
import type { Stat } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import { type FileSource, openFileSource } from './file-source.ts'
import { versionOf } from './file-version.ts'
import { lstatIfThere, readFileIfThere } from './if-there.ts'
import { bytesAtOnce, lookupAtOnce } from './search-bytes.ts'
import { type SearchIndex, searchIndexOf } from './search-index.ts'
import type { WorkspaceScope } from './workspace-scope.ts'

export interface FileToSearch {
  readonly path: VfsPath
}

/** A look into one file: `steps` pause by yielding, and add to `found` as they go. */
export interface Inspection<T> {
  readonly found: T
  readonly steps: Generator<undefined, SearchOutcome, undefined>
}

export type FileAnswer<T> =
  /** No line matches, or no regular file is there. */
  | { readonly kind: 'none' }
  | { readonly kind: 'binary' }
  /** Larger than `maxFileBytes`. */
  | { readonly kind: 'oversized'; readonly sizeBytes: number }
  /** The filesystem refused to read it. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** `found` is only part of what is there when the time was over before the end. */
  | {
      readonly kind: 'searched'
      readonly found: T
      readonly bytes: Uint8Array
      readonly isTimedOut: boolean
      /** `bytes` are not those of the file, but its UTF-16 text in UTF-8. */
      readonly wasDecoded: boolean
    }
  /** The time was over before it was looked at. */
  | { readonly kind: 'timed-out' }

export interface SearchDriverOptions<F extends FileToSearch, T> extends SearchGround {
  /** What the index may rule files and lines out by; `undefined` when every file must be inspected. */
  readonly pattern: Pattern | undefined
  readonly files: readonly F[]
  readonly maxFileBytes: number
  /** Default: UTF-16 with a byte order mark is inspected as UTF-8. False: bytes are inspected as they are stored. */
  readonly decodes?: boolean
  /** Binary files are inspected too. */
  readonly looksIntoBinary?: boolean
  /**
   * `bytes` may be the filesystem's own: not to be written, and to be copied if they are kept. With `regions`, only those lines can
   * match.
   */
  readonly inspect: (file: F, bytes: Uint8Array, regions: readonly Region[] | undefined) => Inspection<T>
  /** Hears of every file, in order; `false` ends the search. */
  readonly onFile: (file: F, answer: FileAnswer<T>) => boolean
  /** Called now and then while files are read. */
  readonly onProgress?: () => void
  readonly isTimeOver: () => boolean
  readonly signal: AbortSignal
}

/** An abort must be heard within 50 ms; a step of the search takes a few. */
const pauseEveryMs = 25

/** What a search runs on: the files of one moment, and what the workspace knows of them. */
export interface SearchGround {
  readonly source: FileSource
  readonly index: SearchIndex
}

/** Runs `work` on the files as they are now. While it runs, nothing is indexed. */
export async function withSearchGround<R>(
  scope: Pick<WorkspaceScope, 'vfs' | 'index'>,
  signal: AbortSignal,
  work: (ground: SearchGround) => Promise<R>,
): Promise<R> {
  const index = await searchIndexOf(scope, signal)
  return index.whileSearching(async () => {
    const source = await openFileSource(scope.vfs)
    try {
      return await work({ source, index })
    } finally {
      await source.dispose()
    }
  })
}

/** Resolves when all files were searched, `onFile` ended it, or the time was over. Throws when the signal aborts. */
export async function searchFiles<F extends FileToSearch, T>(options: SearchDriverOptions<F, T>): Promise<void> {
  const { index, files, signal } = options
  signal.throwIfAborted()
  const search = new FileSearch(options)
  try {
    for (const [position, file] of files.entries()) {
      const answer = search.answerFor(file, position)
      if (!options.onFile(file, answer instanceof Promise ? await answer : answer)) return
    }
  } finally {
    index.offer(search.unindexed)
  }
}

const none = { kind: 'none' } as const
const binary = { kind: 'binary' } as const

class FileSearch<F extends FileToSearch, T> {
  readonly #options: SearchDriverOptions<F, T>
  readonly #query: IndexQuery | undefined
  /** By place in the list of all files, for as long as the index is current. */
  readonly #candidateAt: ((position: number) => Candidate) | undefined
  /** What the index should know and does not. */
  readonly unindexed: VfsPath[] = []
  #lastPauseMs = performance.now()

  constructor(options: SearchDriverOptions<F, T>) {
    this.#options = options
    const { index, pattern, files, source } = options
    this.#query = pattern && index.blocks.query(pattern)
    if (index.isCurrentAt(source.seq)) this.#candidateAt = this.#query?.candidateIn(files)
  }

  /** Waits only where it must: most files of most searches hold nothing, and are there at once. */
  answerFor(file: F, position: number): FileAnswer<T> | Promise<FileAnswer<T>> {
    const { index, source, isTimeOver } = this.#options
    if (isTimeOver()) return { kind: 'timed-out' }
    if (this.#candidateAt !== undefined && index.isCurrentAt(source.seq)) {
      const { kind } = this.#candidateAt(position)
      if (kind === 'none') return none
      if (kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    }
    if (source.sync === undefined || this.#isPauseDue()) return this.#waitAndAnswer(file)
    return this.#answerAtOnce(file, source.sync)
  }

  #answerAtOnce(file: F, reader: NonNullable<FileSource['sync']>): FileAnswer<T> | Promise<FileAnswer<T>> {
    try {
      const known = this.#whatIsKnown(file.path, lookupAtOnce(reader, file.path))
      if (known.kind !== 'inspect') return known
      const bytes = bytesAtOnce(reader, file.path)
      return bytes === undefined ? none : this.#inspect(file, bytes, known.regions)
    } catch (error) {
      return unreadable(error)
    }
  }

  async #waitAndAnswer(file: F): Promise<FileAnswer<T>> {
    const { source } = this.#options
    if (this.#isPauseDue()) await this.#pause()
    if (source.sync !== undefined) return this.#answerAtOnce(file, source.sync)
    try {
      const known = this.#whatIsKnown(file.path, await lstatIfThere(source, file.path))
      if (known.kind !== 'inspect') return known
      const bytes = await readFileIfThere(source, file.path)
      return bytes === undefined ? none : await this.#inspect(file, bytes, known.regions)
    } catch (error) {
      return unreadable(error)
    }
  }

  /** What can be said of a file without its bytes. */
  #whatIsKnown(
    path: VfsPath,
    stat: Stat | undefined,
  ):
    | Exclude<FileAnswer<T>, { kind: 'searched' }>
    | { readonly kind: 'inspect'; readonly regions: readonly Region[] | undefined } {
    const { index, source, maxFileBytes } = this.#options
    if (stat?.kind !== 'file') return none
    if (stat.sizeBytes > maxFileBytes) return { kind: 'oversized', sizeBytes: stat.sizeBytes }
    const version = versionOf(stat)
    if (!index.blocks.has(path, version)) this.unindexed.push(path)
    const candidate = this.#query?.candidate(path, version)
    if (candidate?.kind === 'none') return none
    if (candidate?.kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    // Where files may change between two looks, what is read may be newer than what the regions are of.
    const isSettled = candidate?.kind === 'regions' && source.seq !== undefined
    return { kind: 'inspect', regions: isSettled ? candidate.regions : undefined }
  }

  #inspect(file: F, stored: Uint8Array, regions: readonly Region[] | undefined): FileAnswer<T> | Promise<FileAnswer<T>> {
    this.#options.onProgress?.()
    const bytes = this.#options.decodes === false ? stored : searchableText(stored)
    const wasDecoded = bytes !== stored
    const { found, steps } = this.#options.inspect(file, bytes, regions)
    const first = steps.next()
    if (first.done === true)
      return first.value.kind === 'binary' ? binary : { kind: 'searched', found, bytes, isTimedOut: false, wasDecoded }
    return this.#goOn({ found, steps }, bytes, wasDecoded)
  }

  async #goOn({ found, steps }: Inspection<T>, bytes: Uint8Array, wasDecoded: boolean): Promise<FileAnswer<T>> {
    const { onProgress, isTimeOver } = this.#options
    for (;;) {
      onProgress?.()
      if (this.#isPauseDue()) await this.#pause()
      if (isTimeOver()) return { kind: 'searched', found, bytes, isTimedOut: true, wasDecoded }
      const step = steps.next()
      if (step.done === true)
        return step.value.kind === 'binary' ? binary : { kind: 'searched', found, bytes, isTimedOut: false, wasDecoded }
    }
  }

  #isPauseDue(): boolean {
    return performance.now() - this.#lastPauseMs > pauseEveryMs
  }

  async #pause(): Promise<void> {
    await nextTurn()
    this.#lastPauseMs = performance.now()
    this.#options.signal.throwIfAborted()
  }
}

/** One file that cannot be read is no reason to lose what the others hold. Throws what is no refusal of the filesystem. */
function unreadable(error: unknown): { readonly kind: 'unreadable'; readonly reason: string } {
  if (isVfsError(error, 'EACCES', 'EIO', 'ENOTSUP', 'EINVAL')) return { kind: 'unreadable', reason: error.message }
  throw error
}
