// Removes from memory the contents that a commit replaces. A snapshot that still uses them reads them from the disk.

import { exactNode } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Tree } from '../../../vfs/tree/tree.ts'
import { isContent, piecesOf } from './pieced-content.ts'

/** `tree` is the tree before `edits`. */
export function forgetReplaced(tree: Tree, edits: readonly Edit[]): void {
  for (const edit of edits) {
    if (edit.kind === 'link' || (edit.kind === 'put' && edit.change !== 'modify')) continue
    const old = exactNode(tree, edit.path)
    if (old?.kind !== 'file' || !isContent(old.bytes) || (edit.kind !== 'put' && old.nlink > 1)) continue
    const kept = new Set(contentsIn(edit))
    for (const { content } of piecesOf(old.bytes)) if (!kept.has(content)) content.forget()
  }
}

function contentsIn(edit: Edit): readonly object[] {
  if (edit.kind !== 'put' || edit.node.kind !== 'file' || !isContent(edit.node.bytes)) return []
  return piecesOf(edit.node.bytes).map(({ content }) => content)
}
