// Searches files in order and collects the matches of one page. All files are of one moment. The list of files is complete, and skipped
// files (too large, binary, too many) are counted for the result.

import type { VfsPath } from '../../../core/path.ts'
import type { Region } from '../../../search/lines.ts'
import { searchSteps } from '../../../search/matcher.ts'
import type { Pattern } from '../../../search/pattern.ts'
import type { Target } from '../../../search/targets.ts'
import { newestFirst } from '../../../session/newest-first.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { toKeep } from '../../../session/search-bytes.ts'
import { type Inspection, searchFiles, type SearchGround, withSearchGround } from '../../../session/search-driver.ts'
import { textContent, type ToolCall } from '../../../session/tool.ts'
import type { LineSpan } from '../../../text/line-spans.ts'
import { type EmptyGlob, listSearchedFiles } from './searched-files.ts'
import type { SearchSettings } from './settings.ts'

export interface SearchScope {
  readonly targets: readonly Target[]
  /** Left out by globs with `!`. */
  readonly isExcluded: ((path: VfsPath) => boolean) | undefined
  readonly missing: readonly string[]
  /** The file, if only one is searched. */
  readonly singleFile: ResolvedPath | undefined
  /** Matches outside these lines do not count. */
  readonly ranges: readonly LineSpan[] | undefined
}

export interface FileMatches {
  readonly path: VfsPath
  readonly display: string
  readonly bytes: Uint8Array
  /** As in {@link KeptBytes}. */
  readonly isHeld: boolean
  readonly matchLineNumbers: readonly number[]
  /** Where each of these lines starts in {@link FileMatches.bytes}. */
  readonly matchStarts: readonly number[]
  /** `bytes` is its UTF-16 text, converted to UTF-8. */
  readonly wasDecoded: boolean
  /** This file had more matches than are kept. */
  readonly isCut: boolean
}

/** Why a search ended before its last file. */
export type SearchEnd = 'complete' | 'page-full' | 'match-limit' | 'timed-out' | 'too-many-entries'

export interface Collected {
  readonly files: readonly FileMatches[]
  readonly end: SearchEnd
  readonly oversizedFiles: readonly string[]
  readonly binaryFiles: readonly string[]
  readonly emptyGlobs: readonly EmptyGlob[]
  /** Files and directories that the filesystem refused to read. */
  readonly unreadableFiles: readonly string[]
  /** Searched files, out of {@link Collected.totalFiles}. */
  readonly searchedFiles: number
  readonly totalFiles: number
}

export interface CollectOptions {
  readonly scope: SearchScope
  readonly pattern: Pattern
  readonly rank: SearchSettings['rank']
  readonly skip: number
  readonly gitignore: boolean
  readonly call: ToolCall
}

export function collectMatches(options: CollectOptions): Promise<Collected> {
  const { session, signal } = options.call
  return withSearchGround(session, signal, ground => collectFrom(ground, options))
}

async function collectFrom(ground: SearchGround, options: CollectOptions): Promise<Collected> {
  const { scope, skip, call, pattern } = options
  const { session, signal } = call
  const { limits } = session
  const startMs = session.clock()
  const deadlineMs = startMs + limits.searchTimeoutMs
  const {
    files: byPath,
    dirents,
    outcome,
    emptyGlobs,
    unreadable,
  } = await listSearchedFiles({
    ...ground,
    targets: scope.targets,
    isExcluded: scope.isExcluded,
    gitignore: options.gitignore,
    call,
    // The listing may be complete; its files must still be searched.
    deadlineMs: startMs + limits.searchTimeoutMs / 2,
  })
  const listed = options.rank === 'recent' ? await newestFirst(byPath, ground.source, signal) : byPath
  const maxMatches = scope.singleFile === undefined ? limits.searchMatchesPerFile : limits.searchMatchesInSingleFile
  const files: FileMatches[] = []
  const oversizedFiles: string[] = []
  const binaryFiles: string[] = []
  const unreadableFiles = [...unreadable]
  let searchedFiles = 0
  let matchingFiles = 0
  let matchCount = 0
  let end: SearchEnd = outcome.kind === 'timed-out' || outcome.kind === 'too-many-entries' ? outcome.kind : 'complete'
  const report = createReporter(call)
  const progress = (): Progress => ({ files: files.length, matches: matchCount, searched: searchedFiles, total: listed.length })

  await searchFiles({
    ...ground,
    pattern,
    files: listed,
    dirents: listed === byPath ? dirents : undefined,
    maxFileBytes: limits.searchMaxFileBytes,
    rulesOutFiles: scope.singleFile === undefined,
    inspect: (_file, bytes, regions) => findLines(bytes, regions, pattern, scope, maxMatches),
    onProgress: () => report(progress()),
    isTimeOver: () => session.clock() > deadlineMs,
    signal,
    onRuledOut: fileCount => void (searchedFiles += fileCount),
    onFile(file, answer) {
      if (answer.kind === 'timed-out') {
        end = 'timed-out'
        return false
      }
      searchedFiles++
      if (answer.kind === 'binary') binaryFiles.push(file.display)
      else if (answer.kind === 'oversized') oversizedFiles.push(file.display)
      else if (answer.kind === 'unreadable') unreadableFiles.push(file.display)
      if (answer.kind !== 'searched') return true
      const { lineNumbers, starts, isCut } = answer.found
      if (answer.isTimedOut) end = 'timed-out'
      if (lineNumbers.length === 0 || ++matchingFiles <= skip) return !answer.isTimedOut
      if (files.length === limits.searchFilesPerPage) {
        end = 'page-full'
        return false
      }
      matchCount += lineNumbers.length
      files.push({
        ...file,
        ...toKeep(ground.source.sync, file.path, answer.bytes),
        matchLineNumbers: lineNumbers,
        matchStarts: starts,
        isCut,
        wasDecoded: answer.wasDecoded,
      })
      report(progress(), true)
      if (!answer.isTimedOut && matchCount >= limits.searchMaxMatches) end = 'match-limit'
      return end === 'complete' || end === 'too-many-entries'
    },
  })
  return { files, end, emptyGlobs, oversizedFiles, binaryFiles, unreadableFiles, searchedFiles, totalFiles: listed.length }
}

interface FoundLines {
  readonly lineNumbers: number[]
  readonly starts: number[]
  isCut: boolean
}

function findLines(
  bytes: Uint8Array,
  regions: readonly Region[] | undefined,
  pattern: Pattern,
  { ranges, singleFile }: SearchScope,
  maxMatches: number,
): Inspection<FoundLines> {
  const found: FoundLines = { lineNumbers: [], starts: [], isCut: false }
  const steps = searchSteps(
    bytes,
    pattern,
    ({ lineNumber, start }) => {
      if (ranges !== undefined && !ranges.some(range => lineNumber >= range.start && lineNumber <= range.end)) return true
      if (found.lineNumbers.length === maxMatches) {
        found.isCut = true
        return false
      }
      found.lineNumbers.push(lineNumber)
      found.starts.push(start)
      return true
    },
    // A binary file is reported only if it is the only searched file.
    { regions, probesLate: singleFile === undefined },
  )
  return { found, steps }
}

const reportEveryMs = 250

interface Progress {
  readonly files: number
  readonly matches: number
  readonly searched: number
  readonly total: number
}

/** Reports progress from time to time, and always if `isNews`. */
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
