// State that the tools of one rye session share: the store of line IDs, and the IDs that this session has seen.

import type { VfsPath } from '../../core/path.ts'
import type { Drift } from '../../session/drift-option.ts'
import type { Session } from '../../session/session.ts'
import { ShownLines } from '../../text/line-ids/shown-lines.ts'
import { LineIndexStore } from './line-index-store.ts'
import type { RyeOptions } from './options.ts'
import { restoreShown, saveShown } from './saved.ts'

/** Lines and IDs of all files together: some tens of megabytes. */
const maxShownSize = 400_000

export interface RyeState {
  readonly indexes: LineIndexStore
  /** The treatment of an edit of a file that changed since it was read. */
  readonly drift: Drift
  /** The lines that were shown of a file. If they were dropped from memory, the index alone decides. */
  shownLines(path: VfsPath): ShownLines
  /** Whether a tool of this session showed `id` in any file. */
  hasShown(id: string): boolean
}

export function createRyeState(session: Session, { edit }: RyeOptions): RyeState {
  const saved = session.own.open('rye', budget => saveShown([...shown].reverse(), budget))
  const shown = new Map<VfsPath, ShownLines>(restoreShown(saved).toReversed())
  return {
    indexes: new LineIndexStore(session),
    drift: edit?.drift ?? 'refuse',
    shownLines(path) {
      const lines = shown.get(path) ?? new ShownLines()
      shown.delete(path)
      shown.set(path, lines)
      let size = [...shown.values()].reduce((sum, file) => sum + file.size, 0)
      for (const [oldest, file] of shown) {
        if (size <= maxShownSize || oldest === path) break
        size -= file.size
        shown.delete(oldest)
      }
      return lines
    },
    hasShown: id => [...shown.values()].some(lines => lines.knows(id)),
  }
}
