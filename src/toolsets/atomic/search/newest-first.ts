// What was edited last is what the next question is most likely about, so a host may have search show it on the first page.

import { createPauser } from '../../../core/pause.ts'
import type { FileSource } from '../../../session/file-source.ts'
import { lstatIfThere } from '../../../session/if-there.ts'
import { lookupAtOnce } from '../../../session/search-bytes.ts'
import type { SearchedFile } from './searched-files.ts'

/** Files of one age stay in their order; what is gone comes last. */
export async function newestFirst(
  files: readonly SearchedFile[],
  source: FileSource,
  signal: AbortSignal,
): Promise<readonly SearchedFile[]> {
  const pause = createPauser()
  const dated: { readonly file: SearchedFile; readonly mtimeMs: number }[] = []
  for (const [index, file] of files.entries()) {
    if (index % 256 === 0) {
      await pause()
      signal.throwIfAborted()
    }
    const stat = source.sync === undefined ? await lstatIfThere(source, file.path) : lookupAtOnce(source.sync, file.path)
    dated.push({ file, mtimeMs: stat?.mtimeMs ?? 0 })
  }
  return dated.sort((a, b) => b.mtimeMs - a.mtimeMs).map(({ file }) => file)
}
