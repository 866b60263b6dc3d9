// Searches contents and names each line by its ID if the ID is known. Every error is reported, so "No matches." can be relied on.

import { fullHash } from '../../../core/hash.ts'
import { ToolError } from '../../../core/errors.ts'
import { printablePath } from '../../../core/printable.ts'
import { formatSize } from '../../../core/size.ts'
import { decodeUtf8 } from '../../../core/text.ts'
import { compileGlob } from '../../../search/glob.ts'
import { type LineMatch, searchSteps } from '../../../search/matcher.ts'
import { compilePattern, type Pattern } from '../../../search/pattern.ts'
import { type Inspection, searchFiles, type SearchGround, withSearchGround } from '../../../session/search-driver.ts'
import { shownPart } from '../../../session/long-line.ts'
import { hintsFor } from '../../../session/search-hints.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { formatLineId } from '../../../text/line-ids/display.ts'
import { maxLineCharacters, maxResults, searchTimeoutMs } from '../limits.ts'
import { listProject, type ProjectFile } from '../list-project.ts'
import { resolveSearchPath } from '../paths.ts'
import { ryeResult } from '../result.ts'
import type { RyeState } from '../state.ts'
import { pushAll } from '../../../core/many.ts'

export interface GrepArguments {
  readonly pattern: string
  readonly path?: string | undefined
  readonly include?: string | undefined
  readonly offset?: number | undefined
}

interface Match {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly content: string
  readonly line_id?: string
}

