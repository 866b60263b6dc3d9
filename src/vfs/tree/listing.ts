// What is in a directory, by name. A directory keeps its names in the order in which they came, which is mostly nearly sorted already.

import type { Dirent } from '../backend.ts'
import { type DirectoryNode, entryKind } from './node.ts'

/** Up to here putting each name into its place is faster than sorting them all. */
const maxInserted = 32

export function listingOf({ entries }: DirectoryNode): Dirent[] {
  const listed: Dirent[] = []
  for (const [name, entry] of entries) {
    let index = listed.length
    if (entries.size <= maxInserted) {
      for (let before = listed[index - 1]; before !== undefined && name < before.name; before = listed[index - 1]) {
        listed[index--] = before
      }
    }
    listed[index] = { name, kind: entryKind(entry) }
  }
  return entries.size <= maxInserted ? listed : listed.sort((a, b) => (a.name < b.name ? -1 : 1))
}
