// Searches the contents of many files in order, each from one snapshot. It uses the index if possible, and works in steps between
// which other work and aborts can run. The caller defines how a file is searched and how results are used.

import { nextTurn } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import type { Candidate, Candidates, IndexQuery } from '../search/index/block-index.ts'
import type { Region } from '../search/lines.ts'
import type { SearchOutcome } from '../search/matcher.ts'
import { nsPerByteRead, type Pattern } from '../search/pattern.ts'
import { searchableText } from '../search/searchable.ts'
import type { Dirent, Stat } from '../vfs/backend.ts'
import { borrowListed } from '../vfs/borrow.ts'
import { isVfsError, type VfsError } from '../vfs/error.ts'
import { type FileSource, openFileSource } from './file-source.ts'
import { FileSweep, type FileSweepOptions } from './file-sweep.ts'
import { versionOf } from './file-version.ts'
import { lstatIfThere, readFileIfThere } from './if-there.ts'
import { ReadAhead } from './read-ahead.ts'
import { bytesAtOnce, lookupAtOnce } from './search-bytes.ts'
import { type SearchIndex, searchIndexOf } from './search-index.ts'
import type { WorkspaceScope } from './workspace-scope.ts'

export interface FileToSearch {
  readonly path: VfsPath
}

/** A search in one file. `steps` yields to pause, and adds to `found`. */
export interface Inspection<T> {
  readonly found: T
  readonly steps: Generator<undefined, SearchOutcome, undefined>
}

export type FileAnswer<T> =
  /** No line matches, or the path is not a regular file. */
  | { readonly kind: 'none' }
  | { readonly kind: 'binary' }
  /** Larger than `maxFileBytes`. */
  | { readonly kind: 'oversized'; readonly sizeBytes: number }
  /** The filesystem refused to read it. `isNoFile` means that it is a pipe, a socket or a device. */
  | { readonly kind: 'unreadable'; readonly error: VfsError; readonly isNoFile: boolean }
  /** If the time ran out within the file, `found` is incomplete. */
  | {
      readonly kind: 'searched'
      readonly found: T
      readonly bytes: Uint8Array
      readonly isTimedOut: boolean
      /** `bytes` are the file's UTF-16 text converted to UTF-8. */
      readonly wasDecoded: boolean
    }
  /** The time ran out before this file. */
  | { readonly kind: 'timed-out' }

export interface SearchDriverOptions<F extends FileToSearch, T> extends SearchGround {
  /** The pattern that lets the index exclude files and lines; `undefined` if every file must be inspected. */
  readonly pattern: Pattern | undefined
  readonly files: readonly F[]
  /** The entry of each file, from the same snapshot. */
  readonly dirents?: readonly Dirent[] | undefined
  readonly maxFileBytes: number
  /** Default: UTF-16 with a byte order mark is converted to UTF-8. False: bytes are inspected as stored. */
  readonly decodes?: boolean
  /** Skips files without a text that every match requires, so that it remains unknown whether they are binary. */
  readonly rulesOutFiles?: boolean
  /** Whether binary files are inspected too. */
  readonly looksIntoBinary?: boolean
  /** `bytes` may belong to the filesystem: do not write them, and copy them to keep them. With `regions`, only those lines can match. */
  readonly inspect: (file: F, bytes: Uint8Array, regions: readonly Region[] | undefined) => Inspection<T>
  /** Receives the answer for each file, in order. `false` ends the search. */
  readonly onFile: (file: F, answer: FileAnswer<T>) => boolean
  /** Called instead of `onFile` for files in a row that have no match. */
  readonly onRuledOut?: (fileCount: number) => void
  /** Called from time to time while files are read. */
  readonly onProgress?: () => void
  readonly isTimeOver: () => boolean
  readonly signal: AbortSignal
}

/** An abort must take effect within 50 ms; one step of a search takes a few. */
const pauseEveryMs = 25

/** The files of one snapshot and the index of the workspace. */
export interface SearchGround {
  readonly source: FileSource
  readonly index: SearchIndex
}

/** Runs `work` on the current files. Indexing pauses meanwhile. */
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

/** Resolves when all files were searched, `onFile` ended the search, or the time ran out. Throws when the signal aborts. */
export async function searchFiles<F extends FileToSearch, T>(options: SearchDriverOptions<F, T>): Promise<void> {
  const { index, files, signal } = options
  signal.throwIfAborted()
  const search = new FileSearch(options)
  try {
    for (let position = 0; position < files.length;) {
      const ruledOut = search.ruledOutFrom(position)
      if (ruledOut > 0) {
        passRuledOut(options, position, position + ruledOut)
        position += ruledOut
        continue
      }
      const file = files[position]
      if (file === undefined) return
      const answer = search.answerFor(file, position++)
      if (!options.onFile(file, answer instanceof Promise ? await answer : answer)) return
    }
  } finally {
    search.offerTo(index)
  }
}

