// Under the header of a newer view, a model may use a line number from an older one. Such an operation is moved to the present place of its
// lines if two things are provable: the number is of the older view, and the lines' new place.
//
// The number is of the older view if the newer one showed neither that number nor any sign that lines had moved, because then the model
// could not know numbers of the newer text. The new place is proved as for an edit of a file that has changed.

import { documentOf } from '../../../core/text.ts'
import { olderRows, type OlderRow } from '../../../session/older-rows.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { ShownVersion } from '../../../session/snapshots.ts'
import { lineKey } from '../../../text/hashline/line-anchors.ts'
import type { Hunk, Section } from '../../../text/hashline/parse.ts'
import { hasLine, type LineSpan } from '../../../text/line-spans.ts'
import { blockResolverFor } from './apply.ts'
import { refuseOlderRow } from './refuse.ts'
import type { EditSettings } from './settings.ts'

export interface NumberedHunks {
  readonly hunks: readonly Hunk[]
  readonly warnings: readonly string[]
}

/** Converts the hunks of a section to the line numbers of `text`, the text of its tag. Throws `ToolError` `edit-rows-not-shown`. */
export async function inNumbersOf(
  session: Session,
  settings: EditSettings,
  { section, file }: { readonly section: Section; readonly file: ResolvedPath },
  text: string,
): Promise<NumberedHunks> {
  const hunks: Hunk[] = []
  const warnings: string[] = []
  for (const hunk of section.hunks) {
    const span = spanOf(hunk)
    const [older] = span === undefined ? [] : olderRows(session.snapshots, file.path, section.tag, text, [span])
    if (span === undefined || older === undefined) {
      hunks.push(hunk)
      continue
    }
    const moved = await movedHunk(session, settings, { section, file, text, hunk, span })
    if (moved === undefined) throw refuseOlderRow(file.display, section, older, documentOf(text).lines[older.lineNumber - 1])
    hunks.push(...moved.hunks)
    warnings.push(describeMove(section.tag, older, moved.shift), ...moved.warnings)
  }
  return { hunks, warnings }
}

interface Numbered {
  readonly section: Section
  readonly file: ResolvedPath
  /** The text of the section's tag. */
  readonly text: string
  readonly hunk: Hunk
  readonly span: LineSpan
}

async function movedHunk(
  session: Session,
  settings: EditSettings,
  { section, file, text, hunk, span }: Numbered,
): Promise<(NumberedHunks & { readonly shift: number }) | undefined> {
  const shown = session.snapshots.shownRows(file.path, section.tag, text)
  const document = documentOf(text)
  const older = session.snapshots.shownVersions(file.path).filter(version => version.text !== text && hasAny(version.shown, span))
  const { recoverHunks } = await import('../../../text/hashline/recover.ts')
  const resolveBlock = await blockResolverFor(settings, file.path, [hunk])
  const readings = older.map(version => {
    if (version.text === undefined || hasAny(shown, span) || !hasAll(version.shown, span)) return undefined
    const before = documentOf(version.text)
    if (span.end > before.lines.length || tellsOfMoves(version, before.lines, shown, document.lines)) return undefined
    const recovery = recoverHunks(before, document, [hunk], { resolveBlock, repairs: settings.repairs })
    if (recovery.kind !== 'recovered') return undefined
    const [move] = recovery.moved
    return { hunks: recovery.hunks, warnings: recovery.warnings, shift: move === undefined ? 0 : move.to - move.from }
  })
  const [reading] = readings
  // If two views showed the number for different lines, the intended one is unknown.
  return readings.every(other => other !== undefined && other.shift === reading?.shift) ? reading : undefined
}

/** Whether the shown rows of `lines` reveal that lines moved since the older view. */
function tellsOfMoves(
  older: ShownVersion,
  olderLines: readonly string[],
  shown: readonly LineSpan[],
  lines: readonly string[],
): boolean {
  const numbersOf = new Map<string, Set<number>>()
  for (const [index, line] of olderLines.entries()) {
    if (!hasLine(older.shown, index + 1)) continue
    const key = lineKey(line)
    numbersOf.set(key, (numbersOf.get(key) ?? new Set()).add(index + 1))
  }
  return lines.some((line, index) => {
    const number = index + 1
    if (!hasLine(shown, number)) return false
    const numbers = numbersOf.get(lineKey(line))
    return numbers === undefined ? hasLine(older.shown, number) : !numbers.has(number)
  })
}

function hasAny(spans: readonly LineSpan[], { start, end }: LineSpan): boolean {
  return spans.some(span => span.start <= end && span.end >= start)
}

/** Joins adjoining spans. */
function hasAll(spans: readonly LineSpan[], { start, end }: LineSpan): boolean {
  return spans.some(span => span.start <= start && span.end >= end)
}

function spanOf(hunk: Hunk): LineSpan | undefined {
  if ('start' in hunk) return { start: hunk.start, end: hunk.end }
  if ('line' in hunk) return { start: hunk.line, end: hunk.line }
  return 'line' in hunk.at ? { start: hunk.at.line, end: hunk.at.line } : undefined
}

function describeMove(tag: string, { lineNumber, tag: olderTag }: OlderRow, shift: number): string {
  return `Line ${lineNumber} was shown under #${olderTag} and not under #${tag}. Under #${tag} the same line is line ${lineNumber + shift}, so the edit was made there.`
}
