// The contents of files that a request names: sent with it, kept from the version that the tree has, or looked up by number.

import { joinBytes } from '../../../core/bytes.ts'
import { VfsError } from '../../../vfs/error.ts'
import { fileNodesOf } from '../../../vfs/tree/file-nodes.ts'
import { exactNode } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Journal } from '../../../vfs/tree/journal.ts'
import type { FileContent, FileNode } from '../../../vfs/tree/node.ts'
import type { Tree, Version } from '../../../vfs/tree/tree.ts'
import type { WireFile } from './wire-edits.ts'

export function contentFor(
  { content }: WireFile,
  tree: Tree,
  path: Edit['path'],
  sent: Uint8Array,
  journal: Pick<Journal, 'hold' | 'patch'>,
): FileContent {
  const before = contentAt(tree, path)
  switch (content.is) {
    case 'bytes':
      return journal.hold(content.bytes, before)
    case 'sent':
      return journal.hold(sent.subarray(content.offset, content.offset + content.length), before)
    case 'same':
      if (before !== undefined) return before
      throw new VfsError('ESTALE', 'commit', { path, hint: 'the file no longer exists' })
    case 'changed':
      if (before !== undefined && content.at <= before.length) return journal.patch(before, content.bytes, content.at)
      throw new VfsError('ESTALE', 'commit', { path, hint: 'the file no longer has this content' })
    case 'elsewhere':
      throw new VfsError('EINVAL', 'commit', { path, hint: 'its content was not sent' })
  }
}

export function contentAt(tree: Version, path: Edit['path']): FileContent | undefined {
  const node = exactNode(tree, path)
  return node?.kind === 'file' ? node.bytes : undefined
}

export function assembled(byIndex: ReadonlyMap<number, Uint8Array>, partCount: number): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  for (let index = 0; index < partCount; index++) {
    const part = byIndex.get(index)
    if (part === undefined) return undefined
    parts.push(part)
  }
  return joinBytes(parts)
}

/** Finds a file that was renamed since the other tab last knew its path. Time: in proportion to the tree. */
export function fileByIno(tree: Version, ino: number): FileNode | undefined {
  for (const file of fileNodesOf(tree)) if (file.ino === ino) return file
  return undefined
}
