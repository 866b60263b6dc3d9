// Applies changes although earlier ones are lost: missing directories are created again, and entries in the way are replaced.

import { dirname, type VfsPath } from '../../../core/path.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { DirectoryNode } from '../../../vfs/tree/node.ts'
import { exactNode } from '../../../vfs/tree/basis.ts'
import { fileSize, Tree } from '../../../vfs/tree/tree.ts'

/** Throws `VfsError` for a change of an entry that no longer exists. */
export function applyAnyway(tree: Tree, edit: Edit): void {
  if (edit.kind === 'drop' && exactNode(tree, edit.path) === undefined) return
  if (edit.kind !== 'drop') makeDirectories(tree, dirname(edit.path), edit)
  const there = exactNode(tree, edit.path)
  const isDirectory = edit.kind === 'put' && edit.node.kind === 'directory'
  if (edit.kind === 'put' && there?.kind === 'directory' && isDirectory) tree.apply({ ...edit, change: 'modify' })
  else if (edit.kind === 'put' && edit.change !== 'create' && there === undefined) tree.apply({ ...edit, change: 'create' })
  else tree.apply(edit)
}

function makeDirectories(tree: Tree, path: VfsPath, { atMs, rev }: Edit): void {
  if (exactNode(tree, path)?.kind === 'directory') return
  makeDirectories(tree, dirname(path), { kind: 'drop', path, entry: 'directory', atMs, rev })
  const node = { kind: 'directory', mode: 0o755, mtimeMs: atMs, ctimeMs: atMs, ino: rev, rev } as const
  tree.apply({ kind: 'put', path, node, change: 'create', atMs, rev })
}

/** Counts the entries again: a salvaged tree still counted the ones that it replaced. */
export function recounted(tree: Tree): Tree {
  const { root, shared } = tree.freeze()
  let [contentBytes, nodeCount] = [0, 0]
  for (const node of shared.values()) contentBytes += fileSize(node)
  nodeCount += shared.size
  const pending: DirectoryNode[] = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const [, entry] of directory.entries) {
      if (entry.key !== undefined) continue
      nodeCount++
      if (entry.kind === 'directory') pending.push(entry)
      else contentBytes += fileSize(entry)
    }
  }
  return new Tree({ root, shared, contentBytes, nodeCount, editCount: 0 })
}
