// An edit for a text that has changed since. It is moved to the current place of its lines, if that place is proved; changes by others
// stay. Otherwise it is refused: a refused edit is repeated, but a misplaced one may never be noticed.
//
// Proved means: the touched lines and one neighbour on each side are in a range that is the same in both texts, and that begins and ends
// with a line that either text contains exactly once, or with the start or end of the file. Any change in between would be detected.

import type { TextDocument } from '../../core/text.ts'
import { applyHunks, type ApplyOptions } from './apply.ts'
import type { BlockResolution } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { createLineAnchors, lineKey, type LineAnchors, type Stretch } from './line-anchors.ts'
import { locateHunks, type LocatedHunk, type PlacedHunk } from './locate-hunks.ts'

/** Why a hunk cannot be moved. `ambiguous`: its lines exist, but identical lines repeat, and it is unknown which are meant. */
export type ConflictReason = 'changed' | 'ambiguous'

export interface Conflict {
  readonly scriptLine: number
  readonly operation: string
  /** Lines of the snapshot, 1-based and inclusive. */
  readonly start: number
  readonly end: number
  readonly reason: ConflictReason
  /** The approximate place of those lines in the current text; 1-based, 0 if it is empty. */
  readonly liveLine: number
}

export interface MovedHunk {
  readonly scriptLine: number
  /** The first line that the hunk names, before and now. */
  readonly from: number
  readonly to: number
}

export type Recovery =
  | {
      readonly kind: 'recovered'
      /** For the current text. Blocks are expanded to lines; hunks whose change has been made already are left out. */
      readonly hunks: readonly Hunk[]
      readonly moved: readonly MovedHunk[]
      readonly warnings: readonly string[]
      /** In lines of the snapshot. */
      readonly blockResolutions: readonly BlockResolution[]
    }
  | { readonly kind: 'refused'; readonly reason: ConflictReason; readonly conflicts: readonly Conflict[] }
  /** The current text already has the result of the edit. */
  | { readonly kind: 'already-applied' }

/**
 * Moves hunks from the text that they were written for to the current text: all of them or none. Differences in line endings and trailing
 * blanks are ignored. Throws the `ToolError`s of `applyHunks`, for hunks that do not fit the snapshot.
 */
export function recoverHunks(
  snapshot: TextDocument,
  live: TextDocument,
  hunks: readonly Hunk[],
  options: ApplyOptions = {},
): Recovery {
  const edited = applyHunks(snapshot, hunks, options)
  if (edited.changed && equalLines(edited.document.lines, live.lines)) return { kind: 'already-applied' }
  const located = locateHunks(snapshot, hunks, options)
  const anchors = createLineAnchors(snapshot.lines, live.lines)
  const placed = located.hunks.map(hunk => place(hunk, snapshot, live, anchors))
  const isThere = alreadyThere(placed, snapshot, live)
  const conflicts = placed.flatMap(one =>
    one.kind === 'lost' && !isThere.has(one) ? [conflictOf(one.located, one.stretch, snapshot, live)] : [],
  )
  const kept = placed.filter(one => one.kind === 'placed')
  conflicts.push(...conflictsBetween(kept, snapshot, live, anchors))
  const [first] = conflicts
  if (first !== undefined) return { kind: 'refused', reason: first.reason, conflicts }
  if (kept.length === 0 && isThere.size > 0) return { kind: 'already-applied' }
  return {
    kind: 'recovered',
    hunks: kept.map(one => one.hunk),
    moved: kept.flatMap(one => one.moved),
    warnings: [
      ...located.warnings,
      ...kept.flatMap(one => one.warnings),
      ...placed.flatMap(one => (isThere.has(one) ? [alreadyThereWarning(one.located)] : [])),
    ],
    blockResolutions: located.blockResolutions,
  }
}

interface Placed {
  readonly kind: 'placed'
  readonly located: LocatedHunk
  readonly hunk: Hunk
  readonly moved: readonly MovedHunk[]
  readonly warnings: readonly string[]
}

type Placement = Placed | { readonly kind: 'lost'; readonly located: LocatedHunk; readonly stretch: Stretch }

function place(located: LocatedHunk, snapshot: TextDocument, live: TextDocument, anchors: LineAnchors): Placement {
  const { span, hunk } = located
  // The head and the tail of a file exist whatever it contains.
  if (span === undefined) return { kind: 'placed', located, hunk, moved: [], warnings: [] }
  const stretch = guardedStretch(located, snapshot, live, anchors)
  if (!anchors.isUnchanged(stretch)) return { kind: 'lost', located, stretch }
  const offset = stretch.afterStart - stretch.beforeStart
  const moved = offset === 0 ? [] : [{ scriptLine: hunk.scriptLine, from: span.start, to: span.start + offset }]
  return {
    kind: 'placed',
    located,
    hunk: shifted(hunk, offset),
    moved,
    warnings: blankWarnings(located, snapshot, live, offset),
  }
}

/** The range that must be unchanged for the hunk: it contains the touched lines and a neighbour on each side, if there is one. */
function guardedStretch(located: LocatedHunk, snapshot: TextDocument, live: TextDocument, anchors: LineAnchors): Stretch {
  const { span, reachesEnd } = located
  const lastIndex = snapshot.lines.length - 1
  const first = Math.max(0, (span?.start ?? 1) - 2)
  const last = Math.min(lastIndex, span?.end ?? 0)
  const stretch = anchors.around(first, Math.max(first, last))
  // A range that reaches to the end of the file must still do so.
  return reachesEnd ? { ...stretch, beforeEnd: lastIndex, afterEnd: live.lines.length - 1 } : stretch
}

