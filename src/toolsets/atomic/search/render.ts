// Matches as the model sees them: a header with the tag of the whole file, match and context rows, and the omissions.

import type { Limits } from '../../../core/limits.ts'
import { printablePath } from '../../../core/printable.ts'
import { formatSize } from '../../../core/size.ts'
import { byteOrderMark, decodeUtf8, documentOf, normalizedText, type TextDocument } from '../../../core/text.ts'
import type { Pattern } from '../../../search/pattern.ts'
import { shownPart } from '../../../session/long-line.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { formatContextRow, formatHeader, formatMatchRow } from '../../../text/hashline/format.ts'
import { contentTag } from '../../../text/hashline/tag.ts'
import { spansOf } from '../../../text/line-spans.ts'
import type { Collected, FileMatches, SearchScope } from './collect.ts'
import { listedPaths } from '../listed-paths.ts'
import type { SearchSettings } from './settings.ts'

export interface SearchView {
  readonly collected: Collected
  readonly scope: SearchScope
  readonly skip: number
  readonly session: Session
  readonly pattern: Pattern
  readonly settings: SearchSettings
  /** Possible reasons for an empty result, as sentences. */
  readonly hints: readonly string[]
}

interface RenderedFile {
  readonly file: FileMatches
  readonly text: string
  readonly hasCutLines: boolean
}

const encoder = new TextEncoder()

export function renderSearch(view: SearchView): ToolOutcome {
  const { collected, scope, session, skip, settings } = view
  const { shown, isFull } = pageWithin(
    collected.files.map(file => renderFile(file, view.pattern, session, settings)),
    session.limits.searchMaxOutputBytes,
  )
  const isLastPage = collected.end !== 'page-full' && !isFull
  const nextSkip = skip + shown.length
  const notes = [
    ...(view.pattern.note === undefined ? [] : [view.pattern.note]),
    ...(isLastPage ? [] : [`${shown.length} matching files shown. Use skip=${nextSkip} to view more.`]),
    ...(scope.singleFile === undefined ? cutNotes(shown, session) : nextMatches(shown)),
    ...lineNotes(shown, session),
    ...view.hints,
    ...collected.emptyGlobs.map(globNote),
    ...endNotes(collected, session),
    ...(scope.singleFile !== undefined && skip > 0
      ? ['"skip" has no meaning for a single file; refine the pattern, or choose lines with path:N-M.']
      : []),
    ...(scope.singleFile === undefined
      ? [
          ...leftOut('larger than the limit of ' + formatSize(session.limits.searchMaxFileBytes), collected.oversizedFiles),
          ...leftOut('because the filesystem cannot read them', collected.unreadableFiles),
        ]
      : []),
    ...(scope.missing.length === 0 ? [] : [`Skipped missing paths: ${listedPaths(scope.missing)}`]),
  ]
  const body =
    shown.length > 0
      ? scope.singleFile === undefined
        ? withBanners(shown)
        : shown.map(file => file.text).join('\n')
      : skip > 0 && scope.singleFile === undefined
        ? `No more results (skip=${skip}).`
        : (notSearched(collected, scope, session) ?? 'No matches found.')
  return {
    content: textContent([body, ...(notes.length === 0 ? [] : ['', ...notes.map(note => `[${note}]`)])].join('\n')),
    details: details(view, shown, isLastPage, nextSkip),
  }
}

function globNote({ text, ignoredFiles }: Collected['emptyGlobs'][number]): string {
  if (ignoredFiles === 0) return `No file fits ${text}.`
  const files = ignoredFiles === 1 ? '1 file fits' : `${ignoredFiles} files fit`
  return `${files} ${text}, and ignore files leave ${ignoredFiles === 1 ? 'it' : 'them'} out. Use gitignore: false to search ${ignoredFiles === 1 ? 'it' : 'them'}.`
}

/** A named file that was not searched: the result must not read as if it was searched without a match. */
function notSearched(collected: Collected, { singleFile }: SearchScope, { limits }: Session): string | undefined {
  if (singleFile === undefined) return undefined
  const not = `${singleFile.display} was not searched: `
  if (collected.unreadableFiles.length > 0) return `${not}the filesystem cannot read it.`
  if (collected.binaryFiles.length > 0) return `${not}it is binary. Search it with rg -a in the shell.`
  if (collected.oversizedFiles.length === 0) return undefined
  const size = formatSize(singleFile.stat?.sizeBytes ?? 0)
  return `${not}it has ${size}, and the limit is ${formatSize(limits.searchMaxFileBytes)}. Search it with rg in the shell, or read parts of it.`
}

