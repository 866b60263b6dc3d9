// What the tools of one ecs session share: the texts that it was shown, which stand behind the tags.

import { SizedLru } from '../../core/lru.ts'
import type { VfsPath } from '../../core/path.ts'
import { ShownTexts } from '../../text/line-tags/shown-texts.ts'

/** Files whose shown texts are remembered. */
const maxShownFiles = 200

export interface EcsState {
  shownTexts(path: VfsPath): ShownTexts
}

export function createEcsState(): EcsState {
  const shown = new SizedLru<VfsPath, ShownTexts>(maxShownFiles)
  return {
    shownTexts(path) {
      const texts = shown.get(path) ?? new ShownTexts()
      shown.set(path, texts, 1)
      return texts
    },
  }
}
