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

/** In a request, also what a write changed in the content that the file at this path has. */
export type RequestContent = WireContent | ({ readonly is: 'changed' } & ContentChange)

export type WireFile<Content = WireContent> = Omit<FileNode, 'bytes'> & { readonly content: Content }

type Put = Edit & { readonly kind: 'put' }

export type WireEdit<Content = WireContent> =
  | Exclude<Edit, Put>
  | (Omit<Put, 'node'> & { readonly node: SymlinkNode | DirectoryFacts })
  | (Omit<Put, 'node'> & { readonly node: WireFile<Content> })

/** `contentOf` is called for each new content. */
export function encodeEdit<Content>(edit: Edit, contentOf: (file: FileNode) => Content): WireEdit<Content | WireContent> {
  if (edit.kind !== 'put') return edit
  const { node, ...rest } = edit
  if (node.kind !== 'file') return { ...rest, node }
  const { bytes: _, ...facts } = node
  return { ...rest, node: { ...facts, content: edit.change === 'attributes' ? { is: 'same' } : contentOf(node) } }
}

export function decodeEdit<Content>(
  wire: WireEdit<Content>,
  contentOf: (file: WireFile<Content>, path: Edit['path']) => FileContent,
): Edit {
  if (!('node' in wire)) return wire
  const { node, ...rest } = wire
  if (!('content' in node)) return { ...rest, node }
  const { content: _, ...facts } = node
  return { ...rest, node: { ...facts, bytes: contentOf(node, wire.path) } }
}