function renderFile(file: FileMatches, pattern: Pattern, session: Session, settings: SearchSettings): RenderedFile {
  const { snapshots } = session
  // Decoding a large file takes longer than searching it.
  const known = file.isHeld ? snapshots.textFrom(file.bytes) : undefined
  const decoded = known === undefined ? decodeUtf8(file.bytes) : { kind: 'text' as const, text: known.text }
  if (decoded.kind === 'binary') {
    return {
      file,
      text: `# ${printablePath(file.display)}: ${file.matchLineNumbers.length} matching lines, not shown because the file is not valid UTF-8`,
      hasCutLines: false,
    }
  }
  const { normalized, lineAt } = readLines(decoded.text, file)
  const { rows, lineNumbers, hasCutLines } = rowsOf(lineAt, file.matchLineNumbers, pattern, settings, session.limits)
  if (file.wasDecoded) {
    const text = [`# ${printablePath(file.display)}: UTF-16, shown as UTF-8`, ...rows].join('\n')
    return { file, text, hasCutLines }
  }
  const isAsStored = normalized === decoded.text
  const tag =
    known?.tag ?? snapshots.latestTag(file.path, normalized) ?? contentTag(normalized, isAsStored ? file.bytes : undefined)
  const bytes = isAsStored && file.isHeld ? file.bytes : undefined
  snapshots.record(file.path, file.display, normalized, { tag, rows: spansOf(lineNumbers), bytes })
  return { file, text: [formatHeader(file.display, tag), ...rows].join('\n'), hasCutLines }
}

/** A line by its number, 1-based, without its ending; `undefined` after the last one. Numbers must ascend. */
export type LineAt = (lineNumber: number) => string | undefined

/** Only the lines around matches need be in `document`. */
export function linesOf({ lines }: TextDocument): LineAt {
  return lineNumber => (lineNumber > lines.length ? undefined : (lines[lineNumber - 1] ?? ''))
}

/** Splitting all of a text would take longer than finding its matches. */
function readLines(text: string, file: FileMatches): { readonly normalized: string; readonly lineAt: LineAt } {
  if (text.startsWith(byteOrderMark) || text.includes('\r')) {
    const document = documentOf(text)
    return { normalized: normalizedText(document), lineAt: linesOf(document) }
  }
  const { matchLineNumbers, matchStarts } = file
  // Where bytes are characters, the places of matches are known, and no line before them is counted.
  const isAscii = text.length === file.bytes.length
  let next = 0
  let current = 1
  let start = 0
  const lineAt: LineAt = lineNumber => {
    while (isAscii && (matchLineNumbers[next] ?? Infinity) < lineNumber) next++
    const matchLine = isAscii ? (matchLineNumbers[next] ?? Infinity) : Infinity
    if (matchLine - lineNumber < lineNumber - current) {
      start = startOfLineBefore(text, matchStarts[next] ?? 0, matchLine - lineNumber)
      current = lineNumber
    }
    for (; current < lineNumber; current++) {
      const at = text.indexOf('\n', start)
      if (at === -1) return undefined
      start = at + 1
    }
    if (start >= text.length) return undefined
    const end = text.indexOf('\n', start)
    return text.slice(start, end === -1 ? text.length : end)
  }
  return { normalized: text, lineAt }
}

/** The start of the line that is `count` lines before the one that starts at `lineStart`. */
function startOfLineBefore(text: string, lineStart: number, count: number): number {
  let start = lineStart
  for (let left = count; left > 0; left--) start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  return start
}

/** Match and context rows; only the lines around matches are read. */
export function rowsOf(
  lineAt: LineAt,
  matchLineNumbers: readonly number[],
  pattern: Pattern,
  { contextBefore, contextAfter }: SearchSettings,
  limits: Limits,
): { rows: readonly string[]; lineNumbers: readonly number[]; hasCutLines: boolean } {
  const matches = new Set(matchLineNumbers)
  const rows: string[] = []
  const lineNumbers: number[] = []
  let hasCutLines = false
  let shownUpTo = 0
  for (const match of matchLineNumbers) {
    const start = Math.max(shownUpTo + 1, match - contextBefore)
    for (let lineNumber = start; lineNumber <= match + contextAfter; lineNumber++) {
      const line = lineAt(lineNumber)
      if (line === undefined) break
      const isMatch = matches.has(lineNumber)
      const text = shownPart(line, isMatch ? pattern : undefined, limits.searchMaxLineCharacters)
      hasCutLines ||= text !== line
      lineNumbers.push(lineNumber)
      rows.push(isMatch ? formatMatchRow(lineNumber, text) : formatContextRow(lineNumber, text))
    }
    shownUpTo = Math.max(shownUpTo, match + contextAfter)
  }
  return { rows, lineNumbers, hasCutLines }
}

