// Which contents an edit adds.

import type { Edit } from '../../../vfs/tree/edit.ts'
import { isContent, type Piece, piecesOf } from './pieced-content.ts'

/** The pieces of the content that a file will have; `undefined` for an edit of something else. */
export function piecesIn(edit: Edit): readonly Piece[] | undefined {
  if (edit.kind !== 'put' || edit.node.kind !== 'file') return undefined
  if (isContent(edit.node.bytes)) return piecesOf(edit.node.bytes)
  throw new Error('a file of the stored tree was made without its log')
}
