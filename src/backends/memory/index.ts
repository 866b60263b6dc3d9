// The default filesystem, and the fastest: a tree without a journal. Its files are lost with the page or the process.

import { AnchorageError } from '../../core/errors.ts'
import { parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { failure } from '../../vfs/error.ts'
import { createTreeStore, type TreeStore } from '../../vfs/tree/store.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import { filled, type MemoryFiles } from './fill.ts'

export type { MemoryFiles } from './fill.ts'

/** Options of `memory`. */
export interface MemoryOptions {
  /** Returns milliseconds since 1970, for the times of files; default the system's clock. A backend with a clock has no recipe. */
  readonly clock?: (() => number) | undefined
  /**
   * The caller gives the arrays in `files` away: they are taken and not copied, and are empty afterwards (see `WriteOptions.transfer`).
   * A worker that makes this filesystem receives copies, so that it can be replaced.
   */
  readonly transfer?: boolean | undefined
}

/**
 * A filesystem in memory. Absolute paths are used unchanged; relative ones are below the workspace's root.
 *
 * ```ts
 * const workspace = await createWorkspace({ fs: memory({ 'src/a.ts': 'export const a = 1\n', 'empty/': null }) })
 * ```
 *
 * It is created on first use and not here, so a page that only sends its `recipe` to a worker pays nothing. Changes made on the page do not
 * reach the worker. A file that cannot be created (`a` and `a/b` are both files) fails each operation with that `VfsError`.
 */
export function memory(files: MemoryFiles = {}, options: MemoryOptions = {}): VfsBackend {
  // Lists, maps and promises do not have paths as their keys.
  if (Object(files) !== files || Object(options) !== options || Symbol.iterator in files || files instanceof Promise)
    throw failure('EINVAL', 'memory', 'files', 'give an object')
  let root: VfsPath = rootPath
  let built: TreeStore | undefined
  const store = (): TreeStore => (built ??= filled(createTreeStore(options.clock ?? Date.now), files, root, options.transfer))
  return treeBackend(store, {
    memoryOptions: options,
    ...(!options.clock && { recipe: { kind: 'memory', files } }),
    placeFiles(path) {
      if (built === undefined) root = parsePath(path)
      else if (path !== root && Object.keys(files).some(name => name[0] !== '/')) {
        throw new AnchorageError('files-placed', `The root is '${root}': give absolute paths`)
      }
    },
  })
}
