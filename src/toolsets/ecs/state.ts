// State that the tools of one ecs session share: the shown texts to which the tags belong.

import type { VfsPath } from '../../core/path.ts'
import type { Freshness } from '../../session/freshness.ts'
import type { Session } from '../../session/session.ts'
import { ShownFiles } from '../../session/shown-files.ts'
import type { ShownTexts } from '../../text/shown-texts.ts'

export interface EcsState {
  /** The session saw the lines from `startIndex` up to `endIndex` of `lines`, which is the whole text. */
  show(path: VfsPath, lines: readonly string[], startIndex: number, endIndex: number): void
  /** The lines that were shown of a file, if they are still in memory. */
  shownTexts(path: VfsPath): ShownTexts
  /** Whether `lines` is the text that the session saw last. */
  freshness(path: VfsPath, lines: readonly string[]): Freshness
  /** All that is known is that another text was shown: it was dropped from memory, or an earlier session saw it. */
  isChanged(path: VfsPath, lines: readonly string[]): boolean
}

export function createEcsState({ freshness, limits, own }: Session): EcsState {
  const shown = new ShownFiles(own, 'ecs', limits.snapshotMaxBytes)
  return {
    show(path, lines, startIndex, endIndex) {
      shown.show(path, lines, startIndex, endIndex)
      freshness.note(path, undefined, textOfLines(lines))
    },
    freshness: (path, lines) => freshness.check(path, undefined, textOfLines(lines)),
    shownTexts: path => shown.of(path),
    isChanged: (path, lines) => !shown.has(path) && freshness.check(path, undefined, textOfLines(lines)) === 'changed',
  }
}

/** Tags ignore line endings. */
function textOfLines(lines: readonly string[]): string {
  return lines.join('\n')
}
