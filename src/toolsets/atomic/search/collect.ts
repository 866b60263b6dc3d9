// Goes through the files of a search in order and keeps the matches of one page. All files are those of one moment. Files are found
// first, cut never: what is left out (too large, binary, too many) is counted, so that the result can say so (atomic §21.1 #14).

import { nextTurn } from '../../../core/pause.ts'
import type { VfsPath } from '../../../core/path.ts'
import type { Candidate, IndexQuery } from '../../../search/index/block-index.ts'
import type { Region } from '../../../search/lines.ts'
import { type SearchOutcome, searchSteps } from '../../../search/matcher.ts'
import type { Pattern } from '../../../search/pattern.ts'
import type { Target } from '../../../search/targets.ts'
import { type FileSource, openFileSource } from '../../../session/file-source.ts'
import { versionOf } from '../../../session/file-version.ts'
import { lstatIfThere, readFileIfThere } from '../../../session/if-there.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { bytesAtOnce, lookupAtOnce, type ReaderAtOnce } from '../../../session/search-bytes.ts'
import { type SearchIndex, searchIndexOf } from '../../../session/search-index.ts'
import { textContent, type ToolCall } from '../../../session/tool.ts'
import type { LineSpan } from '../../../text/hashline/selector.ts'
import type { Stat } from '../../../vfs/backend.ts'
import { newestFirst } from './newest-first.ts'
import { listSearchedFiles, type SearchedFile } from './searched-files.ts'

export interface SearchScope {
  readonly targets: readonly Target[]
  readonly missing: readonly string[]
  /** The one file that is searched, when it is one. */
  readonly singleFile: ResolvedPath | undefined
  /** Matches outside these lines do not count. */
  readonly ranges: readonly LineSpan[] | undefined
}

export interface FileMatches {
  readonly path: VfsPath
  readonly display: string
  readonly bytes: Uint8Array
  readonly matchLineNumbers: readonly number[]
  /** There were more matches in this file than are kept. */
  readonly isCut: boolean
}

/** Why a search ended before it had seen everything. */
export type SearchEnd = 'complete' | 'page-full' | 'match-limit' | 'timed-out' | 'too-many-entries'

export interface Collected {
  readonly files: readonly FileMatches[]
  readonly end: SearchEnd
  readonly oversizedFiles: readonly string[]
  readonly binaryFiles: readonly string[]
  /** Files that were looked at, of {@link Collected.totalFiles}. */
  readonly searchedFiles: number
  readonly totalFiles: number
}

export interface CollectOptions {
  readonly scope: SearchScope
  readonly pattern: Pattern
  readonly skip: number
  readonly gitignore: boolean
  readonly call: ToolCall
}

export async function collectMatches(options: CollectOptions): Promise<Collected> {
  const { session, signal } = options.call
  const index = await searchIndexOf(session, signal)
  return index.whileSearching(async () => {
    const source = await openFileSource(session.vfs)
    try {
      return await collectFrom(source, index, options)
    } finally {
      await source.dispose()
    }
  })
}

