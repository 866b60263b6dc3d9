// What the tools of one ecs session share: the texts that it was shown, which stand behind the tags.

import { SizedLru } from '../../core/lru.ts'
import type { VfsPath } from '../../core/path.ts'
import type { Session } from '../../session/session.ts'
import { ShownTexts } from '../../text/line-tags/shown-texts.ts'
import { restoreShown, saveShown } from './saved.ts'

const bytesPerCharacter = 2

export interface EcsState {
  /** The reader saw the lines from `startIndex` up to `endIndex` of `lines`, which is the whole text. */
  show(path: VfsPath, lines: readonly string[], startIndex: number, endIndex: number): void
  /** What was shown of a file, as far as it is kept. */
  shownTexts(path: VfsPath): ShownTexts
  /** Nothing is kept of what was shown but that it was another text: it made room for others, or a session before this one saw it. */
  isChanged(path: VfsPath, lines: readonly string[]): boolean
}

export function createEcsState({ freshness, limits, own }: Session): EcsState {
  const shown = new SizedLru<VfsPath, ShownTexts>(limits.snapshotMaxBytes)
  const keep = (path: VfsPath, texts: ShownTexts): void => shown.set(path, texts, texts.characters * bytesPerCharacter + 1)
  const saved = own.open('ecs', budget => saveShown(shown.newestFirst(), budget))
  for (const [path, texts] of restoreShown(saved).toReversed()) keep(path, texts)
  return {
    show(path, lines, startIndex, endIndex) {
      const texts = shown.get(path) ?? new ShownTexts()
      texts.show(lines, startIndex, endIndex)
      keep(path, texts)
      freshness.note(path, undefined, textOfLines(lines))
    },
    shownTexts: path => shown.get(path) ?? new ShownTexts(),
    isChanged: (path, lines) =>
      shown.get(path) === undefined && freshness.check(path, undefined, textOfLines(lines)) === 'changed',
  }
}

/** Tags know nothing of line endings. */
function textOfLines(lines: readonly string[]): string {
  return lines.join('\n')
}
