// An edit is the result of an operation after its path is resolved and the operation is allowed. It is plain data that can be applied to
// this tree, applied again to a newer one (if another commit overtook the transaction), logged, and reported to watchers.

import type { VfsPath } from '../../core/path.ts'
import type { Change, EntryKind } from '../backend.ts'
import type { DirectoryFacts, FileNode, SymlinkNode } from './node.ts'

/** Data in every edit for the directories whose entries it changes. */
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
    | {
        readonly kind: 'link'
        readonly path: VfsPath
        readonly existing: VfsPath
        readonly entry: EntryKind
        readonly nodeRev: number
      }
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
      return { type: 'create', path, kind: edit.entry, rev: edit.nodeRev }
    case 'drop':
      return { type: 'delete', path, kind: edit.entry, rev: edit.rev }
    case 'move':
      return { type: 'move', path, oldPath: edit.from, kind: edit.entry, rev: edit.nodeRev }
  }
}
