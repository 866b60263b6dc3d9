// The dense combined diff of a merge, or of a conflict: only hunks that differ from every parent, with a column for each.

import { joinBytes } from '../../core/bytes.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { diffLines } from '../../text/git-diff/diff-lines.ts'
import { lineAt, tableOf } from '../../text/git-diff/lines.ts'
import { pushAll } from '../../core/many.ts'

/** One line of the result, the parents that lack it, and the lines that parents had before it. */
interface Row {
  readonly line: Uint8Array | undefined
  /** The parents in which the line is new. */
  added: number
  readonly lost: { readonly line: Uint8Array; readonly key: string; parents: number }[]
  /** The line numbers in the parents here, from 1. */
  readonly at: number[]
}

const decoder = new TextDecoder('latin1')
const context = 3
const headingMaxChars = 40

/** The hunks; none if every hunk matches one of the parents. */
export function combinedHunks(parents: readonly Uint8Array[], result: Uint8Array, isDense: boolean): Uint8Array {
  const rows = rowsOf(parents, result)
  const isChanged = rows.map(row => row.added !== 0 || row.lost.length > 0)
  if (isDense) dropUninteresting(rows, isChanged, parents.length)
  const parts: Uint8Array[] = []
  let shown = 0
  for (let at = 0; at < rows.length;) {
    if (!isChanged[at]) {
      at++
      continue
    }
    let end = at
    let last = at
    while (end < rows.length && end - context <= tailEnd(rows, last)) {
      if (isChanged[end]) last = end
      end++
    }
    const start = Math.max(0, at - context)
    // Lines lost at the end belong to a row without a line.
    const stop = Math.min(rows.length, Math.max(last + 1, tailEnd(rows, last)))
    parts.push(renderHunk(rows, { start, stop, shown }, parents.length))
    shown = stop
    at = Math.max(stop, last + 1)
  }
  return joinBytes(parts)
}

/** The end of what stands below a change. Where lines were only lost, the row after them is the first one of it. */
function tailEnd(rows: readonly Row[], last: number): number {
  return last + (rows[last]?.added === 0 ? 0 : 1) + context
}

function rowsOf(parents: readonly Uint8Array[], result: Uint8Array): readonly Row[] {
  const table = tableOf(result)
  const rows: Row[] = Array.from({ length: table.count + 1 }, (_, index) => ({
    line: index < table.count ? lineAt(table, index) : undefined,
    added: 0,
    lost: [],
    at: [],
  }))
  for (const [number, parent] of parents.entries()) {
    const diff = diffLines(parent, result)
    const bit = 1 << number
    let parentLine = 0
    let line = 0
    const take = (end: number): void => {
      for (; line < end; line++) {
        rows[line]?.at.push(parentLine)
        parentLine++
      }
    }
    for (const edit of diff.edits) {
      take(edit.afterStart)
      const row = rows[edit.afterStart]
      if (row === undefined) continue
      const lost: Uint8Array[] = []
      for (let at = edit.beforeStart; at < edit.beforeEnd; at++) lost.push(lineAt(diff.before, at))
      mergeLost(row, lost, bit)
      const before = parentLine
      parentLine += edit.beforeEnd - edit.beforeStart
      for (; line < edit.afterEnd; line++) {
        const own = rows[line]
        if (own === undefined) continue
        own.added |= bit
        own.at.push(line === edit.afterStart ? before : parentLine)
      }
      if (edit.afterEnd === edit.afterStart) {
        row.at.push(before)
        if (line < table.count) {
          parentLine++
          line++
        } else line++
      }
    }
    take(table.count)
    if ((rows[table.count]?.at.length ?? 0) <= number) rows[table.count]?.at.push(parentLine)
  }
  return rows
}

