// Reads several files for one request of a script, synchronously and thus consistently. Only files that are available without
// waiting are included.

import { dirname, parsePath, type VfsPath } from '../../core/path.ts'
import type { Stat, VfsSync } from '../../vfs/backend.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { Place, PlaceAnswer } from './places.ts'
import type { AheadKind, AheadOf, ContentAhead, FilesAhead } from './read-ahead.ts'

/** A larger file must be requested separately. */
const maxFileBytes = 16 * 1024
const maxAnswerBytes = 64 * 1024
/** The names of a larger directory are not sent, because the answer would take longer than the questions that it saves. */
const maxNames = 10_000

export function readAhead<K extends AheadKind>(sync: VfsSync | undefined, of: K, texts: readonly string[]): FilesAhead<K> {
  const paths = texts.map(text => parsePath(text))
  const [first] = paths
  if (sync === undefined || first === undefined || !isReal(sync, dirname(first))) return []
  // Each kind of request has one kind of answer, as the table of readers declares.
  return readers[of](sync, paths) as FilesAhead<K>
}

export function placeAhead(sync: VfsSync | undefined, text: string, withNames: boolean): PlaceAnswer {
  const path = parsePath(text)
  if (sync === undefined || !isReal(sync, dirname(path))) return { place: 'unknown' }
  const place = placeAt(sync, path)
  if (!withNames || place === 'unknown') return { place }
  const names = atHand(() => sync.list(dirname(path)))?.map(({ name }) => name)
  return { place, ...(names === undefined || names.length > maxNames ? {} : { names }) }
}

function placeAt(sync: VfsSync, path: VfsPath): Place {
  try {
    const stat = sync.lookup(path, { follow: false })
    return stat.kind === 'symlink' ? 'unknown' : stat
  } catch (error) {
    if (!isVfsError(error)) throw error
    return error.code === 'ENOENT' ? 'free' : 'unknown'
  }
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
      // A named pipe has a stat but must not be read.
      const bytes = isSmall ? atHand(() => sync.read(path)) : null
      found.push(isSmall && bytes !== null ? { rev: stat.rev, bytes } : null)
    }
    return found
  },
}

/** Returns null for a file with several hard links, because a change through another link would not be noticed. */
function statAhead(sync: VfsSync, path: VfsPath): Stat | null {
  const stat = atHand(() => sync.lookup(path, { follow: false }))
  return stat?.kind === 'symlink' || (stat?.kind === 'file' && stat.nlink > 1) ? null : stat
}

function isReal(sync: VfsSync, directory: VfsPath): boolean {
  return atHand(() => sync.realpath(directory)) === directory
}

/** Returns `null` if the filesystem throws. A separate request then reports the error. */
function atHand<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if (isVfsError(error)) return null
    throw error
  }
}
