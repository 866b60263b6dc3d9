// Parses the hunks of a context diff (`diff -c`) and merges the old and new lines of each into a list like that of a unified diff.

import { unitsPerItem, type Pace } from '../pace.ts'
import type { Hunk, HunkLine } from './parse-patch.ts'

interface ContextLine {
  readonly mark: string
  readonly text: string
}

interface Side {
  readonly start: number
  /** `undefined` if this side has no changes: its lines are then those of the other side. */
  readonly lines: readonly ContextLine[] | undefined
  readonly end: number
}

/** Whether a context diff's file header begins at line `at`. */
export function isContextHeader(lines: readonly string[], at: number): boolean {
  return (
    (lines[at] ?? '').startsWith('*** ') &&
    (lines[at + 1] ?? '').startsWith('--- ') &&
    (lines[at + 2] ?? '').startsWith('***************')
  )
}

/** The hunks that begin at `start`, or an error message. */
export async function readContextHunks(
  lines: readonly string[],
  start: number,
  isStripped: boolean,
  pace: Pace,
): Promise<{ readonly hunks: readonly Hunk[]; readonly end: number } | string> {
  const textAt = (at: number): string => (isStripped ? (lines[at] ?? '').replace(/\r$/, '') : (lines[at] ?? ''))
  const hunks: Hunk[] = []
  let at = start
  while (textAt(at).startsWith('***************')) {
    const old = readSide(textAt, at + 1, /^\*\*\* (\d+)(?:,(\d+))? \*\*\*\*/, '-')
    const fresh = old && readSide(textAt, old.end, /^--- (\d+)(?:,(\d+))? ----/, '+')
    const merged = old && fresh && mergedLines(old.lines ?? contextOf(fresh.lines), fresh.lines ?? contextOf(old.lines))
    if (old === undefined || fresh === undefined || merged === undefined)
      return `malformed patch at line ${at + 1}: the hunk's two ranges and its lines must agree; make the patch anew with diff -u`
    const written = Array.from({ length: fresh.end - at }, (_, index) => `${textAt(at + index)}\n`).join('')
    hunks.push({ oldStart: old.start, newStart: fresh.start, lines: merged, written })
    if (pace.isDue(written.length + (fresh.end - at) * unitsPerItem)) await pace.rest()
    at = fresh.end
  }
  return { hunks, end: at }
}

function readSide(textAt: (at: number) => string, headAt: number, head: RegExp, ownMark: '-' | '+'): Side | undefined {
  const [, first, last = first] = head.exec(textAt(headAt)) ?? []
  if (first === undefined) return undefined
  const [start, to] = [Number(first), Number(last)]
  const count = to === 0 ? 0 : to - start + 1
  const read: ContextLine[] = []
  let at = headAt + 1
  const isLine = (text: string): boolean => /^[ !] /.test(text) || text.startsWith(`${ownMark} `)
  if (count > 0 && !isLine(textAt(at))) return { start, lines: undefined, end: at }
  for (; read.length < count; at++) {
    const text = textAt(at)
    if (!isLine(text)) return undefined
    read.push({ mark: text.charAt(0), text: `${text.slice(2)}\n` })
  }
  const end = read.at(-1)
  if (end !== undefined && textAt(at).startsWith('\\')) {
    read[read.length - 1] = { mark: end.mark, text: end.text.slice(0, -1) }
    at += 1
  }
  return { start, lines: read, end: at }
}

function contextOf(lines: readonly ContextLine[] | undefined): readonly ContextLine[] {
  return (lines ?? []).filter(({ mark }) => mark === ' ')
}

/** `undefined` if the context lines of the two sides differ. */
function mergedLines(old: readonly ContextLine[], fresh: readonly ContextLine[]): readonly HunkLine[] | undefined {
  const merged: HunkLine[] = []
  let [oldAt, freshAt] = [0, 0]
  while (oldAt < old.length || freshAt < fresh.length) {
    const [one, other] = [old[oldAt], fresh[freshAt]]
    if (one !== undefined && one.mark !== ' ') {
      merged.push({ mark: '-', text: one.text })
      oldAt += 1
    } else if (other !== undefined && other.mark !== ' ') {
      merged.push({ mark: '+', text: other.text })
      freshAt += 1
    } else {
      if (one === undefined || other === undefined || one.text !== other.text) return undefined
      merged.push({ mark: ' ', text: one.text })
      oldAt += 1
      freshAt += 1
    }
  }
  return merged
}
