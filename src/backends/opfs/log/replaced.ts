// Removes from memory the contents that a commit replaces. A snapshot that still uses them reads them from the disk.

import { exactNode } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Tree } from '../../../vfs/tree/tree.ts'
import type { StoredContent } from './content.ts'
import { isContent, type Piece, piecesOf } from './pieced-content.ts'

/** `tree` is the tree before `edits`. */
export function forgetReplaced(tree: Tree, edits: readonly Edit[]): void {
  for (const edit of edits) {
    if (edit.kind === 'link' || (edit.kind === 'put' && edit.change !== 'modify')) continue
    const old = exactNode(tree, edit.path)
    if (old?.kind !== 'file' || !isContent(old.bytes) || (edit.kind !== 'put' && old.nlink > 1)) continue
    for (const content of missingIn(piecesAfter(edit), piecesOf(old.bytes))) content.forget()
  }
}

function piecesAfter(edit: Edit): readonly Piece[] {
  return edit.kind === 'put' && edit.node.kind === 'file' && isContent(edit.node.bytes) ? piecesOf(edit.node.bytes) : []
}

/** So few contents are searched for one by one. */
const fewContents = 4

/** The contents of `before` that are not in `after`. Most pieces at both ends are the same, and are only compared. */
function missingIn(after: readonly Piece[], before: readonly Piece[]): readonly StoredContent[] {
  const shorter = Math.min(after.length, before.length)
  let first = 0
  while (first < shorter && after[first]?.content === before[first]?.content) first++
  let last = 0
  while (last < shorter - first && after[after.length - 1 - last]?.content === before[before.length - 1 - last]?.content) last++
  const changed = [...new Set(before.slice(first, before.length - last).map(({ content }) => content))]
  if (changed.length <= fewContents) return changed.filter(content => !after.some(piece => piece.content === content))
  const kept = new Set(after.map(({ content }) => content))
  return changed.filter(content => !kept.has(content))
}
