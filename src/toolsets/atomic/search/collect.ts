// Goes through the files of a search in order and keeps the matches of one page. Files are found and read first, cut never: what is
// left out (too large, binary, too many) is counted, so that the result can say so (atomic §21.1 #14).

import type { VfsPath } from '../../../core/path.ts'
import { createPauser } from '../../../core/pause.ts'
import { compileGlob } from '../../../search/glob.ts'
import { searchBytes } from '../../../search/matcher.ts'
import type { Pattern } from '../../../search/pattern.ts'
import type { Target } from '../../../search/targets.ts'
import { ToolError } from '../../../core/errors.ts'
import { lstatIfThere, readFileIfThere } from '../../../session/if-there.ts'
import { listFiles } from '../../../session/list-files.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import { textContent, type ToolCall } from '../../../session/tool.ts'
import type { LineSpan } from '../../../text/hashline/selector.ts'

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
}

export interface CollectOptions {
  readonly scope: SearchScope
  readonly pattern: Pattern
  readonly skip: number
  readonly gitignore: boolean
  readonly call: ToolCall
}

export async function collectMatches(options: CollectOptions): Promise<Collected> {
  const { scope, skip, call } = options
  const { session, signal } = call
  const { limits } = session
  const deadlineMs = session.clock() + limits.searchTimeoutMs
  const pause = createPauser()
  const matchesPerFile = scope.singleFile === undefined ? limits.searchMatchesPerFile : limits.searchMatchesInSingleFile
  const seen = new Set<VfsPath>()
  const files: FileMatches[] = []
  const oversizedFiles: string[] = []
  const binaryFiles: string[] = []
  let matchingFiles = 0
  let matchCount = 0
  let end: SearchEnd = 'complete'

  /** false ends the search. */
  async function searchFile(path: VfsPath, display: string): Promise<boolean> {
    await pause()
    signal.throwIfAborted()
    if (session.clock() > deadlineMs) {
      end = 'timed-out'
      return false
    }
    if (seen.has(path)) return true
    seen.add(path)
    const stat = await lstatIfThere(session.vfs, path)
    if (stat?.kind !== 'file') return true
    if (stat.sizeBytes > limits.searchMaxFileBytes) {
      oversizedFiles.push(display)
      return true
    }
    const bytes = await readFileIfThere(session.vfs, path)
    if (bytes === undefined) return true
    const found = matchLines(bytes, options, matchesPerFile, () => session.clock() > deadlineMs)
    if (found.kind === 'binary') {
      binaryFiles.push(display)
      return true
    }
    if (found.isStopped) end = 'timed-out'
    if (found.lineNumbers.length === 0) return !found.isStopped
    if (++matchingFiles <= skip) return true
    if (files.length === limits.searchFilesPerPage) {
      end = 'page-full'
      return false
    }
    matchCount += found.lineNumbers.length
    files.push({ path, display, bytes, matchLineNumbers: found.lineNumbers, isCut: found.isCut })
    call.onUpdate({
      content: textContent(`${files.length} matching files so far`),
      details: { fileCount: files.length, matchCount },
    })
    if (found.isStopped) return false
    if (matchCount < limits.searchMaxMatches) return true
    end = 'match-limit'
    return false
  }

  for (const target of scope.targets) {
    if (!(await searchTarget(target, options, deadlineMs, searchFile, reason => (end = reason)))) break
  }
  return { files, end, oversizedFiles, binaryFiles }
}

async function searchTarget(
  target: Target,
  { gitignore, call }: CollectOptions,
  deadlineMs: number,
  searchFile: (path: VfsPath, display: string) => Promise<boolean>,
  endedBy: (reason: SearchEnd) => void,
): Promise<boolean> {
  const { session, signal } = call
  const base = await session.paths.resolve(target.base)
  if (base.stat === undefined) return true
  if (base.stat.kind !== 'directory') return searchFile(base.path, base.display)
  const glob = compileGlob(target.glob ?? '**/*')
  if (glob.kind === 'error') {
    throw new ToolError('invalid-glob', `${JSON.stringify(target.text)} is not a glob: ${glob.message}`, {
      nextStep: 'Correct it; * ? ** {a,b} and [abc] are understood.',
    })
  }
  const outcome = await listFiles(
    {
      vfs: session.vfs,
      root: session.root,
      base: base.path,
      hidden: true,
      gitignore,
      // Search looks into node_modules when ignore files are switched off, unlike find (atomic §12.3).
      includeNodeModules: !gitignore || target.text.includes('node_modules'),
      signal,
      clock: session.clock,
      deadlineMs,
      maxEntries: session.limits.walkMaxEntries,
    },
    entry => {
      if (entry.kind !== 'file' || !glob.matches(entry.relative)) return true
      return searchFile(entry.path, base.display === '.' ? entry.relative : `${base.display}/${entry.relative}`)
    },
  )
  if (outcome.kind === 'timed-out' || outcome.kind === 'too-many-entries') endedBy(outcome.kind)
  return outcome.kind === 'complete'
}

type FoundLines =
  | { readonly kind: 'binary' }
  | {
      readonly kind: 'lines'
      readonly lineNumbers: readonly number[]
      readonly isCut: boolean
      /** Its time was over in the middle of the file. */
      readonly isStopped: boolean
    }

function matchLines(
  bytes: Uint8Array,
  { pattern, scope }: CollectOptions,
  maxMatches: number,
  shouldStop: () => boolean,
): FoundLines {
  const lineNumbers: number[] = []
  let isCut = false
  const outcome = searchBytes(
    bytes,
    pattern,
    ({ lineNumber }) => {
      if (scope.ranges !== undefined && !scope.ranges.some(range => lineNumber >= range.start && lineNumber <= range.end))
        return true
      if (lineNumbers.length === maxMatches) {
        isCut = true
        return false
      }
      lineNumbers.push(lineNumber)
      return true
    },
    { shouldStop },
  )
  if (outcome.kind === 'binary') return outcome
  const isStopped = outcome.kind === 'stopped' && outcome.by === 'caller'
  return { kind: 'lines', lineNumbers, isCut, isStopped }
}
