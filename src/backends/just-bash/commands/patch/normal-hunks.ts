// Parses a diff without options, such as `2,3c2` with the lines behind `<` and `>`. It names no file.

import { unitsPerItem, type Pace } from '../pace.ts'
import type { Hunk, HunkLine } from './parse-patch.ts'

const head = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$/

export function isNormalHead(line: string): boolean {
  return head.test(line)
}

/** The hunks that begin at `start`, or an error message. */
export async function readNormalHunks(
  lines: readonly string[],
  start: number,
  pace: Pace,
): Promise<{ readonly hunks: readonly Hunk[]; readonly end: number } | string> {
  const hunks: Hunk[] = []
  let at = start
  for (;;) {
    const [, oldFirst, oldLast = oldFirst, letter, newFirst, newLast = newFirst] = head.exec(lines[at] ?? '') ?? []
    if (oldFirst === undefined || newFirst === undefined) return { hunks, end: at }
    const [oldStart, newStart] = [Number(oldFirst), Number(newFirst)]
    const old = readSide(lines, at + 1, '-', letter === 'a' ? 0 : Number(oldLast) - oldStart + 1)
    const freshAt = old && letter === 'c' ? (lines[old.end] === '---' ? old.end + 1 : undefined) : old?.end
    const fresh =
      freshAt === undefined ? undefined : readSide(lines, freshAt, '+', letter === 'd' ? 0 : Number(newLast) - newStart + 1)
    if (old === undefined || fresh === undefined)
      return `malformed patch at line ${at + 1}: the numbers of the hunk and its lines must agree; make the patch anew with diff -u`
    const written = `***************\n*** ${rangeOf(oldFirst, oldLast)}\n${shown(old.lines)}--- ${rangeOf(newFirst, newLast)} -----\n${shown(fresh.lines)}`
    hunks.push({ oldStart, newStart, lines: [...old.lines, ...fresh.lines], written })
    if (pace.isDue(written.length + (fresh.end - at) * unitsPerItem)) await pace.rest()
    at = fresh.end
  }
}

function readSide(
  lines: readonly string[],
  start: number,
  mark: '-' | '+',
  count: number,
): { readonly lines: readonly HunkLine[]; readonly end: number } | undefined {
  const prefix = mark === '-' ? '< ' : '> '
  const read: HunkLine[] = []
  for (let at = start; at < start + count; at++) {
    const line = lines[at]
    if (line?.startsWith(prefix) !== true) return undefined
    read.push({ mark, text: `${line.slice(2)}\n` })
  }
  const end = start + Math.max(0, count)
  const last = read.at(-1)
  if (last === undefined || lines[end]?.startsWith('\\') !== true) return { lines: read, end }
  read[read.length - 1] = { mark, text: last.text.slice(0, -1) }
  return { lines: read, end: end + 1 }
}

function rangeOf(first: string, last: string | undefined): string {
  return last === undefined || last === first ? first : `${first},${last}`
}

function shown(lines: readonly HunkLine[]): string {
  return lines.map(({ mark, text }) => `${mark} ${text}${text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`).join('')
}
