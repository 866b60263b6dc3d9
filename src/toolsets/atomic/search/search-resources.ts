// Searches archives, databases, documents and addresses. Their lines have no tags, because they are not edited by line; a file that is
// edited as another text has a tag.

import { ByteLines } from '../../../core/byte-lines.ts'
import { ToolError, unreachable } from '../../../core/errors.ts'
import { nextTurn } from '../../../core/pause.ts'
import { printablePath } from '../../../core/printable.ts'
import { documentOf, normalizedText, type TextDocument } from '../../../core/text.ts'
import type { ResourceMember } from '../../../resources/kind.ts'
import { searchBytes } from '../../../search/matcher.ts'
import type { Pattern } from '../../../search/pattern.ts'
import type { OpenedEntry } from '../../../session/open-entries.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { formatHeader } from '../../../text/hashline/format.ts'
import { mergeSpans, spansOf } from '../../../text/line-spans.ts'
import { linesOf, rowsOf } from './render.ts'
import type { SearchSettings } from './settings.ts'

interface Found {
  readonly display: string
  readonly matchCount: number
  readonly rows: readonly string[]
  readonly isCut: boolean
}

interface Totals {
  readonly found: Found[]
  readonly notes: string[]
  matchCount: number
  hasCutLines: boolean
  /** There are more matching members than are skipped or shown. */
  isFull: boolean
  skipped: number
}

/** Members that were not searched. */
interface Left {
  readonly unopened: string[]
  readonly binary: string[]
}

export async function searchResources(
  entries: readonly OpenedEntry[],
  pattern: Pattern,
  settings: SearchSettings,
  skip: number,
  call: ToolCall,
): Promise<ToolOutcome> {
  const { session } = call
  const totals: Totals = { found: [], notes: [], matchCount: 0, hasCutLines: false, isFull: false, skipped: 0 }
  const deadlineMs = session.clock() + session.limits.searchTimeoutMs
  const left: Left = { unopened: [], binary: [] }
  for (const entry of entries) {
    for await (const member of membersOf(entry)) {
      call.signal.throwIfAborted()
      if (totals.isFull) break
      if (member.text === undefined || !entry.matches(member.name)) continue
      if (session.clock() > deadlineMs) {
        totals.notes.push(`Time is up. Search a part, such as ${member.display}.`)
        totals.isFull = true
        break
      }
      await nextTurn()
      const text = await textOf(member, left)
      if (text !== undefined)
        searchMember(
          { entry, member, text, pattern, settings, skip, isOnly: entries.length === 1 && entry.resource.kind !== 'entries' },
          call,
          totals,
        )
    }
  }
  return render(entries, pattern, skip, left, totals, call)
}

async function textOf(member: ResourceMember, left: Left): Promise<string | Uint8Array | undefined> {
  try {
    const text = await member.text?.()
    if (text === undefined) left.binary.push(member.display)
    return text
  } catch (error) {
    // The others are searched, and the result names those that were not.
    if (!(error instanceof ToolError)) throw error
    left.unopened.push(`${member.display}: ${error.message}`)
    return undefined
  }
}

async function* membersOf({ resource }: OpenedEntry): AsyncGenerator<ResourceMember, void> {
  if (resource.members !== undefined) {
    yield* resource.members()
    return
  }
  const { display } = resource
  const text = textOfResource(resource)
  yield { display, name: display, isDirectory: false, text: () => Promise.resolve(text) }
}

function textOfResource(resource: OpenedEntry['resource']): string | Uint8Array | undefined {
  switch (resource.kind) {
    case 'entries':
      return resource.names.join('\n')
    case 'image':
      return undefined
    case 'large-text':
      return resource.bytes
    case 'text':
    case 'projection':
      return resource.text
    default:
      return unreachable(resource)
  }
}

interface SearchedMember {
  readonly entry: OpenedEntry
  readonly member: ResourceMember
  readonly text: string | Uint8Array
  readonly pattern: Pattern
  readonly settings: SearchSettings
  readonly skip: number
  readonly isOnly: boolean
}

