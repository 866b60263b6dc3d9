// The only way to search the contents of many files: in order, each as of one moment, with the index if it helps, in steps between which
// other work and aborts are possible. The caller defines what to look for in a file and what to do with the result.

import { nextTurn } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import type { Candidate, IndexQuery } from '../search/index/block-index.ts'
import type { Region } from '../search/lines.ts'
import { nsPerByteRead, type SearchOutcome } from '../search/matcher.ts'
import type { Pattern } from '../search/pattern.ts'
import { searchableText } from '../search/searchable.ts'
import type { Dirent, Stat } from '../vfs/backend.ts'
import { keepListed } from '../vfs/borrow.ts'
import { isVfsError } from '../vfs/error.ts'
import { type FileSource, openFileSource } from './file-source.ts'
import { FileSweep } from './file-sweep.ts'
import { versionOf } from './file-version.ts'
import { lstatIfThere, readFileIfThere } from './if-there.ts'
import { bytesAtOnce, lookupAtOnce } from './search-bytes.ts'
import { type SearchIndex, searchIndexOf } from './search-index.ts'
import type { WorkspaceScope } from './workspace-scope.ts'

export interface FileToSearch {
  readonly path: VfsPath
}

/** A search in one file: `steps` pause by yielding, and add to `found` as they go. */
export interface Inspection<T> {
  readonly found: T
  readonly steps: Generator<undefined, SearchOutcome, undefined>
}

export type FileAnswer<T> =
  /** No line matches, or there is no regular file. */
  | { readonly kind: 'none' }
  | { readonly kind: 'binary' }
  /** Larger than `maxFileBytes`. */
  | { readonly kind: 'oversized'; readonly sizeBytes: number }
  /** The filesystem refused to read it. `isNoFile`: it is a pipe, a socket or a device. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly isNoFile: boolean }
  /** If the time ended before the file's end, `found` is incomplete. */
  | {
      readonly kind: 'searched'
      readonly found: T
      readonly bytes: Uint8Array
      readonly isTimedOut: boolean
      /** `bytes` are the file's UTF-16 text converted to UTF-8. */
      readonly wasDecoded: boolean
    }
  /** The time ended before this file. */
  | { readonly kind: 'timed-out' }

export interface SearchDriverOptions<F extends FileToSearch, T> extends SearchGround {
  /** The pattern that lets the index exclude files and lines; `undefined` if every file must be inspected. */
  readonly pattern: Pattern | undefined
  readonly files: readonly F[]
  /** The entry of each file, from a listing of the same moment. */
  readonly dirents?: readonly Dirent[] | undefined
  readonly maxFileBytes: number
  /** Default: UTF-16 with a byte order mark is converted to UTF-8. False: bytes are inspected as stored. */
  readonly decodes?: boolean
  /** A file without a text that every match must hold is not inspected, so it is not told whether it is binary. */
  readonly rulesOutFiles?: boolean
  /** Inspects binary files too. */
  readonly looksIntoBinary?: boolean
  /**
   * `bytes` may belong to the filesystem: do not write them, and copy them to keep them. With `regions`, only those lines can match.
   */
  readonly inspect: (file: F, bytes: Uint8Array, regions: readonly Region[] | undefined) => Inspection<T>
  /** Receives every file's answer, in order; `false` ends the search. */
  readonly onFile: (file: F, answer: FileAnswer<T>) => boolean
  /** Called from time to time while files are read. */
  readonly onProgress?: () => void
  readonly isTimeOver: () => boolean
  readonly signal: AbortSignal
}

/** An abort must take effect within 50 ms; one step of the search takes a few. */
const pauseEveryMs = 25

/** What a search works on: the files of one moment, and the workspace's index of them. */
export interface SearchGround {
  readonly source: FileSource
  readonly index: SearchIndex
}

/** Runs `work` on the current files. Meanwhile, nothing is indexed. */
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

/** Resolves when all files were searched, `onFile` ended it, or the time ended. Throws when the signal aborts. */
export async function searchFiles<F extends FileToSearch, T>(options: SearchDriverOptions<F, T>): Promise<void> {
  const { index, files, signal } = options
  signal.throwIfAborted()
  const search = new FileSearch(options)
  try {
    let position = 0
    for (const file of files) {
      const answer = search.answerFor(file, position++)
      if (!options.onFile(file, answer instanceof Promise ? await answer : answer)) return
    }
  } finally {
    index.offer(search.unindexed)
  }
}

/** Files between two reports of the progress. */
const inspectedPerReport = 32

const none = { kind: 'none' } as const
const binary = { kind: 'binary' } as const

class FileSearch<F extends FileToSearch, T> {
  readonly #options: SearchDriverOptions<F, T>
  readonly #query: IndexQuery | undefined
  /** By position in the list of all files, as long as the index is current. */
  readonly #candidateAt: ((position: number) => Candidate) | undefined
  /** While the index knows nothing, it takes its place. */
  readonly #sweep: FileSweep | undefined
  /** Files that are not in the index and should be. */
  readonly unindexed: VfsPath[] = []
  #lastPauseMs = performance.now()
  #inspected = 0

