// What may be done with files that are not to change.

import type { VfsSync } from './backend.ts'

/** The primitives that change nothing, and nothing else at all. */
export function readingPrimitives(sync: VfsSync): Pick<VfsSync, 'lookup' | 'list' | 'read' | 'readlink' | 'realpath'> {
  return {
    lookup: (path, options) => sync.lookup(path, options),
    list: path => sync.list(path),
    read: (path, range) => sync.read(path, range),
    readlink: path => sync.readlink(path),
    realpath: path => sync.realpath(path),
  }
}
