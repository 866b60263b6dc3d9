// A replacement of text in a version of a file that others have changed since. It is made in the file as it is now if the lines that it
// touches are provably the same ones. The proof is that of line edits (hashline/recover.ts); the bytes are those of the file now.

import { documentOf, type TextDocument } from '../core/text.ts'
import type { Hunk } from './hashline/hunk.ts'
import { recoverHunks } from './hashline/recover.ts'
import { findOccurrences, findPlaces, replaceOccurrences, type Occurrence } from './replace.ts'
import { pushAll } from '../core/many.ts'

export interface Replacement {
  readonly oldText: string
  readonly newText: string
  /** Whether every occurrence is meant. Otherwise there must be only one. */
  readonly isOfAll: boolean
}

export type MergedReplacement =
  | {
      readonly kind: 'merged'
      /** The file as it is now with the replacement. */
      readonly text: string
      /** `base` with the replacement: what the author knows from now on. */
      readonly base: string
      readonly replaced: number
      /** The first line of the first replacement, 1-based, in `base` and now. */
      readonly from: number
      readonly to: number
    }
  /** The file already has the result. */
  | { readonly kind: 'already-applied' }
  | { readonly kind: 'refused' }

/** `base` is the text that the author saw, `live` the current one. Both contain their byte order marks. */
export function mergeReplacement(base: string, live: string, { oldText, newText, isOfAll }: Replacement): MergedReplacement {
  const found = isOfAll ? findOccurrences(base, oldText) : findPlaces(base, oldText)
  if (found.length === 0 || (found.length > 1 && !isOfAll)) return { kind: 'refused' }
  const edited = replaceOccurrences(base, found, oldText, newText)
  const baseLines = new PlacedLines(base)
  const runs = touchedRuns(baseLines, found, oldText, newText)
  const hunks = runs.map((run, index) => hunkOf(run, index))
  const liveLines = new PlacedLines(live)
  const recovery = recoverHunks(baseLines.document, liveLines.document, hunks, { repairs: false })
  if (recovery.kind !== 'recovered') return { kind: recovery.kind }
  // Others may have made some of them. It is uncertain which of them the author would still make.
  if (recovery.hunks.length !== runs.length) return { kind: 'refused' }

  const places: Occurrence[] = []
  for (const [index, hunk] of recovery.hunks.entries()) {
    const run = runs[index]
    if (run === undefined || !('start' in hunk)) return { kind: 'refused' }
    const [start, end] = liveLines.rangeOf(hunk.start, hunk.end)
    const text = live.slice(start, end)
    // The proof ignores trailing blanks. What is replaced must be the same to the letter.
    if (withLineFeeds(text) !== withLineFeeds(run.before)) return { kind: 'refused' }
    const inRun = findOccurrences(text, oldText)
    if (inRun.length !== run.count) return { kind: 'refused' }
    pushAll(
      places,
      inRun.map(occurrence => ({ start: start + occurrence.start, end: start + occurrence.end })),
    )
  }
  places.sort((one, other) => one.start - other.start)
  if (isOfAll && findOccurrences(live, oldText).length !== places.length) return { kind: 'refused' }
  const [first] = recovery.hunks
  const [run] = runs
  if (first === undefined || run === undefined || !('start' in first)) return { kind: 'refused' }
  return {
    kind: 'merged',
    text: replaceOccurrences(live, places, oldText, newText),
    base: edited,
    replaced: places.length,
    from: run.start,
    to: first.start,
  }
}

/** Whole lines that hold occurrences, before and after the replacement; 1-based and inclusive. */
interface TouchedRun {
  readonly start: number
  readonly end: number
  readonly count: number
  readonly before: string
  readonly after: string
}

function touchedRuns(lines: PlacedLines, found: readonly Occurrence[], oldText: string, newText: string): readonly TouchedRun[] {
  const runs: TouchedRun[] = []
  for (let next = 0; next < found.length;) {
    const first = next
    const start = lines.lineAt(found[first]?.start ?? 0)
    let end = lines.lineAt(Math.max(0, (found[first]?.end ?? 1) - 1))
    let after = ''
    for (;;) {
      while (next < found.length && lines.lineAt(found[next]?.start ?? 0) <= end) {
        end = Math.max(end, lines.lineAt((found[next]?.end ?? 1) - 1))
        next++
      }
      const [from, to] = lines.rangeOf(start, end)
      const inside = found.slice(first, next).map(each => ({ start: each.start - from, end: each.end - from }))
      after = replaceOccurrences(lines.text.slice(from, to), inside, oldText, newText)
      // A replacement that takes the end of the last line joins it with the next one.
      const isJoined = after !== '' && !after.endsWith('\n') && end < lines.document.lines.length
      if (!isJoined) break
      end++
    }
    const [from, to] = lines.rangeOf(start, end)
    runs.push({ start, end, count: next - first, before: lines.text.slice(from, to), after })
  }
  return runs
}

function hunkOf({ start, end, after }: TouchedRun, index: number): Hunk {
  const rows = documentOf(after).lines
  const place = { start, end, scriptLine: index + 1 }
  return rows.length === 0 ? { kind: 'delete', ...place } : { kind: 'replace', ...place, rows }
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** A text with the places of its lines. */
class PlacedLines {
  readonly text: string
  readonly document: TextDocument
  readonly #starts: readonly number[]

  constructor(text: string) {
    this.text = text
    this.document = documentOf(text)
    const starts: number[] = []
    let at = this.document.bom ? 1 : 0
    for (const [index, line] of this.document.lines.entries()) {
      starts.push(at)
      at += line.length + (this.document.endings[index]?.length ?? 0)
    }
    this.#starts = starts
  }

  /** The 1-based number of the line that contains the unit at `place`. */
  lineAt(place: number): number {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return Math.max(1, low)
  }

  /** Lines 1-based and inclusive; a byte order mark belongs to the first line. */
  rangeOf(start: number, end: number): readonly [start: number, end: number] {
    return [start <= 1 ? 0 : (this.#starts[start - 1] ?? this.text.length), this.#starts[end] ?? this.text.length]
  }
}
