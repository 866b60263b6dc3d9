// Lists the files of a tree by node and not by name.

import type { DirectoryNode, Entry, FileNode } from './node.ts'
import type { Version } from './tree.ts'

/** Every file once, however many names it has. */
export function* fileNodesOf({ root, shared }: Version): Generator<FileNode> {
  const pending: DirectoryNode[] = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const [, entry] of directory.entries) {
      if (entry.kind === 'directory') pending.push(entry)
      else if (isFile(entry)) yield entry
    }
  }
  for (const node of shared.values()) if (isFile(node)) yield node
}

function isFile(entry: Entry): entry is FileNode {
  return entry.kind === 'file' && entry.key === undefined
}