function searchMember(searched: SearchedMember, { session }: ToolCall, totals: Totals): void {
  const { entry, member, text, pattern, settings, skip, isOnly } = searched
  const { limits } = session
  const { ranges } = entry.selector
  const maxMatches = isOnly ? limits.searchMatchesInSingleFile : limits.searchMatchesPerFile
  const lineNumbers: number[] = []
  let isCut = false
  searchBytes(typeof text === 'string' ? new TextEncoder().encode(text) : text, pattern, ({ lineNumber }) => {
    const isInside =
      ranges.length === 0 || ranges.some(({ start, end, bounded }) => lineNumber >= start && (!bounded || lineNumber <= end))
    if (!isInside) return true
    if (lineNumbers.length === maxMatches) {
      isCut = true
      return false
    }
    lineNumbers.push(lineNumber)
    return true
  })
  if (lineNumbers.length === 0) return
  if (!isOnly && totals.skipped < skip) {
    totals.skipped++
    return
  }
  if (totals.found.length === limits.searchFilesPerPage || totals.matchCount >= limits.searchMaxMatches) {
    totals.isFull = true
    return
  }
  const document = typeof text === 'string' ? documentOf(text) : linesAround(text, lineNumbers, settings)
  const shown = rowsOf(linesOf(document), lineNumbers, pattern, settings, limits)
  totals.hasCutLines ||= shown.hasCutLines
  totals.matchCount += lineNumbers.length
  const path = entry.resource.kind === 'projection' ? entry.source?.stored?.path : undefined
  const rows =
    path === undefined
      ? shown.rows.map(row => labelled(member.display, row))
      : [
          formatHeader(
            member.display,
            session.snapshots.record(path, member.display, normalizedText(document), { rows: spansOf(shown.lineNumbers) }),
          ),
          ...shown.rows,
        ]
  totals.found.push({ display: member.display, matchCount: lineNumbers.length, rows, isCut })
}

/** The matching lines and their context. */
function linesAround(bytes: Uint8Array, lineNumbers: readonly number[], settings: SearchSettings): TextDocument {
  const around = lineNumbers.map(line => ({
    start: Math.max(1, line - settings.contextBefore),
    end: line + settings.contextAfter,
  }))
  return new ByteLines(bytes).document(mergeSpans(around), Number.POSITIVE_INFINITY)
}

/** `*2:text` becomes `b.zip:a.txt:2: text`, and ` 3:text` becomes `b.zip:a.txt-3- text`. */
function labelled(display: string, row: string): string {
  const colon = row.indexOf(':')
  const [path, number, text] = [printablePath(display), row.slice(1, colon), row.slice(colon + 1)]
  return row.startsWith('*') ? `${path}:${number}: ${text}` : `${path}-${number}- ${text}`
}

function render(
  entries: readonly OpenedEntry[],
  pattern: Pattern,
  skip: number,
  left: Left,
  totals: Totals,
  { session }: ToolCall,
): ToolOutcome {
  const { found, notes, hasCutLines, isFull, matchCount } = totals
  const { limits } = session
  const kept = within(found, limits.searchMaxOutputBytes)
  const isCut = isFull || kept.length < found.length
  const all = [
    ...(pattern.note === undefined ? [] : [pattern.note]),
    ...notes,
    ...(isCut ? [`${kept.length} matching members shown. Use skip=${skip + kept.length} to view more.`] : []),
    ...kept
      .filter(each => each.isCut)
      .map(({ display }) => `More matches than shown in ${display}. Refine the pattern, or search it alone.`),
    ...(hasCutLines ? [`Lines longer than ${limits.searchMaxLineCharacters} characters were cut at "…".`] : []),
    ...listed('Not searched, because they cannot be opened', left.unopened),
    ...(found.length === 0 ? listed('Not searched, because they are not text', left.binary) : []),
  ]
  const body =
    kept.length === 0
      ? skip > 0
        ? `No more results (skip=${skip}).`
        : 'No matches found.'
      : kept.flatMap(({ rows }) => rows).join('\n')
  return {
    content: textContent([body, ...(all.length === 0 ? [] : ['', ...all.map(note => `[${note}]`)])].join('\n')),
    details: {
      scopePath: entries.map(({ text }) => text).join(', '),
      cwd: session.root,
      matchCount,
      fileCount: kept.length,
      files: kept.map(({ display }) => display),
      fileMatches: Object.fromEntries(kept.map(each => [each.display, each.matchCount])),
      ...(isCut ? { fileLimitReached: limits.searchFilesPerPage, nextSkip: skip + kept.length } : {}),
      meta: { source: entries[0]?.name },
    },
  }
}

function within(found: readonly Found[], maxBytes: number): readonly Found[] {
  let bytes = 0
  const end = found.findIndex(({ rows }, index) => {
    bytes += rows.reduce((sum, row) => sum + row.length + 1, 0)
    return index > 0 && bytes > maxBytes
  })
  return end === -1 ? found : found.slice(0, end)
}

function listed(why: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return [`${why}: ${names.slice(0, 5).join('; ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`]
}
