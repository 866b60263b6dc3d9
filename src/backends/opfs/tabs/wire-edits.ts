// Edits as plain data. A content is sent with the edit that creates it, or is fetched when it is read.

import type { Edit } from '../../../vfs/tree/edit.ts'
import type { ContentChange } from './content-change.ts'
import type { DirectoryFacts, FileContent, FileNode, SymlinkNode } from '../../../vfs/tree/node.ts'

export type WireContent =
  | { readonly is: 'bytes'; readonly bytes: Uint8Array }
  /** The content that the file at this path has already. */
  | { readonly is: 'same' }
  /** In the parts that were sent before. */
  | { readonly is: 'sent'; readonly offset: number; readonly length: number }
  /** Only the tab with the files has it. */
  | { readonly is: 'elsewhere'; readonly length: number }
  /** What a write changed in the content that the file at this path has. */
  | ({ readonly is: 'changed' } & ContentChange)

export type WireFile = Omit<FileNode, 'bytes'> & { readonly content: WireContent }

type Put = Edit & { readonly kind: 'put' }

export type WireEdit =
  | Exclude<Edit, Put>
  | (Omit<Put, 'node'> & { readonly node: SymlinkNode | DirectoryFacts })
  | (Omit<Put, 'node'> & { readonly node: WireFile })

/** `contentOf` is called for each new content. */
export function encodeEdit(edit: Edit, contentOf: (file: FileNode) => WireContent): WireEdit {
  if (edit.kind !== 'put') return edit
  const { node, ...rest } = edit
  if (node.kind !== 'file') return { ...rest, node }
  const { bytes: _, ...facts } = node
  return { ...rest, node: { ...facts, content: edit.change === 'attributes' ? { is: 'same' } : contentOf(node) } }
}

export function decodeEdit(wire: WireEdit, contentOf: (file: WireFile, path: Edit['path']) => FileContent): Edit {
  if (!('node' in wire)) return wire
  const { node, ...rest } = wire
  if (!('content' in node)) return { ...rest, node }
  const { content: _, ...facts } = node
  return { ...rest, node: { ...facts, bytes: contentOf(node, wire.path) } }
}