/** Twice the context of a patch: changes that are closer share a hunk there, and are treated as one change here. */
const nearLines = 6

/** Hunks that are close together, with a change by another writer between them, which is in the middle of what they rewrite. */
function conflictsBetween(
  placed: readonly Placed[],
  snapshot: TextDocument,
  live: TextDocument,
  anchors: LineAnchors,
): readonly Conflict[] {
  const conflicts: Conflict[] = []
  let previous: number | undefined
  for (const { located } of placed.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { span } = located
    if (span === undefined) continue
    const gap = previous === undefined ? Infinity : span.start - previous - 1
    if (previous !== undefined && gap > 0 && gap <= nearLines) {
      const stretch = anchors.around(previous - 1, span.start - 1)
      if (!anchors.isUnchanged(stretch)) conflicts.push({ ...conflictOf(located, stretch, snapshot, live), reason: 'changed' })
    }
    previous = Math.max(previous ?? 0, span.end)
  }
  return conflicts
}

function startOf({ located }: Placed): number {
  return located.span?.start ?? 0
}

function shifted(hunk: PlacedHunk, offset: number): Hunk {
  if (hunk.kind !== 'insert') return { ...hunk, start: hunk.start + offset, end: hunk.end + offset }
  return 'line' in hunk.at ? { ...hunk, at: { place: hunk.at.place, line: hunk.at.line + offset } } : hunk
}

/** Trailing blanks of a replaced line may have been changed on purpose, so losing them is reported. */
function blankWarnings(
  { hunk, span }: LocatedHunk,
  snapshot: TextDocument,
  live: TextDocument,
  offset: number,
): readonly string[] {
  if (hunk.kind === 'insert' || span === undefined) return []
  for (let lineNumber = span.start; lineNumber <= Math.min(span.end, snapshot.lines.length); lineNumber++) {
    if (snapshot.lines[lineNumber - 1] !== live.lines[lineNumber - 1 + offset]) {
      return [
        `Line ${hunk.scriptLine} of the script: line ${lineNumber + offset} had other trailing blanks than when it was read; it was ${hunk.kind === 'delete' ? 'deleted' : 'replaced'} all the same.`,
      ]
    }
  }
  return []
}

/** The unplaced hunks whose range already has their result. Hunks that share a range are checked together. */
function alreadyThere(placed: readonly Placement[], snapshot: TextDocument, live: TextDocument): ReadonlySet<Placement> {
  const found = new Set<Placement>()
  const lost = placed.filter(one => one.kind === 'lost').sort((one, other) => one.stretch.beforeStart - other.stretch.beforeStart)
  for (let index = 0; index < lost.length;) {
    const group = lost.slice(index, index + 1)
    let stretch = group[0]?.stretch
    if (stretch === undefined) break
    for (let next = lost[index + 1]; next !== undefined && next.stretch.beforeStart < stretch.beforeEnd;) {
      group.push(next)
      if (next.stretch.beforeEnd > stretch.beforeEnd)
        stretch = { ...stretch, beforeEnd: next.stretch.beforeEnd, afterEnd: next.stretch.afterEnd }
      next = lost[index + group.length]
    }
    index += group.length
    if (
      isMade(
        group.map(one => one.located.hunk),
        stretch,
        snapshot,
        live,
      )
    )
      for (const one of group) found.add(one)
  }
  return found
}

function isMade(hunks: readonly PlacedHunk[], stretch: Stretch, snapshot: TextDocument, live: TextDocument): boolean {
  const lines = snapshot.lines.slice(stretch.beforeStart, stretch.beforeEnd + 1)
  const part: TextDocument = { bom: false, lines, endings: lines.map(() => '\n') }
  const made = applyHunks(
    part,
    hunks.map(hunk => shifted(hunk, -stretch.beforeStart)),
    { repairs: false },
  )
  return made.changed && equalLines(made.document.lines, live.lines.slice(stretch.afterStart, stretch.afterEnd + 1))
}

function alreadyThereWarning({ hunk, operation }: LocatedHunk): string {
  return `Line ${hunk.scriptLine} of the script: what \`${operation}\` writes is already there, so it was left out.`
}

/** The number of lines of a window to compare when searching for it; more would not change the result. */
const maxWindowLines = 64

function conflictOf(located: LocatedHunk, stretch: Stretch, snapshot: TextDocument, live: TextDocument): Conflict {
  const { hunk, operation } = located
  const span = located.span ?? { start: 1, end: 1 }
  const first = Math.max(0, span.start - 2)
  const window = snapshot.lines.slice(first, Math.min(span.end + 1, first + maxWindowLines)).map(lineKey)
  const isStillThere =
    window.length > 0 &&
    live.lines.some((_, at) =>
      window.every((key, index) => lineKey(live.lines[at + index] ?? '') === key && at + index < live.lines.length),
    )
  const guess = span.start + stretch.afterStart - stretch.beforeStart
  return {
    scriptLine: hunk.scriptLine,
    operation,
    start: span.start,
    end: span.end,
    reason: isStillThere && !located.reachesEnd ? 'ambiguous' : 'changed',
    liveLine: Math.max(Math.min(1, live.lines.length), Math.min(guess, live.lines.length)),
  }
}

function equalLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index])
}