interface Found {
  readonly matches: readonly Match[]
  readonly hasMore: boolean
  readonly isTimedOut: boolean
  readonly cutLines: number
  readonly oversizedFiles: readonly string[]
  readonly unreadableFiles: readonly string[]
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export async function runGrep(args: GrepArguments, call: ToolCall, state: RyeState): Promise<ToolOutcome> {
  const { session } = call
  const base = await resolveSearchPath(session, args.path)
  const pattern = compile(args.pattern)
  const deadlineMs = session.clock() + searchTimeoutMs
  const matchesInclude = includeFilter(args.include)
  const skipped = args.offset ?? 0
  const { listed, found, hints } = await withSearchGround(session, call.signal, async ground => {
    const options = { source: ground.source, matches: matchesInclude, followsLinks: false, deadlineMs }
    const files = await listProject(base, options, call)
    const search = { ...ground, pattern, skipped, deadlineMs, call, state }
    const answer = await grepFiles(files.files, search)
    const isEmpty = answer.matches.length === 0 && skipped === 0 && !answer.isTimedOut
    return {
      listed: files,
      found: answer,
      hints: isEmpty ? await hintsFor(args.pattern, pattern, finds(files.files, search)) : [],
    }
  })
  const fitsNothing = listed.files.length === 0 && listed.notes.length === 0 && (args.include ?? '').trim() !== ''
  const matches = [...found.matches]
  const [onlyFile] = listed.files.length === 1 ? found.oversizedFiles : []
  return ryeResult({
    output: matches.map(match => renderMatch(match)).join('\n'),
    fields: { matches, count: matches.length, truncated: found.hasMore || found.isTimedOut || listed.isIncomplete },
    notes: [
      ...(found.hasMore
        ? [`The first ${maxResults} matches from ${skipped}. For the next: offset ${skipped + matches.length}`]
        : []),
      ...(found.isTimedOut ? [`Stopped after ${searchTimeoutMs / 1000} s; give a "path" or "include" to search less`] : []),
      ...(fitsNothing ? [`No file fits ${JSON.stringify(args.include)}`] : []),
      ...listed.notes,
      ...hints.map(hint => hint.replace(/\.$/, '')),
      ...skippedNotes(onlyFile === undefined ? found : { ...found, oversizedFiles: [] }),
      ...(pattern.note === undefined ? [] : [pattern.note.replace(/\.$/, '')]),
    ],
    // It must not read as if the file was searched.
    emptyText:
      onlyFile === undefined
        ? 'No matches.'
        : `${onlyFile} was not searched: it is larger than the limit of ${formatSize(session.limits.searchMaxFileBytes)}. Read parts of it.`,
    details: { files: [...new Set(matches.map(match => match.file))], matchCount: matches.length },
  })
}

function compile(source: string): Pattern {
  const compiled = compilePattern(source)
  if (compiled.kind === 'pattern') return compiled.pattern
  throw new ToolError('invalid-pattern', `Invalid regex pattern: ${compiled.message}`, {
    nextStep: 'Correct it, or put a backslash before each character that is meant literally.',
  })
}

/** As ripgrep's --glob: without a slash it matches names at any depth, and `!` inverts it. */
function includeFilter(include: string | undefined): (file: ProjectFile) => boolean {
  if (include === undefined || include.trim() === '') return () => true
  const isExcluding = include.startsWith('!')
  const written = include.slice(isExcluding ? 1 : 0).replace(/^\//, '')
  const glob = compileGlob(written.includes('/') ? written : `**/${written}`)
  if (glob.kind === 'error') {
    throw new ToolError('invalid-glob', `${JSON.stringify(include)} is not a valid glob: ${glob.message}`, {
      nextStep: 'Correct "include"; * ? ** {a,b} and [abc] are understood.',
    })
  }
  return file => (glob.matches(file.shown) || glob.matches(file.relative)) !== isExcluding
}

interface GrepSearch extends SearchGround {
  readonly pattern: Pattern
  readonly skipped: number
  readonly deadlineMs: number
  readonly call: ToolCall
  readonly state: RyeState
}

async function grepFiles(files: readonly ProjectFile[], search: GrepSearch): Promise<Found> {
  const { pattern, call } = search
  const { session, signal } = call
  const matching: { readonly file: ProjectFile; readonly bytes: Uint8Array; readonly matches: readonly Match[] }[] = []
  const oversizedFiles: string[] = []
  const unreadableFiles: string[] = []
  let toSkip = search.skipped
  let matchCount = 0
  let cutLines = 0
  let hasMore = false
  let isTimedOut = false
  await searchFiles({
    ...search,
    files,
    maxFileBytes: session.limits.searchMaxFileBytes,
    rulesOutFiles: true,
    signal,
    isTimeOver: () => session.clock() > search.deadlineMs,
    inspect(file, bytes, regions): Inspection<Match[]> {
      const found: Match[] = []
      const sink = ({ lineNumber, start, end }: LineMatch): boolean => {
        if (toSkip > 0) {
          toSkip--
          return true
        }
        if (matchCount === maxResults) {
          hasMore = true
          return false
        }
        const line = decoder.decode(bytes.subarray(start, end))
        const content = shownPart(line, pattern, maxLineCharacters)
        if (content !== line) cutLines++
        matchCount++
        found.push({ file: file.shown, line: lineNumber, content })
        return true
      }
      return { found, steps: searchSteps(bytes, pattern, sink, { regions }) }
    },
    onFile(file, answer) {
      if (answer.kind === 'oversized') oversizedFiles.push(file.shown)
      else if (answer.kind === 'unreadable') unreadableFiles.push(file.shown)
      else if (answer.kind === 'timed-out') isTimedOut = true
      else if (answer.kind === 'searched') {
        isTimedOut ||= answer.isTimedOut
        if (answer.found.length > 0) matching.push({ file, bytes: answer.bytes.slice(), matches: answer.found })
      }
      return !hasMore && !isTimedOut
    },
  })
  const matches: Match[] = []
  for (const found of matching) pushAll(matches, await withLineIds(found.matches, found.file, found.bytes, search))
  return { matches, hasMore, isTimedOut, cutLines, oversizedFiles, unreadableFiles }
}

/** Whether another pattern is in the same files. */
function finds(files: readonly ProjectFile[], search: GrepSearch): (other: Pattern) => Promise<boolean> {
  return async other => {
    const { matches, hasMore } = await grepFiles(files, { ...search, pattern: other, skipped: 0 })
    return matches.length > 0 || hasMore
  }
}

/** IDs only if the index is of exactly these bytes. */
async function withLineIds(
  matches: readonly Match[],
  file: ProjectFile,
  bytes: Uint8Array,
  { call, state }: GrepSearch,
): Promise<readonly Match[]> {
  const index = await state.indexes.load(await call.session.paths.resolve(file.shown))
  const decoded = index === undefined ? undefined : decodeUtf8(bytes)
  if (index === undefined || decoded?.kind !== 'text' || fullHash(decoded.text) !== index.contentHash) return matches
  const shown = state.shownLines(file.path)
  return matches.map(match => {
    const id = index.lines[match.line - 1]?.id
    if (id === undefined) return match
    shown.show(index.lines, match.line - 1, match.line)
    return { ...match, line_id: id }
  })
}

function renderMatch({ file, line, content, line_id: id }: Match): string {
  return `${printablePath(file)}:${line}:${id === undefined ? '' : `${formatLineId(id).trimEnd()}:`}${content}`
}

const namedFiles = 3

function skippedNotes({ cutLines, oversizedFiles, unreadableFiles }: Found): readonly string[] {
  const lines = cutLines === 1 ? 'line was' : 'lines were'
  return [
    ...(cutLines === 0 ? [] : [`${cutLines} ${lines} cut at ${maxLineCharacters} characters; read shows the rest`]),
    ...notSearched('they are too large', oversizedFiles),
    ...notSearched('the filesystem cannot read them', unreadableFiles),
  ]
}

function notSearched(why: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return []
  const more = files.length > namedFiles ? ` and ${files.length - namedFiles} more` : ''
  return [`Not searched because ${why}: ${files.slice(0, namedFiles).join(', ')}${more}`]
}