async function collectFrom(source: FileSource, index: SearchIndex, options: CollectOptions): Promise<Collected> {
  const { scope, skip, call } = options
  const { session } = call
  const { limits } = session
  const startMs = session.clock()
  const deadlineMs = startMs + limits.searchTimeoutMs
  const { files: byPath, outcome } = await listSearchedFiles({
    targets: scope.targets,
    gitignore: options.gitignore,
    source,
    index,
    call,
    // What was listed must still be searched.
    deadlineMs: startMs + limits.searchTimeoutMs / 2,
  })
  const listed = session.search.rank === 'recent' ? await newestFirst(byPath, source, call.signal) : byPath
  const query = index.blocks.query(options.pattern)
  const search: FileSearch = {
    ...options,
    source,
    index,
    query,
    candidateAt: query.candidateIn(listed),
    deadlineMs,
    lastPauseMs: performance.now(),
    maxMatches: scope.singleFile === undefined ? limits.searchMatchesPerFile : limits.searchMatchesInSingleFile,
    unindexed: [],
  }
  const files: FileMatches[] = []
  const oversizedFiles: string[] = []
  const binaryFiles: string[] = []
  let searchedFiles = 0
  let matchingFiles = 0
  let matchCount = 0
  let end: SearchEnd = outcome.kind === 'timed-out' || outcome.kind === 'too-many-entries' ? outcome.kind : 'complete'
  const report = createReporter(call)
  const progress = (): Progress => ({ files: files.length, matches: matchCount, searched: searchedFiles, total: listed.length })
  const reportProgress = (): void => report(progress())

  for (const [position, file] of listed.entries()) {
    const answer = searchFile(search, file, position, reportProgress)
    const found = answer instanceof Promise ? await answer : answer
    searchedFiles++
    if (found.kind === 'binary') binaryFiles.push(file.display)
    else if (found.kind === 'oversized') oversizedFiles.push(file.display)
    const isTimedOut = found.kind === 'timed-out' || (found.kind === 'lines' && found.isTimedOut)
    if (isTimedOut) end = 'timed-out'
    if (found.kind !== 'lines' || found.lineNumbers.length === 0 || ++matchingFiles <= skip) {
      if (isTimedOut) break
      continue
    }
    if (files.length === limits.searchFilesPerPage) {
      end = 'page-full'
      break
    }
    matchCount += found.lineNumbers.length
    files.push({ ...file, bytes: found.bytes.slice(), matchLineNumbers: found.lineNumbers, isCut: found.isCut })
    report(progress(), true)
    if (isTimedOut) break
    if (matchCount >= limits.searchMaxMatches) {
      end = 'match-limit'
      break
    }
  }
  index.offer(search.unindexed)
  return { files, end, oversizedFiles, binaryFiles, searchedFiles, totalFiles: listed.length }
}

/** An abort must be heard within 50 ms; a step of the search takes a few. */
const pauseEveryMs = 25
const reportEveryMs = 250

interface Progress {
  readonly files: number
  readonly matches: number
  readonly searched: number
  readonly total: number
}

/** Tells how far the search is, now and then, and always when `isNews`. */
function createReporter({ onUpdate }: ToolCall): (progress: Progress, isNews?: boolean) => void {
  let lastMs = performance.now()
  return ({ files, matches, searched, total }, isNews = false) => {
    const nowMs = performance.now()
    if (!isNews && nowMs - lastMs < reportEveryMs) return
    lastMs = nowMs
    onUpdate({
      content: textContent(`${files} matching files so far, ${searched} of ${total} searched`),
      details: { fileCount: files, matchCount: matches, searchedFiles: searched, totalFiles: total },
    })
  }
}

interface FileSearch extends CollectOptions {
  readonly source: FileSource
  readonly index: SearchIndex
  readonly query: IndexQuery
  /** By place in the list of all files, for as long as the index is current. */
  readonly candidateAt: (position: number) => Candidate
  readonly deadlineMs: number
  lastPauseMs: number
  readonly maxMatches: number
  /** What the index should know and does not. */
  readonly unindexed: VfsPath[]
}

type FoundInFile =
  | { readonly kind: 'none' | 'binary' | 'oversized' | 'timed-out' }
  | {
      readonly kind: 'lines'
      /** The filesystem's own, perhaps. */
      readonly bytes: Uint8Array
      readonly lineNumbers: readonly number[]
      readonly isCut: boolean
      /** The time was over in the middle of the file. */
      readonly isTimedOut: boolean
    }

const nothing: FoundInFile = { kind: 'none' }

/** Waits only where it must: most files of most searches hold nothing, and are there at once. */
function searchFile(
  search: FileSearch,
  file: SearchedFile,
  position: number,
  onPause: () => void,
): FoundInFile | Promise<FoundInFile> {
  const { index, candidateAt, source } = search
  if (isTimeOver(search)) return { kind: 'timed-out' }
  if (index.isCurrentAt(source.seq)) {
    const { kind } = candidateAt(position)
    if (kind === 'none') return nothing
    if (kind === 'binary') return { kind }
  }
  if (source.sync === undefined || isPauseDue(search)) return waitAndSearch(search, file, onPause)
  return searchAtOnce(search, source.sync, file, onPause)
}

