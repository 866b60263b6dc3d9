// Lists the contents of a stored tree.

import { fileNodesOf } from '../../../vfs/tree/file-nodes.ts'
import type { DirectoryNode, FileNode } from '../../../vfs/tree/node.ts'
import { childPath, rootPath, type VfsPath } from '../../../core/path.ts'
import { nodeOf, type Version } from '../../../vfs/tree/tree.ts'
import { type Content, isContent } from './pieced-content.ts'

/** The content of every file, once. */
export function contentsOf(tree: Version): Content[] {
  const found: Content[] = []
  for (const { bytes } of fileNodesOf(tree)) if (isContent(bytes)) found.push(bytes)
  return found
}

/** Every file with its path; a file with several names appears once for each. */
export function* filesOf(
  tree: Version,
): Generator<{ readonly path: VfsPath; readonly file: FileNode; readonly content: Content }> {
  const pending: { readonly path: VfsPath; readonly directory: DirectoryNode }[] = [{ path: rootPath, directory: tree.root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, entry] of next.directory.entries) {
      const path = childPath(next.path, name)
      const node = nodeOf(tree, entry)
      if (node.kind === 'directory') pending.push({ path, directory: node })
      else if (node.kind === 'file' && isContent(node.bytes)) yield { path, file: node, content: node.bytes }
    }
  }
}
