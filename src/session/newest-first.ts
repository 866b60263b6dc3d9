// The files that were changed last are most likely the ones that the next question is about.

import { createPauser } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import { type FileReader, lstatIfThere } from './if-there.ts'
import { lookupAtOnce } from './search-bytes.ts'

/** Lookups between two pauses in which other work can run. */
const lookupsPerPause = 256

/** Sorts by the time of the last change. Files with equal times keep their order; missing files come last. */
export async function newestFirst<F extends { readonly path: VfsPath }>(
  files: readonly F[],
  source: FileReader,
  signal: AbortSignal,
): Promise<readonly F[]> {
  const pause = createPauser()
  const dated: { readonly file: F; readonly mtimeMs: number }[] = []
  for (const [index, file] of files.entries()) {
    if (index % lookupsPerPause === 0) {
      await pause()
      signal.throwIfAborted()
    }
    const stat = source.sync === undefined ? await lstatIfThere(source, file.path) : lookupAtOnce(source.sync, file.path)
    dated.push({ file, mtimeMs: stat?.mtimeMs ?? 0 })
  }
  return dated.sort((a, b) => b.mtimeMs - a.mtimeMs).map(({ file }) => file)
}
