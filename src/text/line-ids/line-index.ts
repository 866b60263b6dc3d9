// Line IDs that stay with their lines. The first ID of a line is computed from its number and content. Afterwards IDs are transferred by
// comparing the texts, so that equal lines never share one and a change never moves an ID to another line.

import { fullHash } from '../../core/hash.ts'
import { lineChanges } from '../line-changes.ts'

/** One line, in the order of the file. */
export interface IndexedLine {
  /** Six lower-case hex digits, unique in its file. */
  readonly id: string
  /** {@link lineHash} of the line without its ending. */
  readonly contentHash: string
}

export const lineIdDigits = 6
/** 72 bits: two lines of different content with one hash are not to be expected, and an index stays small. */
export const lineHashDigits = 18

/** The beginning of the SHA-256 of a line, as hex digits. */
export function lineHash(line: string): string {
  return fullHash(line).slice(0, lineHashDigits)
}

/** Up to this number, collisions of 24 bits are rare, and an index has some tens of megabytes. */
export const maxIndexedLines = 100_000

/** Lines hashed between two pauses: about 5 ms (2026, one core). */
const linesPerStep = 1_000

/** Runs until the next pause, so that the caller can run other work or stop; the final result is the index. */
export type IndexSteps = Generator<undefined, readonly IndexedLine[], undefined>

/**
 * IDs for `lines`, which were the lines of `before` earlier. A line that still exists keeps its ID, also if it moved and there is only one
 * like it; every other line gets an ID that is not in `before`, so that a known ID never means another line.
 */
export function* indexSteps(before: readonly IndexedLine[], lines: readonly string[]): IndexSteps {
  const hashes: string[] = []
  for (const line of lines) {
    if (hashes.length % linesPerStep === 0) yield
    hashes.push(lineHash(line))
  }
  const kept = unchangedIds(before, hashes)
  keepMovedIds(before, hashes, kept)
  const taken = new Set(before.map(line => line.id))
  const index: IndexedLine[] = []
  for (const [lineIndex, contentHash] of hashes.entries()) {
    if (lineIndex % linesPerStep === 0) yield
    index.push({ id: kept[lineIndex] ?? freshId(lines[lineIndex] ?? '', lineIndex, taken), contentHash })
  }
  return index
}

/** The IDs of `after` that mean the same lines as in `before`. Both are of one file; IDs of lines that moved alone are not included. */
export function carriedIds(before: readonly IndexedLine[], after: readonly IndexedLine[]): ReadonlySet<string> {
  const expected = unchangedIds(
    before,
    after.map(line => line.contentHash),
  )
  return new Set(after.flatMap(({ id }, lineIndex) => (expected[lineIndex] === id ? [id] : [])))
}

function unchangedIds(before: readonly IndexedLine[], hashes: readonly string[]): (string | undefined)[] {
  const kept = Array.from<string | undefined>({ length: hashes.length })
  const { changes } = lineChanges(
    before.map(line => line.contentHash),
    hashes,
  )
  let beforeIndex = 0
  let afterIndex = 0
  for (const change of [...changes, { beforeIndex: before.length, afterIndex: hashes.length, removed: 0, added: 0 }]) {
    while (beforeIndex < change.beforeIndex) kept[afterIndex++] = before[beforeIndex++]?.id
    beforeIndex += change.removed
    afterIndex += change.added
  }
  return kept
}

/** Lines that were moved. Of two equal ones it is unknown which is which, so they get new IDs. */
function keepMovedIds(before: readonly IndexedLine[], hashes: readonly string[], kept: (string | undefined)[]): void {
  const carried = new Set(kept)
  const lost = onlyOnes(before.flatMap(({ id, contentHash }) => (carried.has(id) ? [] : [{ key: contentHash, value: id }])))
  const found = onlyOnes(hashes.flatMap((key, value) => (kept[value] === undefined ? [{ key, value }] : [])))
  for (const [contentHash, lineIndex] of found) {
    if (lineIndex !== undefined) kept[lineIndex] = lost.get(contentHash)
  }
}

/** key → its value; `undefined` for a key that occurs more than once. */
function onlyOnes<T>(entries: readonly { readonly key: string; readonly value: T }[]): ReadonlyMap<string, T | undefined> {
  const values = new Map<string, T | undefined>()
  for (const { key, value } of entries) values.set(key, values.has(key) ? undefined : value)
  return values
}

function freshId(line: string, lineIndex: number, taken: Set<string>): string {
  const source = `${lineIndex + 1}:${line}`
  let id = fullHash(source).slice(0, lineIdDigits)
  // Salted until it is unused: with at most one of sixteen million IDs in use this takes very few iterations.
  for (let salt = 1; taken.has(id); salt++) id = fullHash(`${source}\n${salt}`).slice(0, lineIdDigits)
  taken.add(id)
  return id
}
