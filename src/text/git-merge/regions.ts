// What two sides made of one base, as a list of regions: which side's lines are taken where, and where both changed the same lines.

import type { LineDiff, LineEdit } from '../git-diff/diff-lines.ts'
import { diffTables, type LineDiffOptions } from '../git-diff/diff-lines.ts'
import { comparable, lineAt, type LineTable } from '../git-diff/lines.ts'

/** Lines from `start` to `end` (exclusive). */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** `same`: both sides made the same change. The lines between two regions are those of `ours`. */
export interface Region {
  readonly kind: 'ours' | 'theirs' | 'conflict' | 'same'
  readonly base: LineRange
  readonly ours: LineRange
  readonly theirs: LineRange
}

/** Both comparisons have the base as their `before`. */
export interface Sides {
  readonly ours: LineDiff
  readonly theirs: LineDiff
}

/** Conflicts with so few lines between them become one. */
const shortGap = 3

/** Regions in the order of the file. Changes without an unchanged line between them are one conflict. */
export function regionsOf(sides: Sides, options: LineDiffOptions): readonly Region[] {
  const isSameChange = sameChange(sides, options)
  const regions = new RegionList()
  const [mine, others] = [sides.ours.edits, sides.theirs.edits]
  let [m, o] = [0, 0]
  for (;;) {
    const [one, other] = [mine[m], others[o]]
    if (one === undefined && other === undefined) return regions.list
    if (one !== undefined && (other === undefined || one.beforeEnd < other.beforeStart)) {
      regions.add('ours', one, { ours: one, theirs: unchanged(sides.theirs, other, one) })
      m++
    } else if (other !== undefined && (one === undefined || other.beforeEnd < one.beforeStart)) {
      regions.add('theirs', other, { ours: unchanged(sides.ours, one, other), theirs: other })
      o++
    } else if (one !== undefined && other !== undefined) {
      if (!isSameChange(one, other)) regions.add('conflict', hull(one, other), { ours: one, theirs: other })
      if (one.beforeEnd >= other.beforeEnd) o++
      if (other.beforeEnd >= one.beforeEnd) m++
    }
  }
}

function hull(one: LineEdit, other: LineEdit): Pick<LineEdit, 'beforeStart' | 'beforeEnd'> {
  return {
    beforeStart: Math.min(one.beforeStart, other.beforeStart),
    beforeEnd: Math.max(one.beforeEnd, other.beforeEnd),
  }
}

/** The lines that a side left alone where the other one changed, as an edit of that side which comes before its edit `next`. */
function unchanged(diff: LineDiff, next: LineEdit | undefined, changed: LineEdit): LineEdit {
  const shift = next === undefined ? diff.after.count - diff.before.count : next.afterStart - next.beforeStart
  const { beforeStart, beforeEnd } = changed
  return { beforeStart, beforeEnd, afterStart: beforeStart + shift, afterEnd: beforeEnd + shift }
}

function sameChange(
  { ours, theirs }: Sides,
  { whitespace = 'exact' }: LineDiffOptions,
): (one: LineEdit, other: LineEdit) => boolean {
  const [mine, others] = [comparable(ours.after, whitespace), comparable(theirs.after, whitespace)]
  return (one, other) =>
    one.beforeStart === other.beforeStart &&
    one.beforeEnd === other.beforeEnd &&
    one.afterEnd - one.afterStart === other.afterEnd - other.afterStart &&
    areSameLines(mine, one.afterStart, others, other.afterStart, one.afterEnd - one.afterStart)
}

function areSameLines(one: LineTable, start: number, other: LineTable, otherStart: number, count: number): boolean {
  for (let line = 0; line < count; line++) {
    const [bytes, otherBytes] = [lineAt(one, start + line), lineAt(other, otherStart + line)]
    if (bytes.length !== otherBytes.length || !bytes.every((byte, at) => byte === otherBytes[at])) return false
  }
  return true
}

/** Joins a region with the one before it where they touch on either side. */
class RegionList {
  readonly list: Region[] = []

