// Two versions of a file and their base into one, as `git merge-file` and `git merge` do it: the same bytes, also those of conflicts.
// It takes a change next to another one for a conflict and writes markers. `text/merge.ts` has no markers and refuses more, because
// its merges are not reviewed.

import { joinBytes } from '../../core/bytes.ts'
import { diffTables, type LineDiffOptions } from '../git-diff/diff-lines.ts'
import { lineAt, tableOf, type LineTable } from '../git-diff/lines.ts'
import {
  joinNearConflicts,
  refineConflicts,
  regionsOf,
  trimConflicts,
  type LineRange,
  type Region,
  type Sides,
} from './regions.ts'

export interface MergeFilesOptions {
  /** `diff3` shows the base's lines too; `zdiff3` does so with equal lines at the edges outside of the conflict. Default `merge`. */
  readonly style?: 'merge' | 'diff3' | 'zdiff3'
  /** Settles conflicts by one side, or by both one after the other. */
  readonly favor?: 'ours' | 'theirs' | 'union'
  /** The label that follows the markers. A missing one leaves a bare marker. */
  readonly labels?: { readonly ours?: string; readonly base?: string; readonly theirs?: string }
  /** How many characters a marker has. Default 7. */
  readonly markerSize?: number
  /** Keeps conflicts apart even if the lines between them hold no letter or digit: `git merge` does, `git merge-file` does not. */
  readonly keepsNearConflictsApart?: boolean
  /** How lines are compared. `git merge` uses `histogram`, `git merge-file` uses `myers`, both without the indent heuristic. */
  readonly comparison?: LineDiffOptions
}

export interface MergedFile {
  readonly bytes: Uint8Array
  /** How many conflicts are marked in `bytes`. */
  readonly conflicts: number
}

const encoder = new TextEncoder()
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Merges bytes. The caller has settled what to do with binary files. */
export function mergeFiles(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array, options: MergeFilesOptions = {}): MergedFile {
  const comparison: LineDiffOptions = { indentHeuristic: false, ...options.comparison }
  const baseTable = tableOf(base)
  const sides: Sides = {
    ours: diffTables(baseTable, tableOf(ours), comparison),
    theirs: diffTables(baseTable, tableOf(theirs), comparison),
  }
  if (sides.ours.edits.length === 0) return { bytes: theirs, conflicts: 0 }
  if (sides.theirs.edits.length === 0) return { bytes: ours, conflicts: 0 }
  const style = options.style ?? 'merge'
  let regions = regionsOf(sides, comparison)
  if (style === 'zdiff3') regions = trimConflicts(sides, regions, comparison)
  else if (style === 'merge') {
    regions = refineConflicts(sides, regions, comparison)
    regions = joinNearConflicts(sides, regions, options.keepsNearConflictsApart === true)
  }
  const bytes = new MergeWriter(sides, options).write(regions)
  return { bytes, conflicts: options.favor === undefined ? regions.filter(({ kind }) => kind === 'conflict').length : 0 }
}

class MergeWriter {
  readonly #pieces: Uint8Array[] = []
  readonly #sides: Sides
  readonly #options: MergeFilesOptions

  constructor(sides: Sides, options: MergeFilesOptions) {
    this.#sides = sides
    this.#options = options
  }

  write(regions: readonly Region[]): Uint8Array {
    const [ours, theirs] = [this.#sides.ours.after, this.#sides.theirs.after]
    let written = 0
    for (const region of regions) {
      const choice = region.kind === 'conflict' ? (this.#options.favor ?? 'conflict') : region.kind
      if (choice === 'same') continue
      this.#copy(ours, { start: written, end: region.ours.start })
      written = region.ours.end
      switch (choice) {
        case 'ours':
          this.#copy(ours, region.ours)
          break
        case 'theirs':
          this.#copy(theirs, region.theirs)
          break
        case 'union':
          this.#copyEnded(ours, region.ours, this.#lineEndAt(region))
          this.#copy(theirs, region.theirs)
          break
        case 'conflict':
          this.#writeConflict(region)
      }
    }
    this.#copy(ours, { start: written, end: ours.count })
    return joinBytes(this.#pieces)
  }

  #writeConflict(region: Region): void {
    const { labels = {}, style = 'merge' } = this.#options
    const { ours, theirs } = this.#sides
    const lineEnd = this.#lineEndAt(region)
    this.#mark('<', labels.ours, lineEnd)
    this.#copyEnded(ours.after, region.ours, lineEnd)
    if (style !== 'merge') {
      this.#mark('|', labels.base, lineEnd)
      this.#copyEnded(ours.before, region.base, lineEnd)
    }
    this.#mark('=', undefined, lineEnd)
    this.#copyEnded(theirs.after, region.theirs, lineEnd)
    this.#mark('>', labels.theirs, lineEnd)
  }

  #mark(sign: string, label: string | undefined, lineEnd: string): void {
    const name = label === undefined ? '' : ` ${label}`
    this.#pieces.push(encoder.encode(`${sign.repeat(this.#options.markerSize ?? 7)}${name}${lineEnd}`))
  }

  #copy(table: LineTable, { start, end }: LineRange): void {
    if (end > start) this.#pieces.push(table.bytes.subarray(table.starts[start], table.starts[end]))
  }

  /** The following text begins on a new line. */
  #copyEnded(table: LineTable, range: LineRange, lineEnd: string): void {
    this.#copy(table, range)
    if (range.end > range.start && lineAt(table, range.end - 1).at(-1) !== lineFeed) this.#pieces.push(encoder.encode(lineEnd))
  }

  /** Markers end as the lines around them do: CRLF only if neither side has a bare line feed there, nor the base at its start. */
  #lineEndAt({ ours, theirs }: Region): '\n' | '\r\n' {
    const tables = [
      [this.#sides.ours.after, Math.max(0, ours.start - 1)],
      [this.#sides.theirs.after, Math.max(0, theirs.start - 1)],
      [this.#sides.ours.before, 0],
    ] as const
    let isCrlf = false
    for (const [table, line] of tables) {
      const style = hasCrlf(table, line)
      if (style === false) return '\n'
      isCrlf = style ?? false
    }
    return isCrlf ? '\r\n' : '\n'
  }
}

/** How a line ends. For a last line that does not end, the one above tells; `undefined` where there is none. */
function hasCrlf(table: LineTable, line: number): boolean | undefined {
  if (table.count === 0) return undefined
  const isEnded = line < table.count - 1 || lineAt(table, line).at(-1) === lineFeed
  if (!isEnded && line === 0) return undefined
  return lineAt(table, isEnded ? line : line - 1).at(-2) === carriageReturn
}
