// Line numbers are valid for the text that they were shown with, but a model may use a number from an older view of the file.

import type { VfsPath } from '../core/path.ts'
import { createLineAnchors, type LineAnchors } from '../text/hashline/line-anchors.ts'
import { hasLine, type LineSpan } from '../text/line-spans.ts'
import type { ShownVersion, SnapshotStore } from './snapshots.ts'

/** A line number that probably comes from an older view of the file. */
export interface OlderRow {
  readonly lineNumber: number
  /** The tag under which the line was shown. */
  readonly tag: string
  /** The line as it was shown. `undefined` if its text is no longer in memory. */
  readonly text: string | undefined
  /** The position of that line in the current text, if it is certain. */
  readonly nowAt: number | undefined
}

/**
 * Returns the line numbers of `spans` that were not shown for `text` but were shown for another line in an older view of the
 * file, so that they may belong to that view. Lines that are certainly the same in both are left out.
 */
export function olderRows(
  snapshots: SnapshotStore,
  path: VfsPath,
  tag: string,
  text: string,
  spans: readonly LineSpan[],
): readonly OlderRow[] {
  const shown = snapshots.shownRows(path, tag, text)
  // A session may remember many texts of a large file, so they are read only if a line was not shown for this one.
  let known: readonly ShownVersion[] | undefined
  const others = (): readonly ShownVersion[] => (known ??= snapshots.shownVersions(path).filter(version => version.text !== text))
  const lineCount = lineCountOf(text)
  // A number beyond the end of this text must belong to another one.
  const lastOf = (end: number): number =>
    end <= lineCount ? end : Math.min(end, Math.max(lineCount, ...others().map(other => lineCountOf(other.text))))
  let lines: readonly string[] | undefined
  const anchorsOf = new Map<ShownVersion, LineAnchors>()
  const found: OlderRow[] = []
  for (const { start, end } of spans) {
    const last = lastOf(end)
    for (let lineNumber = start; lineNumber <= last; lineNumber++) {
      if (hasLine(shown, lineNumber)) continue
      const older = others().find(version => hasLine(version.shown, lineNumber))
      if (older === undefined) continue
      if (older.text === undefined) {
        found.push({ lineNumber, tag: older.tag, text: undefined, nowAt: undefined })
        continue
      }
      const olderLines = linesOf(older.text)
      // The older view ends before this line.
      if (lineNumber > olderLines.length) continue
      const anchors = anchorsOf.get(older) ?? createLineAnchors(olderLines, (lines ??= linesOf(text)))
      anchorsOf.set(older, anchors)
      const stretch = anchors.around(lineNumber - 1, lineNumber - 1)
      const nowAt = anchors.isUnchanged(stretch) ? lineNumber - stretch.beforeStart + stretch.afterStart : undefined
      if (nowAt !== lineNumber) found.push({ lineNumber, tag: older.tag, text: olderLines[lineNumber - 1], nowAt })
    }
  }
  return found
}

function lineCountOf(normalizedText = ''): number {
  let count = 1
  for (let at = normalizedText.indexOf('\n'); at !== -1; at = normalizedText.indexOf('\n', at + 1)) count++
  return count
}

function linesOf(normalizedText: string): readonly string[] {
  const lines = normalizedText.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
