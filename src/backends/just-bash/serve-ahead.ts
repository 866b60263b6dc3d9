// Reads several files for a script with one question: at one moment, and only what is at hand without waiting.

import { dirname, parsePath, type VfsPath } from '../../core/path.ts'
import type { Stat, VfsSync } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { AheadKind, AheadOf, ContentAhead, FilesAhead } from './read-ahead.ts'

/** A larger file is asked for by itself. */
const maxFileBytes = 16 * 1024
const maxAnswerBytes = 64 * 1024

export function readAhead<K extends AheadKind>(sync: VfsSync | undefined, of: K, texts: readonly string[]): FilesAhead<K> {
  const paths = texts.map(text => parsePath(text))
  const [first] = paths
  if (sync === undefined || first === undefined || !isReal(sync, dirname(first))) return []
  // One kind of answer for each kind of question, which the type of the table says.
  return readers[of](sync, paths) as FilesAhead<K>
}

const readers: { readonly [K in AheadKind]: (sync: VfsSync, paths: readonly VfsPath[]) => readonly (AheadOf[K] | null)[] } = {
  stats: (sync, paths) => paths.map(path => statAhead(sync, path)),
  contents: (sync, paths) => {
    const found: (ContentAhead | null)[] = []
    let sizeBytes = 0
    for (const path of paths) {
      const stat = statAhead(sync, path)
      const isSmall = stat?.kind === 'file' && stat.sizeBytes <= maxFileBytes
      if (isSmall && (sizeBytes += stat.sizeBytes) > maxAnswerBytes) break
      found.push(isSmall ? { rev: stat.rev, bytes: sync.read(path) } : null)
    }
    return found
  },
}

/** Not of what has several names: a change under another one would not be noticed. */
function statAhead(sync: VfsSync, path: VfsPath): Stat | null {
  try {
    const stat = sync.lookup(path, { follow: false })
    return stat.kind === 'symlink' || (stat.kind === 'file' && stat.nlink > 1) ? null : stat
  } catch (error) {
    if (isVfsError(error)) return null
    throw error
  }
}

function isReal(sync: VfsSync, directory: VfsPath): boolean {
  try {
    return sync.realpath(directory) === directory
  } catch (error) {
    if (isVfsError(error)) return false
    throw error
  }
}
