// The hash of a whole file, read in pieces, so that a large file is never in memory as a whole.

import { type HashName, hashNames, openHasher } from '../../core/hasher.ts'
import type { VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../backend.ts'
import { VfsError } from '../error.ts'
import { hashOptionNames, needOptions } from '../input.ts'
import type { HashOptions } from '../vfs.ts'

const pieceBytes = 1024 * 1024

/** A file may be written between two pieces; then its hash is computed again. */
const maxAttempts = 5

/** Hashes one revision of the file: ESTALE if it changes during every attempt. Rejects with `signal.reason` between two pieces. */
export async function hashFile(backend: VfsBackend, path: VfsPath, name: HashName, options: HashOptions = {}): Promise<string> {
  needOptions(options, 'hash', hashOptionNames)
  const { signal } = options
  if (!hashNames.includes(name))
    throw new VfsError('EINVAL', 'hash', { path, hint: `the algorithm must be ${hashNames.join(' or ')}` })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    signal?.throwIfAborted()
    const { rev, sizeBytes } = await backend.lookup(path)
    const hasher = await openHasher(name)
    if (hasher === undefined) {
      throw new VfsError('ENOTSUP', 'hash', {
        path,
        hint: `${name} needs WebAssembly, which cannot be compiled here; use sha256`,
      })
    }
    // A filesystem without ranges would read the whole file for each piece.
    const stepBytes = (backend.capsAt?.(path) ?? backend.caps).ranges ? pieceBytes : Infinity
    for (let start = 0; start === 0 || start < sizeBytes; start += stepBytes) {
      if (start > 0) await nextTask()
      signal?.throwIfAborted()
      hasher.update(await backend.read(path, stepBytes === Infinity ? undefined : { start, end: start + stepBytes }))
    }
    if ((await backend.lookup(path)).rev === rev) return hasher.digest()
  }
  throw new VfsError('ESTALE', 'hash', { path, hint: 'it changed during every attempt to read it; try again later' })
}

/** Lets the thread receive an abort and do other work. */
function nextTask(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 0)
  })
}
