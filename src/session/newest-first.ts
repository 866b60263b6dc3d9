// Sorts files by modification time: recently changed files are most likely relevant to the next question.

import { createPauser } from '../core/pause.ts'
import type { VfsPath } from '../core/path.ts'
import { type FileReader, lstatIfThere } from './if-there.ts'
import { lookupAtOnce } from './search-bytes.ts'

/** The number of lookups between two pauses for other work. */
const lookupsPerPause = 256

/** Sorts by modification time, newest first. Files with equal times keep their order, and missing files come last. */
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
