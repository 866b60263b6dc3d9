// A small change of a file in many pieces is stored without the list of its pieces. What it was made of is named exactly: where a record
// before it is lost, the bytes that it does not have itself are lost too, and never taken from an older content.

import type { VfsPath } from '../../../core/path.ts'
import { exactNode } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { type Content, isContent, type Piece, PiecedContent } from './pieced-content.ts'

/** The list of fewer pieces is about as short as a change. */
const fewestPieces = 16
/** After so many changes all pieces are stored, so that one damaged record does not cost all of the file that later ones leave as it is. */
const mostChanges = 64

/** The content that a change was made of. */
export interface ChangedFile {
  readonly ino: number
  readonly rev: number
  readonly lengthBytes: number
}

export interface StoredChange extends ChangedFile {
  /** The bytes from `start` to `end` are replaced. */
  readonly start: number
  readonly end: number
}

interface NewChange extends StoredChange {
  /** What the file will have. */
  readonly content: PiecedContent
  /** In the place of the bytes. */
  readonly pieces: readonly Piece[]
}

/** `undefined`: all pieces are stored. `tree` is the tree before, which has the same contents as the log. */
export function changeIn(edit: Edit, tree: Version): NewChange | undefined {
  if (edit.kind !== 'put' || edit.change !== 'modify' || edit.node.kind !== 'file') return undefined
  const { bytes } = edit.node
  if (!(bytes instanceof PiecedContent) || bytes.change === undefined) return undefined
  if (bytes.changeCount > mostChanges || bytes.pieces.length < fewestPieces) return undefined
  const { before, start, end, pieces } = bytes.change
  const file = exactNode(tree, edit.path)
  if (file?.kind !== 'file' || file.bytes !== before) return undefined
  return { content: bytes, ino: file.ino, rev: file.rev, lengthBytes: before.length, start, end, pieces }
}

/** The content in `tree` that `of` describes; `undefined` if it is not there. */
export function contentBefore(tree: Version, path: VfsPath, of: ChangedFile): Content | undefined {
  const file = exactNode(tree, path)
  if (file?.kind !== 'file' || file.ino !== of.ino || file.rev !== of.rev || file.bytes.length !== of.lengthBytes)
    return undefined
  return isContent(file.bytes) ? file.bytes : undefined
}