function passRuledOut<F extends FileToSearch, T>(options: SearchDriverOptions<F, T>, from: number, to: number): void {
  if (options.onRuledOut !== undefined) options.onRuledOut(to - from)
  else for (const file of options.files.slice(from, to)) options.onFile(file, none)
}

/** The number of files between two progress reports. */
const inspectedPerReport = 32

const none = { kind: 'none' } as const
const notAsked: Candidate = { kind: 'unknown', regions: undefined }
const nowhere: readonly Region[] = []
const binary = { kind: 'binary' } as const

class FileSearch<F extends FileToSearch, T> {
  readonly #options: SearchDriverOptions<F, T>
  readonly #query: IndexQuery | undefined
  /** By position in the list of all files, while the index is current. */
  readonly #candidates: Candidates | undefined
  /** Sweeps all files while the index is empty or would exclude nothing; otherwise what a current index leaves of them. */
  readonly #sweep: FileSweep | undefined
  /** The positions of the files that a current index does not have. */
  readonly #unknown: readonly number[] = []
  /** Only while files cannot change, and while an index does not leave most of them out. */
  readonly #ahead: ReadAhead | undefined
  /** Visited files that the index does not have; not collected while it is empty. */
  readonly #unindexed: VfsPath[] = []
  #nextUnknown = 0
  #visited = 0
  #askedAt = -1
  #asked: Candidate = notAsked
  #lastPauseMs = performance.now()
  #inspected = 0

