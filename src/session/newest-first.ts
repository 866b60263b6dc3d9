// The files that were changed last are those that the next question is most likely about.

import { createPauser } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import { type FileReader, lstatIfThere } from './if-there.ts'
import { lookupAtOnce } from './search-bytes.ts'

/** Times looked up between two chances for others to run. */
const lookupsPerPause = 256

/** Sorts by the time of the last change. Files of one time stay in their order; those that are gone come last. */
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