  constructor(options: SearchDriverOptions<F, T>) {
    this.#options = options
    const { index, pattern, files, source } = options
    this.#query = pattern && index.blocks.fileCount() > 0 ? index.blocks.query(pattern) : undefined
    // An empty index knows nothing, and looking every path up in it takes time.
    if (index.blocks.fileCount() > 0 && index.isCurrentAt(source.seq)) this.#candidateAt = this.#query?.candidateIn(files)
    if (this.#query === undefined) this.#sweep = sweepFor(options)
  }

  /** Awaits only if it must: most files of most searches do not match, and are available synchronously. */
  answerFor(file: F, position: number): FileAnswer<T> | Promise<FileAnswer<T>> {
    const { index, source, isTimeOver } = this.#options
    if (this.#sweep?.hasSeen(position) === true && this.#sweep.rulesOut(position)) return this.#ruledOut(file)
    if (isTimeOver()) return { kind: 'timed-out' }
    if (this.#candidateAt !== undefined && index.isCurrentAt(source.seq)) {
      const { kind } = this.#candidateAt(position)
      if (kind === 'none') return none
      if (kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    }
    if (source.sync === undefined || this.#isPauseDue()) return this.#waitAndAnswer(file)
    if (this.#sweep !== undefined && !this.#sweep.hasSeen(position)) {
      this.#options.onProgress?.()
      if (this.#sweep.rulesOut(position)) return this.#ruledOut(file)
    }
    return this.#answerListed(file, position, source.sync) ?? this.#answerAtOnce(file, source.sync)
  }

  /** Without an index, nothing but the bytes of a file is asked for; its entry leads to them without its path. */
  #answerListed(
    file: F,
    position: number,
    reader: NonNullable<FileSource['sync']>,
  ): FileAnswer<T> | Promise<FileAnswer<T>> | undefined {
    const dirent = this.#query === undefined ? this.#options.dirents?.[position] : undefined
    const bytes = dirent && keepListed(reader, dirent, this.#options.maxFileBytes)
    if (bytes === undefined) return undefined
    this.unindexed.push(file.path)
    return this.#inspect(file, bytes, undefined)
  }

  #ruledOut({ path }: F): FileAnswer<T> {
    this.unindexed.push(path)
    return none
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

  /** The answer for a file if it is known without reading its bytes. */
  #whatIsKnown(
    path: VfsPath,
    stat: Stat | undefined,
  ):
    | Exclude<FileAnswer<T>, { kind: 'searched' }>
    | { readonly kind: 'inspect'; readonly regions: readonly Region[] | undefined } {
    const { index, source, maxFileBytes } = this.#options
    if (stat?.kind !== 'file') return none
    if (stat.sizeBytes > maxFileBytes) return { kind: 'oversized', sizeBytes: stat.sizeBytes }
    if (this.#query === undefined) {
      this.unindexed.push(path)
      return { kind: 'inspect', regions: undefined }
    }
    const version = versionOf(stat)
    if (!index.blocks.has(path, version)) this.unindexed.push(path)
    const candidate = this.#query?.candidate(path, version)
    if (candidate?.kind === 'none') return none
    if (candidate?.kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    // If files may change between two accesses, the bytes may be newer than the ones that the regions are for.
    const isSettled = candidate?.kind === 'regions' && source.seq !== undefined
    return { kind: 'inspect', regions: isSettled ? candidate.regions : undefined }
  }

  #inspect(file: F, stored: Uint8Array, regions: readonly Region[] | undefined): FileAnswer<T> | Promise<FileAnswer<T>> {
    if (++this.#inspected % inspectedPerReport === 0) this.#options.onProgress?.()
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

function sweepFor<F extends FileToSearch, T>(options: SearchDriverOptions<F, T>): FileSweep | undefined {
  const { pattern, source, files, dirents, maxFileBytes, rulesOutFiles } = options
  const required = pattern?.required
  if (rulesOutFiles !== true || required?.holdsText === undefined || required.costPerByte >= nsPerByteRead) return undefined
  // Between a sweep and the answers, files must stay as they are.
  if (source.sync === undefined || source.seq === undefined) return undefined
  return new FileSweep({ reader: source.sync, files, dirents, holdsText: required.holdsText, maxFileBytes })
}

/** A file that cannot be read must not prevent results from other files. Throws errors that are not from the filesystem. */
function unreadable(error: unknown): Extract<FileAnswer<never>, { kind: 'unreadable' }> {
  if (isVfsError(error, 'EACCES', 'EIO', 'ENOTSUP', 'EINVAL'))
    return { kind: 'unreadable', reason: error.message, isNoFile: isVfsError(error, 'ENOTSUP') }
  throw error
}
