// What the tools of one ecs session share: the texts that it was shown, which stand behind the tags.

import type { VfsPath } from '../../core/path.ts'
import type { Freshness } from '../../session/freshness.ts'
import type { Session } from '../../session/session.ts'
import { ShownFiles } from '../../session/shown-files.ts'
import type { ShownTexts } from '../../text/shown-texts.ts'

export interface EcsState {
  /** The reader saw the lines from `startIndex` up to `endIndex` of `lines`, which is the whole text. */
  show(path: VfsPath, lines: readonly string[], startIndex: number, endIndex: number): void
  /** What was shown of a file, as far as it is kept. */
  shownTexts(path: VfsPath): ShownTexts
  /** Whether the session saw `lines` last. */
  freshness(path: VfsPath, lines: readonly string[]): Freshness
  /** Nothing is kept of what was shown but that it was another text: it made room for others, or a session before this one saw it. */
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

/** Tags know nothing of line endings. */
function textOfLines(lines: readonly string[]): string {
  return lines.join('\n')
}
