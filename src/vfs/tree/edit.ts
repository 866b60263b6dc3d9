// An edit is what an operation comes down to once its path is resolved and it is known to be allowed: plain facts that can be
// applied to this tree, applied again to a newer one (a transaction that others overtook), logged, and told to watchers.

import type { VfsPath } from '../../core/path.ts'
import type { Change, EntryKind } from '../backend.ts'
import type { DirectoryFacts, FileNode, SymlinkNode } from './node.ts'

/** What every edit carries for the directories whose entries it changes. */
interface Stamped {
  readonly atMs: number
  readonly rev: number
}

/** Paths are real: no '..', and no symlink before the last name. */
export type Edit = Stamped &
  (
    | {
        readonly kind: 'put'
        readonly path: VfsPath
        readonly node: FileNode | SymlinkNode | DirectoryFacts
        readonly change: 'create' | 'modify' | 'attributes'
      }
    | { readonly kind: 'link'; readonly path: VfsPath; readonly existing: VfsPath; readonly nodeRev: number }
    | { readonly kind: 'drop'; readonly path: VfsPath; readonly entry: EntryKind }
    | {
        readonly kind: 'move'
        readonly path: VfsPath
        readonly from: VfsPath
        readonly entry: EntryKind
        readonly nodeRev: number
      }
  )

export function changeOf(edit: Edit): Omit<Change, 'seq'> {
  const { path } = edit
  switch (edit.kind) {
    case 'put':
      return { type: edit.change, path, kind: edit.node.kind, rev: edit.node.rev }
    case 'link':
      return { type: 'create', path, kind: 'file', rev: edit.nodeRev }
    case 'drop':
      return { type: 'delete', path, kind: edit.entry, rev: edit.rev }
    case 'move':
      return { type: 'move', path, oldPath: edit.from, kind: edit.entry, rev: edit.nodeRev }
  }
}
