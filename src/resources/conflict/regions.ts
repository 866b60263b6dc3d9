// Finds the markers of a merge. A marker is exactly seven characters, as git writes it, so that a heading underlined with more or fewer '='
// is text. The first separator after the opening (or base) marker ends a side.

import type { TextDocument } from '../../core/text.ts'

export type ConflictSide = 'ours' | 'base' | 'theirs'

/** One conflict. Indices are 0-based lines of the document; `start` < `base` < `separator` < `end`. */
export interface ConflictRegion {
  readonly startIndex: number
  /** Present only if the merge wrote the common ancestor too (diff3). */
  readonly baseIndex: number | undefined
  readonly separatorIndex: number
  readonly endIndex: number
  /** More than one: a line of text looks like the separator, so the sides may be divided in the wrong place. */
  readonly separatorCount: number
  readonly oursLabel: string
  readonly theirsLabel: string
}

/** Lines of a document, 0-based; `end` is exclusive. */
export interface LineSlice {
  readonly start: number
  readonly end: number
}

interface OpenRegion {
  readonly startIndex: number
  readonly oursLabel: string
  baseIndex: number | undefined
  separatorIndex: number | undefined
  separatorCount: number
}

/** Every complete conflict, in order. Other markers are text. */
export function findConflicts({ lines }: TextDocument): readonly ConflictRegion[] {
  const regions: ConflictRegion[] = []
  let open: OpenRegion | undefined
  for (const [index, line] of lines.entries()) {
    const oursLabel = labelAfter(line, '<<<<<<<')
    if (oursLabel !== undefined) {
      // Inside an open conflict: git nests only with longer markers, so the earlier conflict is incomplete.
      open = { startIndex: index, oursLabel, baseIndex: undefined, separatorIndex: undefined, separatorCount: 0 }
      continue
    }
    if (open === undefined) continue
    if (isSeparator(line)) {
      open.separatorIndex ??= index
      open.separatorCount++
    } else if (open.separatorIndex === undefined && open.baseIndex === undefined && labelAfter(line, '|||||||') !== undefined) {
      open.baseIndex = index
    } else {
      const theirsLabel = labelAfter(line, '>>>>>>>')
      if (theirsLabel === undefined) continue
      const { separatorIndex } = open
      if (separatorIndex !== undefined) regions.push({ ...open, separatorIndex, endIndex: index, theirsLabel })
      open = undefined
    }
  }
  return regions
}

/** The lines of one side, without markers. Empty for the base of a conflict without one. */
export function sideOf(region: ConflictRegion, side: ConflictSide): LineSlice {
  switch (side) {
    case 'ours':
      return { start: region.startIndex + 1, end: region.baseIndex ?? region.separatorIndex }
    case 'base':
      return { start: (region.baseIndex ?? region.separatorIndex - 1) + 1, end: region.separatorIndex }
    case 'theirs':
      return { start: region.separatorIndex + 1, end: region.endIndex }
  }
}

/** The text of a whole conflict, including its markers, with LF endings. It identifies the conflict. */
export function conflictText({ lines }: TextDocument, { startIndex, endIndex }: ConflictRegion): string {
  return lines.slice(startIndex, endIndex + 1).join('\n')
}

/** The text after a marker on its line; `undefined` if the line is not such a marker. */
function labelAfter(line: string, marker: string): string | undefined {
  if (!line.startsWith(marker)) return undefined
  const next = line[marker.length]
  return next === undefined || next === ' ' || next === '\t' ? line.slice(marker.length).trim() : undefined
}

function isSeparator(line: string): boolean {
  return line.startsWith('=======') && line.trimEnd() === '======='
}
