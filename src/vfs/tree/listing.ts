// What is in a directory, by name. A directory keeps its names in the order in which they came, which is mostly nearly sorted already.

import type { Dirent } from '../backend.ts'
import { type DirectoryNode, entryKind } from './node.ts'

/** Up to here putting each name into its place is faster than sorting them all. */
const maxInserted = 32

export function listingOf({ entries }: DirectoryNode): Dirent[] {
  const listed: Dirent[] = []
  if (entries.size > maxInserted) {
    let isSorted = true
    let previous = ''
    for (const [name, entry] of entries) {
      if (name < previous) isSorted = false
      previous = name
      listed.push({ name, kind: entryKind(entry) })
    }
    return isSorted ? listed : listed.sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  for (const [name, entry] of entries) {
    let index = listed.length
    for (let before = listed[index - 1]; before !== undefined && name < before.name; before = listed[index - 1]) {
      listed[index--] = before
    }
    listed[index] = { name, kind: entryKind(entry) }
  }
  return listed
}
