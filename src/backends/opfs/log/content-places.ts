// Which content an edit brings, and where it lies already.

import type { Edit } from '../../../vfs/tree/edit.ts'
import { type Location, StoredContent } from './content.ts'
import type { Reference } from './edit-codec.ts'

/** That a file will have. */
export function contentOf(edit: Edit): StoredContent | undefined {
  if (edit.kind !== 'put' || edit.node.kind !== 'file') return undefined
  if (edit.node.bytes instanceof StoredContent) return edit.node.bytes
  throw new Error('a file of the stored tree was made without its log')
}

/** Where a content lies that need not be written, because it is stored or is written in the same commit already. */
export function referenceTo(content: StoredContent, placed: ReadonlyMap<StoredContent, Location>): Reference | undefined {
  const location = content.location ?? placed.get(content)
  if (location === undefined) return content.length === 0 ? emptyReference : undefined
  return { fileNumber: location.holder.number, offset: location.offset, length: content.length, checksum: content.checksum }
}

const emptyReference: Reference = { fileNumber: 0, offset: 0, length: 0, checksum: 0 }
