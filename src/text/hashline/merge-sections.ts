// A file may have several headers in one script. Their hunks all refer to one snapshot, so they become one section with one tag. A header
// without a tag takes the tag of another header of the same path.

import type { HashlineScript, Hunk, Section } from './hunk.ts'
import { rejectAmbiguousRow, rejectConflictingTags, rejectEmptyScript, rejectMissingTag } from './rejections.ts'

export interface RawSection {
  readonly path: string
  readonly tag: string | undefined
  readonly scriptLine: number
  /** The header as written. */
  readonly line: string
  readonly hunks: Hunk[]
  readonly warnings: string[]
  /** The header is directly below body rows, so it may have been meant as one of them. */
  readonly cutsBody: boolean
}

/** Throws `ToolError`: `edit-empty-script`, `edit-ambiguous-row`, `edit-conflicting-tags`, `edit-missing-tag`. */
export function mergeSections(raw: readonly RawSection[], warnings: readonly string[]): HashlineScript {
  const dropped: string[] = []
  const groups = new Map<string, RawSection[]>()
  for (const section of raw) {
    if (section.hunks.length === 0) {
      if (section.cutsBody) throw rejectAmbiguousRow(section.scriptLine, section.line)
      dropped.push(`Line ${section.scriptLine} of the script: the header of ${section.path} has no operation below it.`)
    }
    const group = groups.get(section.path)
    if (group === undefined) groups.set(section.path, [section])
    else group.push(section)
  }
  const sections = [...groups].flatMap(([path, group]) => mergeGroup(path, group))
  if (sections.length === 0) throw rejectEmptyScript()
  return { sections, warnings: [...warnings, ...dropped] }
}

function mergeGroup(path: string, group: readonly RawSection[]): readonly Section[] {
  let tag: string | undefined
  for (const section of group) {
    if (section.tag === undefined) continue
    if (tag !== undefined && tag !== section.tag) throw rejectConflictingTags(section.scriptLine, path, [tag, section.tag])
    tag = section.tag
  }
  const hunks = group.flatMap(section => section.hunks)
  const first = group[0]
  if (first === undefined || hunks.length === 0) return []
  if (tag === undefined) throw rejectMissingTag(first.scriptLine, path)
  return [{ path, tag, hunks, scriptLine: first.scriptLine, warnings: group.flatMap(section => section.warnings) }]
}