  add(
    kind: 'ours' | 'theirs' | 'conflict',
    { beforeStart, beforeEnd }: Pick<LineEdit, 'beforeStart' | 'beforeEnd'>,
    edits: { readonly ours: LineEdit; readonly theirs: LineEdit },
  ): void {
    // Both sides must cover the same lines of the base, so the narrower edit takes unchanged lines in.
    const cover = (edit: LineEdit): LineRange => ({
      start: edit.afterStart - (edit.beforeStart - beforeStart),
      end: edit.afterEnd + (beforeEnd - edit.beforeEnd),
    })
    const region: Region = {
      kind,
      base: { start: beforeStart, end: beforeEnd },
      ours: cover(edits.ours),
      theirs: cover(edits.theirs),
    }
    const last = this.list.at(-1)
    if (last !== undefined && (region.ours.start <= last.ours.end || region.theirs.start <= last.theirs.end)) {
      this.list[this.list.length - 1] = joined(last, region)
    } else this.list.push(region)
  }
}

function joined(one: Region, next: Region): Region {
  return {
    kind: one.kind === next.kind ? one.kind : 'conflict',
    base: { start: one.base.start, end: next.base.end },
    ours: { start: one.ours.start, end: next.ours.end },
    theirs: { start: one.theirs.start, end: next.theirs.end },
  }
}

/** Cuts conflicts down to what differs between the two sides. The base's lines of the parts mean nothing any more. */
export function refineConflicts(sides: Sides, regions: readonly Region[], options: LineDiffOptions): readonly Region[] {
  return regions.flatMap((region): readonly Region[] => {
    const { kind, base, ours, theirs } = region
    if (kind !== 'conflict' || ours.start === ours.end || theirs.start === theirs.end) return [region]
    const { edits } = diffTables(part(sides.ours.after, ours), part(sides.theirs.after, theirs), options)
    if (edits.length === 0) return [{ ...region, kind: 'same' }]
    return edits.map(edit => ({
      kind,
      base,
      ours: { start: ours.start + edit.beforeStart, end: ours.start + edit.beforeEnd },
      theirs: { start: theirs.start + edit.afterStart, end: theirs.start + edit.afterEnd },
    }))
  })
}

function part({ bytes, starts }: LineTable, { start, end }: LineRange): LineTable {
  return { bytes, count: end - start, starts: starts.subarray(start, end + 1) }
}

/** Joins conflicts with only a few lines between them and, unless `stopsAtAnyLine`, those without a letter or digit between them. */
export function joinNearConflicts({ ours }: Sides, regions: readonly Region[], stopsAtAnyLine: boolean): readonly Region[] {
  const result: Region[] = []
  for (const region of regions) {
    const last = result.at(-1)
    const isNear =
      last?.kind === 'conflict' &&
      region.kind === 'conflict' &&
      (region.ours.start - last.ours.end <= shortGap ||
        (!stopsAtAnyLine && !hasWord(ours.after, last.ours.end, region.ours.start)))
    if (last !== undefined && isNear) result[result.length - 1] = joined(last, region)
    else result.push(region)
  }
  return result
}

function hasWord(table: LineTable, start: number, end: number): boolean {
  for (let line = start; line < end; line++) if (lineAt(table, line).some(isLetterOrDigit)) return true
  return false
}

function isLetterOrDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

/** Takes equal lines at the head and the tail of a conflict out of it. The base stays whole. */
export function trimConflicts(
  { ours, theirs }: Sides,
  regions: readonly Region[],
  { whitespace = 'exact' }: LineDiffOptions,
): readonly Region[] {
  const [mine, others] = [comparable(ours.after, whitespace), comparable(theirs.after, whitespace)]
  return regions.map(region => {
    if (region.kind !== 'conflict') return region
    let { start, end } = region.ours
    let { start: otherStart, end: otherEnd } = region.theirs
    while (start < end && otherStart < otherEnd && areSameLines(mine, start, others, otherStart, 1)) {
      start++
      otherStart++
    }
    while (start < end && otherStart < otherEnd && areSameLines(mine, end - 1, others, otherEnd - 1, 1)) {
      end--
      otherEnd--
    }
    return { ...region, ours: { start, end }, theirs: { start: otherStart, end: otherEnd } }
  })
}
