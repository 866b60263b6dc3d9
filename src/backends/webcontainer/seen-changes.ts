// The changes of the container's processes to the files, as the mirror saw them: the difference over a period, not each step.

import { isInside, type VfsPath } from '../../core/path.ts'
import type { ShellChange, ShellChanges } from '../../shell/changes.ts'
import type { Change } from '../../vfs/backend.ts'

/** The number of paths that are kept; with more, the list counts as cut. */
const maxPaths = 10_000

export interface SeenChanges {
  add(change: Omit<Change, 'seq'>): void
  /** `prefix` is added to each path. */
  report(prefix: string): ShellChanges
}

export function createSeenChanges(): SeenChanges {
  const seen = new Map<VfsPath, ShellChange>()
  let isCut = false
  return {
    add({ type, path, kind }) {
      if (type === 'attributes' || type === 'move') return
      const before = seen.get(path)?.type
      if (before === 'create' && type === 'delete') seen.delete(path)
      else if (before === undefined && seen.size >= maxPaths) isCut = true
      else seen.set(path, { type: both(before, type), path, kind })
    },
    report(prefix) {
      const sorted = [...seen.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
      const changes: ShellChange[] = []
      let gone: VfsPath | undefined
      for (const change of sorted) {
        if (gone !== undefined && isInside(change.path, gone)) continue
        if (change.type === 'delete' && change.kind === 'directory') gone = change.path
        changes.push({ ...change, path: `${prefix}${change.path}` as VfsPath })
      }
      return { changes, isCut }
    },
  }
}

function both(before: ShellChange['type'] | undefined, type: ShellChange['type']): ShellChange['type'] {
  if (before === 'create') return 'create'
  return before === 'delete' && type === 'create' ? 'modify' : type
}
