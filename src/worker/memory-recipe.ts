import { wrongArgument } from '../core/errors.ts'
import { isRecord, isTable } from '../core/record.ts'
import type { MemoryFiles } from '../backends/memory/fill.ts'
import type { BackendRecipe } from '../vfs/backend.ts'

/** Files that the worker creates in its memory. */
export interface MemoryRecipe {
  readonly recipe: BackendRecipe
}

/**
 * Files in the worker's memory, for `connectWorkspace`. Absolute paths are used unchanged; relative ones are below the
 * workspace's root.
 *
 * ```ts
 * const workspace = await connectWorkspace(createWorker, { fs: memory({ 'src/a.ts': 'export const a = 1\n', 'empty/': null }) })
 * ```
 *
 * This is only the description, a few bytes of code. `memory` of `anchorage/fs/memory` is the filesystem itself, which a page
 * needs for `createWorkspace`, and to combine it with others (`overlay`, `readonly`).
 */
export function memory(files: MemoryFiles = {}, ...others: readonly never[]): MemoryRecipe {
  if (isRecord(others[0])) throw wrongArgument('memory of anchorage/client takes no options. Next: leave them out.')
  if (!isTable(files)) throw wrongArgument('memory: the files must be an object of paths and contents.')
  return { recipe: { kind: 'memory', files } }
}