  constructor(options: SearchDriverOptions<F, T>) {
    this.#options = options
    const { index, pattern, files, dirents, source } = options
    // An empty index has no answers, and looking up each path would take time.
    const query = pattern && index.blocks.fileCount > 0 ? index.blocks.query(pattern) : undefined
    this.#query = query?.isOpen === true && index.isCurrentAt(source.seq) ? undefined : query
    if (index.isCurrentAt(source.seq)) this.#candidates = this.#query?.candidateIn(files)
    if (source.sync === undefined || source.seq === undefined) return
    if (this.#query === undefined) {
      this.#ahead = new ReadAhead({ reader: source.sync, files, dirents })
      this.#sweep = sweepFor(options, { ahead: this.#ahead })
    } else if (this.#candidates !== undefined) {
      this.#unknown = index.blocks.unknownIn(files)
      this.#sweep = sweepFor(options, {
        noneFrom: position => this.#noneFrom(position),
        regionsAt: position => this.#regionsAt(position),
      })
    }
  }

  /** The index knows this snapshot. */
  get #isCurrent(): boolean {
    return this.#options.index.isCurrentAt(this.#options.source.seq)
  }

  #noneFrom(position: number): number {
    return this.#candidates !== undefined && this.#isCurrent ? this.#candidates.noneFrom(position) : 0
  }

  /** The parts of a file that a current index leaves, none for a file without a match; `undefined` if it does not say. */
  #regionsAt(position: number): readonly Region[] | undefined {
    const candidate =
      this.#candidates !== undefined && this.#isCurrent ? this.#candidateOf(this.#candidates, position) : undefined
    return candidate?.kind === 'none' ? nowhere : candidate?.regions
  }

  /** Offers the visited files that the index does not have. */
  offerTo(index: SearchIndex): void {
    const { files } = this.#options
    if (this.#query !== undefined) index.offer(this.#unindexed)
    else if (index.blocks.fileCount === 0 || !index.isCurrentAt(this.#options.source.seq)) index.offerFiles(files, this.#visited)
    else {
      const unknown = index.blocks.unknownIn(files).filter(position => position < this.#visited)
      index.offer(unknown.flatMap(position => files[position]?.path ?? []))
    }
  }

  /** The number of files from `position` on that certainly do not match, as far as it is known without a pause. */
  ruledOutFrom(position: number): number {
    if (this.#sweep === undefined) return this.#ruledOutByIndex(position)
    if (!this.#sweep.hasSeen(position)) {
      const byIndex = this.#ruledOutByIndex(position)
      if (byIndex > 0) return byIndex
      if (this.#options.isTimeOver() || this.#isPauseDue()) return 0
      this.#options.onProgress?.()
    }
    const count = this.#sweep.ruledOutFrom(position)
    this.#visited = position + count
    this.#noteUnindexed(position, this.#visited)
    return count
  }

  #noteUnindexed(from: number, to: number): void {
    for (let index = this.#nextUnknown; index < this.#unknown.length; index++) {
      const position = this.#unknown[index] ?? 0
      if (position >= to) break
      this.#nextUnknown = index + 1
      const file = position < from ? undefined : this.#options.files[position]
      if (file !== undefined) this.#unindexed.push(file.path)
    }
  }

  #ruledOutByIndex(position: number): number {
    const inRow = this.#noneFrom(position)
    const count = inRow === 0 && this.#regionsAt(position) === nowhere ? 1 : inRow
    return count > 0 && this.#options.isTimeOver() ? 0 : count
  }

  /** Kept for the next call, which asks about the same file again. */
  #candidateOf(candidates: Candidates, position: number): Candidate {
    if (this.#askedAt !== position) this.#asked = candidates.at(position)
    this.#askedAt = position
    return this.#asked
  }

  /** Awaits only if necessary: most files do not match and are available synchronously. */
  answerFor(file: F, position: number): FileAnswer<T> | Promise<FileAnswer<T>> {
    const { source, isTimeOver } = this.#options
    if (isTimeOver()) return { kind: 'timed-out' }
    const candidate =
      this.#candidates !== undefined && this.#isCurrent ? this.#candidateOf(this.#candidates, position) : undefined
    if (candidate?.kind === 'none') return none
    if (candidate?.kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    this.#visited = position + 1
    if (source.sync === undefined || this.#isPauseDue()) return this.#waitAndAnswer(file)
    this.#ahead?.from(position)
    return this.#answerListed(file, position, source.sync, candidate) ?? this.#answerAtOnce(file, source.sync)
  }

  /** Without an index, and with a current one, only the bytes of a file are read. They are found through its entry, without its path. */
  #answerListed(
    file: F,
    position: number,
    reader: NonNullable<FileSource['sync']>,
    candidate: Candidate | undefined,
  ): FileAnswer<T> | Promise<FileAnswer<T>> | undefined {
    const regions = candidate?.regions
    const dirent = this.#query === undefined || regions !== undefined ? this.#options.dirents?.[position] : undefined
    if (dirent === undefined) return undefined
    try {
      const bytes = borrowListed(reader, dirent, this.#options.maxFileBytes)
      return bytes && this.#inspect(file, bytes, regions)
    } catch (error) {
      return unreadable(error)
    }
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

  /** The answer for a file, if it is known without reading the bytes. */
  #whatIsKnown(
    path: VfsPath,
    stat: Stat | undefined,
  ):
    | Exclude<FileAnswer<T>, { kind: 'searched' }>
    | { readonly kind: 'inspect'; readonly regions: readonly Region[] | undefined } {
    const { index, source, maxFileBytes } = this.#options
    if (stat?.kind !== 'file') return none
    if (stat.sizeBytes > maxFileBytes) return { kind: 'oversized', sizeBytes: stat.sizeBytes }
    if (this.#query === undefined) return { kind: 'inspect', regions: undefined }
    const version = versionOf(stat)
    if (!index.blocks.has(path, version)) this.#unindexed.push(path)
    const candidate = this.#query?.candidate(path, version)
    if (candidate?.kind === 'none') return none
    if (candidate?.kind === 'binary' && this.#options.looksIntoBinary !== true) return binary
    // If files can change between two accesses, the bytes may be newer than the regions.
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

function sweepFor<F extends FileToSearch, T>(
  options: SearchDriverOptions<F, T>,
  known: Pick<FileSweepOptions, 'ahead' | 'noneFrom' | 'regionsAt'>,
): FileSweep | undefined {
  const { pattern, source, files, dirents, maxFileBytes, rulesOutFiles } = options
  if (rulesOutFiles !== true) return undefined
  const finder = pattern?.finder()
  const holdsText = finder?.holdsText
  if (holdsText === undefined || finder === undefined || finder.costPerByte >= nsPerByteRead) return undefined
  // Files must not change between a sweep and the use of its answers.
  if (source.sync === undefined || source.seq === undefined) return undefined
  return new FileSweep({ reader: source.sync, files, dirents, holdsText, maxFileBytes, ...known })
}

/** An unreadable file must not prevent results from other files. Throws errors that are not from the filesystem. */
function unreadable(error: unknown): Extract<FileAnswer<never>, { kind: 'unreadable' }> {
  if (isVfsError(error, 'EACCES', 'EIO', 'ENOTSUP', 'EINVAL'))
    return { kind: 'unreadable', error, isNoFile: isVfsError(error, 'ENOTSUP') }
  throw error
}