/** Whole files up to the byte limit, and at least one. */
function pageWithin(files: readonly RenderedFile[], maxBytes: number): { shown: readonly RenderedFile[]; isFull: boolean } {
  let bytes = 0
  for (const [index, file] of files.entries()) {
    bytes += encoder.encode(file.text).length + 1
    if (index > 0 && bytes > maxBytes) return { shown: files.slice(0, index), isFull: true }
  }
  return { shown: files, isFull: false }
}

/** `# dir/` before the first file of each directory except the root. */
function withBanners(files: readonly RenderedFile[]): string {
  const parts: string[] = []
  let current = ''
  for (const { file, text } of files) {
    const directory = file.display.slice(0, file.display.lastIndexOf('/') + 1)
    if (directory !== current && directory !== '') parts.push(`# ${printablePath(directory)}`)
    current = directory
    parts.push(text)
  }
  return parts.join('\n')
}

function cutNotes(shown: readonly RenderedFile[], { limits }: Session): readonly string[] {
  const cut = shown.filter(({ file }) => file.isCut).map(({ file }) => file.display)
  if (cut.length === 0) return []
  return [
    `More matches than shown in ${listed(cut)}. Search one file alone to see up to ${limits.searchMatchesInSingleFile} of them, or refine the pattern.`,
  ]
}

/** About the only file that is searched. */
function nextMatches(shown: readonly RenderedFile[]): readonly string[] {
  return shown
    .filter(({ file }) => file.isCut)
    .map(
      ({ file }) => `More matches than shown. Go on with paths: "${file.display}:${(file.matchLineNumbers.at(-1) ?? 0) + 1}-".`,
    )
}

function lineNotes(shown: readonly RenderedFile[], { limits }: Session): readonly string[] {
  if (!shown.some(file => file.hasCutLines)) return []
  return [`Lines longer than ${limits.searchMaxLineCharacters} characters were cut at "…". Read the file for the whole line.`]
}

function endNotes({ end }: Collected, { limits }: Session): readonly string[] {
  switch (end) {
    case 'match-limit':
      return [`Stopped after ${limits.searchMaxMatches} matches. There may be more: refine the pattern or the paths.`]
    case 'timed-out':
      return [`Stopped after ${limits.searchTimeoutMs / 1000} s. There may be more: refine the pattern or the paths.`]
    case 'too-many-entries':
      return [`Stopped after looking at ${limits.walkMaxEntries} entries. Search a subdirectory.`]
    case 'complete':
    case 'page-full':
      return []
  }
}

function leftOut(why: string, files: readonly string[]): readonly string[] {
  return files.length === 0 ? [] : [`Not searched, ${why}: ${listed(files)}`]
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length <= 5 ? shown : `${shown} and ${names.length - 5} more`
}

function details(
  { collected, scope, session }: SearchView,
  shown: readonly RenderedFile[],
  isLastPage: boolean,
  nextSkip: number,
): Record<string, unknown> {
  const fileMatches = Object.fromEntries(shown.map(({ file }) => [file.display, file.matchLineNumbers.length]))
  return {
    scopePath: scope.targets.map(target => target.text).join(', '),
    cwd: session.root,
    matchCount: shown.reduce((sum, { file }) => sum + file.matchLineNumbers.length, 0),
    fileCount: shown.length,
    files: shown.map(({ file }) => file.display),
    fileMatches,
    ...(isLastPage ? {} : { fileLimitReached: session.limits.searchFilesPerPage, nextSkip }),
    ...(collected.end === 'match-limit' ? { matchLimitReached: session.limits.searchMaxMatches } : {}),
    ...(collected.end === 'timed-out' ? { timedOut: true } : {}),
    ...(shown.some(file => file.hasCutLines) ? { linesTruncated: true } : {}),
    ...(collected.oversizedFiles.length === 0 ? {} : { oversizedFiles: collected.oversizedFiles }),
    ...(scope.missing.length === 0 ? {} : { missingPaths: scope.missing }),
    meta: { source: 'workspace', ...(isLastPage ? {} : { limits: { fileLimit: session.limits.searchFilesPerPage } }) },
  }
}
