// Lists the contents of a stored tree.

import type { DirectoryNode, FileNode } from '../../../vfs/tree/node.ts'
import { childPath, rootPath, type VfsPath } from '../../../core/path.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { type Content, isContent } from './pieced-content.ts'

/** The content of every file, once. */
export function contentsOf(tree: Version): Content[] {
  const found: Content[] = []
  const add = ({ bytes }: FileNode): void => {
    if (isContent(bytes)) found.push(bytes)
  }
  const pending: DirectoryNode[] = [tree.root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const [, entry] of directory.entries) {
      if (entry.kind === 'directory') pending.push(entry)
      else if (entry.kind === 'file') add(entry)
    }
  }
  for (const file of tree.shared.values()) add(file)
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
      const node = entry.kind === 'shared' ? tree.shared.get(entry.key) : entry
      if (node?.kind === 'directory') pending.push({ path, directory: node })
      else if (node?.kind === 'file' && isContent(node.bytes)) yield { path, file: node, content: node.bytes }
    }
  }
}