function searchAtOnce(
  search: FileSearch,
  reader: ReaderAtOnce,
  { path }: SearchedFile,
  onPause: () => void,
): FoundInFile | Promise<FoundInFile> {
  const known = whatIsKnown(search, path, lookupAtOnce(reader, path))
  if (known.kind !== 'search') return known
  const bytes = bytesAtOnce(reader, path)
  if (bytes === undefined) return nothing
  onPause()
  return matchLines(search, bytes, known.regions, onPause)
}

async function waitAndSearch(search: FileSearch, file: SearchedFile, onPause: () => void): Promise<FoundInFile> {
  const { source } = search
  if (isPauseDue(search)) await pause(search)
  if (source.sync !== undefined) return searchAtOnce(search, source.sync, file, onPause)
  const known = whatIsKnown(search, file.path, await lstatIfThere(source, file.path))
  if (known.kind !== 'search') return known
  const bytes = await readFileIfThere(source, file.path)
  if (bytes === undefined) return nothing
  onPause()
  return matchLines(search, bytes, known.regions, onPause)
}

type Known =
  | { readonly kind: 'none' | 'binary' | 'oversized' }
  /** Its lines must be looked at: all, or those of `regions`. */
  | { readonly kind: 'search'; readonly regions: readonly Region[] | undefined }

/** What can be said of a file without its bytes. */
function whatIsKnown({ call, index, query, source, unindexed }: FileSearch, path: VfsPath, stat: Stat | undefined): Known {
  if (stat?.kind !== 'file') return { kind: 'none' }
  if (stat.sizeBytes > call.session.limits.searchMaxFileBytes) return { kind: 'oversized' }
  const version = versionOf(stat)
  if (!index.blocks.has(path, version)) unindexed.push(path)
  const candidate = query.candidate(path, version)
  if (candidate.kind === 'none' || candidate.kind === 'binary') return candidate
  // Where files may change between two looks, what is read may be newer than what the regions are of.
  return { kind: 'search', regions: candidate.kind === 'regions' && source.seq !== undefined ? candidate.regions : undefined }
}

function isPauseDue({ lastPauseMs }: FileSearch): boolean {
  return performance.now() - lastPauseMs > pauseEveryMs
}

function isTimeOver({ call, deadlineMs }: FileSearch): boolean {
  return call.session.clock() > deadlineMs
}

/** Lets others run. Throws when the call was aborted. */
async function pause(search: FileSearch): Promise<void> {
  await nextTurn()
  search.lastPauseMs = performance.now()
  search.call.signal.throwIfAborted()
}

function matchLines(
  search: FileSearch,
  bytes: Uint8Array,
  regions: readonly Region[] | undefined,
  onPause: () => void,
): FoundInFile | Promise<FoundInFile> {
  const { ranges } = search.scope
  const lineNumbers: number[] = []
  let isCut = false
  const steps = searchSteps(
    bytes,
    search.pattern,
    ({ lineNumber }) => {
      if (ranges !== undefined && !ranges.some(range => lineNumber >= range.start && lineNumber <= range.end)) return true
      if (lineNumbers.length === search.maxMatches) {
        isCut = true
        return false
      }
      lineNumbers.push(lineNumber)
      return true
    },
    regions,
  )
  const first = steps.next()
  return first.done === true ? found(first.value) : goOn()

  function found(outcome: SearchOutcome): FoundInFile {
    return outcome.kind === 'binary' ? { kind: 'binary' } : { kind: 'lines', bytes, lineNumbers, isCut, isTimedOut: false }
  }

  async function goOn(): Promise<FoundInFile> {
    for (;;) {
      onPause()
      if (isPauseDue(search)) await pause(search)
      if (isTimeOver(search)) {
        return { kind: 'lines', bytes, lineNumbers, isCut, isTimedOut: true }
      }
      const step = steps.next()
      if (step.done === true) return found(step.value)
    }
  }
}
