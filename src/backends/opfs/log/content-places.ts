// Which contents an edit adds, and where they are stored already.

import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Location, StoredContent } from './content.ts'
import type { StoredPiece } from './edit-codec.ts'
import { isContent, type Piece, piecesOf } from './pieced-content.ts'

/** The pieces of the content that a file will have; `undefined` for an edit of something else. */
export function piecesIn(edit: Edit): readonly Piece[] | undefined {
  if (edit.kind !== 'put' || edit.node.kind !== 'file') return undefined
  if (isContent(edit.node.bytes)) return piecesOf(edit.node.bytes)
  throw new Error('a file of the stored tree was made without its log')
}

/** Where a content is stored, also if it is written in the same commit. */
export function locationOf(content: StoredContent, placed: ReadonlyMap<StoredContent, Location>): Location | undefined {
  return content.location ?? placed.get(content)
}

/** A `location` of `undefined` means: in the record itself. */
export function storedPiece({ content, start, length }: Piece, location: Location | undefined): StoredPiece {
  const place = { fileNumber: location?.holder.number ?? 0, offset: location?.offset ?? 0 }
  return { ...place, contentLength: content.length, checksum: content.checksum, start, length }
}
