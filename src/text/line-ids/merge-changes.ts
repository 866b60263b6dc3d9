// Changes by line ID of a version of a file that others have changed since. They are made in the file as it is now if their lines are
// provably the same ones. The proof is that of line edits (hashline/recover.ts). Of the older version only hashes of lines are known, and
// that is enough: a line whose hash no line has now is another line.

import type { TextDocument } from '../../core/text.ts'
import type { Hunk } from '../hashline/hunk.ts'
import { recoverHunks } from '../hashline/recover.ts'
import type { LineSplice } from '../splice-lines.ts'
import type { IndexedLine } from './line-index.ts'

export type MergedChanges =
  | {
      readonly kind: 'merged'
      /** The changes for the current text. Changes that others have made already are left out. */
      readonly splices: readonly LineSplice[]
      readonly leftOut: number
      /** The first line of the first change, 1-based, in the older version and now. */
      readonly from: number
      readonly to: number
    }
  /** The file already has the result. */
  | { readonly kind: 'already-applied' }
  | { readonly kind: 'refused' }

/** `splices` name lines of `before`, the older version; `hashes` are those of the lines of `live`. */
export function mergeChanges(
  before: readonly IndexedLine[],
  live: TextDocument,
  hashes: readonly string[],
  splices: readonly LineSplice[],
): MergedChanges {
  const textOf = new Map(hashes.map((hash, index) => [hash, live.lines[index] ?? '']))
  // No line has a line feed in it, so a line that is gone is equal to none.
  const lines = before.map(({ contentHash }) => textOf.get(contentHash) ?? `\n${contentHash}`)
  const snapshot: TextDocument = { bom: false, lines, endings: lines.map(() => '\n') }
  const now: TextDocument = { bom: false, lines: live.lines, endings: live.lines.map(() => '\n') }
  const recovery = recoverHunks(snapshot, now, splices.map(hunkOf), { repairs: false })
  if (recovery.kind !== 'recovered') return { kind: recovery.kind }

  const moved: LineSplice[] = []
  const [first] = recovery.hunks
  for (const hunk of recovery.hunks) {
    const own = splices[hunk.scriptLine - 1]
    if (own === undefined || !('start' in hunk)) return { kind: 'refused' }
    const startIndex = hunk.start - 1
    for (let index = 0; index < own.removed; index++) {
      // The proof ignores trailing blanks. What is replaced must be the same to the letter.
      if (hashes[startIndex + index] !== before[own.startIndex + index]?.contentHash) return { kind: 'refused' }
    }
    moved.push({ startIndex, removed: own.removed, lines: own.lines })
  }
  moved.sort((one, other) => one.startIndex - other.startIndex)
  if (first === undefined || !('start' in first)) return { kind: 'refused' }
  const from = (splices[first.scriptLine - 1]?.startIndex ?? 0) + 1
  return { kind: 'merged', splices: moved, leftOut: splices.length - moved.length, from, to: first.start }
}

function hunkOf({ startIndex, removed, lines }: LineSplice, index: number): Hunk {
  const place = { start: startIndex + 1, end: startIndex + removed, scriptLine: index + 1 }
  return lines.length === 0 ? { kind: 'delete', ...place } : { kind: 'replace', ...place, rows: lines }
}