/** Lines that several parents lost at the same place appear once: those of the longest common subsequence. */
function mergeLost(row: Row, lost: readonly Uint8Array[], bit: number): void {
  const keys = lost.map(line => decoder.decode(line))
  const added = lost.map((line, index) => ({ line, key: keys[index] ?? '', parents: bit }))
  if (row.lost.length === 0) {
    pushAll(row.lost, added)
    return
  }
  const width = keys.length + 1
  const lengths = new Uint32Array((row.lost.length + 1) * width)
  const lengthAt = (known: number, own: number): number => lengths[known * width + own] ?? 0
  const isEqual = (known: number, own: number): boolean => row.lost[known - 1]?.key === keys[own - 1]
  for (let known = 1; known <= row.lost.length; known++)
    for (let own = 1; own < width; own++)
      lengths[known * width + own] = isEqual(known, own)
        ? lengthAt(known - 1, own - 1) + 1
        : Math.max(lengthAt(known, own - 1), lengthAt(known - 1, own))
  const merged: Row['lost'] = []
  for (let known = row.lost.length, own = keys.length; known > 0 || own > 0;) {
    const [old, line] = [row.lost[known - 1], added[own - 1]]
    if (old !== undefined && line !== undefined && isEqual(known, own)) {
      merged.push({ ...old, parents: old.parents | bit })
      known--
      own--
    } else if (line !== undefined && (old === undefined || lengthAt(known, own - 1) >= lengthAt(known - 1, own))) {
      merged.push(line)
      own--
    } else if (old !== undefined) {
      merged.push(old)
      known--
    }
  }
  row.lost.length = 0
  pushAll(row.lost, merged.toReversed())
}

/** Changes near each other that are the same for all parents but one, or entirely from one, are no change by the merge. */
function dropUninteresting(rows: readonly Row[], isChanged: boolean[], count: number): void {
  const all = (1 << count) - 1
  for (let at = 0; at < rows.length;) {
    if (!isChanged[at]) {
      at++
      continue
    }
    let end = at + 1
    for (let index = end; index < Math.min(rows.length, tailEnd(rows, end - 1)); index++) if (isChanged[index]) end = index + 1
    let same = -1
    let isInteresting = false
    for (let index = at; index < end && !isInteresting; index++) {
      const row = rows[index]
      if (row === undefined) continue
      const masks = [...(row.added === 0 ? [] : [row.added]), ...row.lost.map(({ parents }) => parents)]
      for (const mask of masks) {
        if (same === -1) same = mask
        if (mask !== same) isInteresting = true
      }
    }
    if (!isInteresting && same !== all) for (let index = at; index < end; index++) isChanged[index] = false
    at = end
  }
}

/** `shown`: the end of the hunk before. */
function renderHunk(
  rows: readonly Row[],
  { start, stop, shown }: { readonly start: number; readonly stop: number; readonly shown: number },
  count: number,
): Uint8Array {
  const lines: Uint8Array[] = []
  const sizes = Array.from({ length: count }, () => 0)
  let resultSize = 0
  const sign = (mask: number, mark: string): Uint8Array =>
    encodeText(Array.from({ length: count }, (_, number) => (mask & (1 << number) ? mark : ' ')).join(''))
  for (let at = start; at < stop; at++) {
    const row = rows[at]
    if (row === undefined) continue
    for (const { line, parents } of row.lost) {
      lines.push(sign(parents, '-'), line, ending(line))
      for (let number = 0; number < count; number++) if (parents & (1 << number)) sizes[number] = (sizes[number] ?? 0) + 1
    }
    if (row.line === undefined) continue
    resultSize++
    lines.push(sign(row.added, '+'), row.line, ending(row.line))
    for (let number = 0; number < count; number++) if (!(row.added & (1 << number))) sizes[number] = (sizes[number] ?? 0) + 1
  }
  const first = rows[start]
  const marks = '@'.repeat(count + 1)
  const before = sizes.map((size, number) => `-${(first?.at[number] ?? 0) + 1},${size}`)
  const heading = headingAbove(rows, start, shown)
  const head = `${marks} ${before.join(' ')} +${start + 1},${resultSize} ${marks}`
  return joinBytes([encodeText(heading === '' ? `${head}\n` : `${head} ${heading}\n`), ...lines])
}

/** The last line that begins like a definition, of those that are not shown. Git leaves out the last of its characters. */
function headingAbove(rows: readonly Row[], start: number, shown: number): string {
  for (let at = start - 1; at >= shown; at--) {
    const line = rows[at]?.line
    if (line === undefined || !/[A-Za-z_$]/.test(String.fromCharCode(line[0] ?? 0))) continue
    const text = decodeText(line).split('\n')[0] ?? ''
    return text
      .slice(0, headingMaxChars)
      .replace(/[ \t-\r]+$/, '')
      .slice(0, -1)
  }
  return ''
}

const lineFeed = encodeText('\n')
const nothing = new Uint8Array()

/** Whether the last line of a file ends is not shown here. */
function ending(line: Uint8Array): Uint8Array {
  return line.at(-1) === 10 ? nothing : lineFeed
}
