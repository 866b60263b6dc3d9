// What the tools of one ecs session share: the texts that it was shown, which stand behind the tags.

import { SizedLru } from '../../core/lru.ts'
import type { VfsPath } from '../../core/path.ts'
import { ShownTexts } from '../../text/line-tags/shown-texts.ts'

const bytesPerCharacter = 2

export interface EcsState {
  /** The reader saw the lines from `startIndex` up to `endIndex` of `lines`, which is the whole text. */
  show(path: VfsPath, lines: readonly string[], startIndex: number, endIndex: number): void
  /** What was shown of a file. Where it had to make room for others, the tags alone decide. */
  shownTexts(path: VfsPath): ShownTexts
}

export function createEcsState(maxBytes: number): EcsState {
  const shown = new SizedLru<VfsPath, ShownTexts>(maxBytes)
  return {
    show(path, lines, startIndex, endIndex) {
      const texts = shown.get(path) ?? new ShownTexts()
      texts.show(lines, startIndex, endIndex)
      shown.set(path, texts, texts.characters * bytesPerCharacter + 1)
    },
    shownTexts: path => shown.get(path) ?? new ShownTexts(),
  }
}
