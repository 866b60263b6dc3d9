// The lines around an edit with their new tags, so that the next edit needs no read.

import { formatLineTag } from '../../../text/line-tags/tag.ts'
import { sliceCharacters } from '../../../text/page-lines.ts'
import type { LineSplice } from '../../../text/splice-lines.ts'
import { contextLines, maxFreshLines } from '../limits.ts'

interface Region {
  /** 0-based in the new text; the end is exclusive. */
  readonly startIndex: number
  readonly endIndex: number
}

export interface FreshLines {
  readonly rows: readonly string[]
  readonly shown: readonly Region[]
  readonly notes: readonly string[]
}

const maxCharacters = 500

/** `lines` is the new text. Regions are separated by `...`. */
export function freshLines(splices: readonly LineSplice[], lines: readonly string[]): FreshLines {
  const rows: string[] = []
  const shown: Region[] = []
  let left = maxFreshLines
  let isCut = false
  for (const region of regionsOf(splices, lines.length)) {
    const endIndex = Math.min(region.endIndex, region.startIndex + left)
    if (endIndex < region.endIndex) isCut = true
    if (endIndex <= region.startIndex) break
    if (rows.length > 0) rows.push('...')
    let wholeFrom = region.startIndex
    for (let lineIndex = region.startIndex; lineIndex < endIndex; lineIndex++) {
      const line = lines[lineIndex] ?? ''
      const { text, isCut: isLineCut } = sliceCharacters(line, 0, maxCharacters)
      rows.push(formatLineTag(lineIndex + 1, line) + text + (isLineCut ? ' [cut]' : ''))
      if (!isLineCut) continue
      // A line that is shown in part does not count as shown.
      shown.push({ startIndex: wholeFrom, endIndex: lineIndex })
      wholeFrom = lineIndex + 1
    }
    shown.push({ startIndex: wholeFrom, endIndex })
    left -= endIndex - region.startIndex
  }
  return {
    rows,
    shown,
    notes: isCut ? [`Only the first ${maxFreshLines} changed lines are shown; read_file shows the others`] : [],
  }
}

/** The new places of the changes with their context; adjoining ones are joined. */
function regionsOf(splices: readonly LineSplice[], lineCount: number): readonly Region[] {
  const regions: Region[] = []
  let shift = 0
  for (const { startIndex, removed, lines } of splices) {
    const start = Math.max(0, startIndex + shift - contextLines)
    const end = Math.min(lineCount, startIndex + shift + lines.length + contextLines)
    shift += lines.length - removed
    const last = regions.at(-1)
    if (last !== undefined && start <= last.endIndex)
      regions[regions.length - 1] = { ...last, endIndex: Math.max(last.endIndex, end) }
    else regions.push({ startIndex: start, endIndex: end })
  }
  return regions
}
