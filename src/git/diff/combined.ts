// The dense combined diff of a merge, or of a conflict: only hunks that differ from every parent, with a column for each.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { diffLines } from '../../text/git-diff/diff-lines.ts'
import { lineAt, tableOf } from '../../text/git-diff/lines.ts'

/** One line of the result, and which parents lack it, with the lines that parents had before it. */
interface Row {
  readonly line: Uint8Array | undefined
  /** Parents in which the line is new. */
  added: number
  readonly lost: { readonly line: Uint8Array; readonly key: string; parents: number }[]
  /** 1-based line numbers of the parents here. */
  readonly at: number[]
}

const decoder = new TextDecoder('latin1')
const context = 3

/** The hunks, or nothing when every hunk is as one of the parents has it. */
export function combinedHunks(parents: readonly Uint8Array[], result: Uint8Array, isDense: boolean): Uint8Array {
  const rows = rowsOf(parents, result)
  const isChanged = rows.map(row => row.added !== 0 || row.lost.length > 0)
  if (isDense) dropUninteresting(rows, isChanged, parents.length)
  const parts: Uint8Array[] = []
  for (let at = 0; at < rows.length;) {
    if (!isChanged[at]) {
      at++
      continue
    }
    let end = at
    let last = at
    while (end < rows.length && end - last <= context * 2) {
      if (isChanged[end]) last = end
      end++
    }
    const start = Math.max(0, at - context)
    // Lost lines at the very end stand in a row without a line.
    const stop = Math.min(rows.length, last + 1 + context)
    parts.push(renderHunk(rows, start, stop, parents.length))
    at = Math.max(stop, last + 1)
  }
  return joinBytes(parts)
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

/** Lines that several parents lost at the same place are told once. */
function mergeLost(row: Row, lost: readonly Uint8Array[], bit: number): void {
  let from = 0
  for (const line of lost) {
    const key = decoder.decode(line)
    const found = row.lost.findIndex((other, index) => index >= from && other.key === key && (other.parents & bit) === 0)
    const known = found === -1 ? undefined : row.lost[found]
    if (known === undefined) row.lost.splice(from++, 0, { line, key, parents: bit })
    else {
      known.parents |= bit
      from = found + 1
    }
  }
}

/** A run of changes that is the same for all but one parents, or came whole from one, is nothing that the merge did. */
function dropUninteresting(rows: readonly Row[], isChanged: boolean[], count: number): void {
  const all = (1 << count) - 1
  for (let at = 0; at < rows.length;) {
    if (!isChanged[at]) {
      at++
      continue
    }
    let end = at
    while (end < rows.length && isChanged[end]) end++
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

function renderHunk(rows: readonly Row[], start: number, stop: number, count: number): Uint8Array {
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
  const heading = headingAbove(rows, start)
  const head = `${marks} ${before.join(' ')} +${start + 1},${resultSize} ${marks}`
  return joinBytes([encodeText(heading === '' ? `${head}\n` : `${head} ${heading}\n`), ...lines])
}

function headingAbove(rows: readonly Row[], start: number): string {
  for (let at = start - 1; at >= 0; at--) {
    const line = rows[at]?.line
    if (line === undefined || !/[A-Za-z_$]/.test(String.fromCharCode(line[0] ?? 0))) continue
    return new TextDecoder().decode(line.subarray(0, 80)).trimEnd()
  }
  return ''
}

const noLineFeed = encodeText('\n\\ No newline at end of file\n')
const nothing = new Uint8Array()

function ending(line: Uint8Array): Uint8Array {
  return line.at(-1) === 10 ? nothing : noLineFeed
}
