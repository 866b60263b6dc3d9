// Creates a tree from a host's record of files.

import { childPath, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsSync } from '../../vfs/backend.ts'
import { failure } from '../../vfs/error.ts'
import type { TreeStore } from '../../vfs/tree/store.ts'
import { contentOf, vfsPath } from '../../vfs/input.ts'

/** path → content; `null`, or a path that ends in '/', is an empty directory. Missing parents are created. */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array | null>>

/** `store` with the files. Relative paths are below `root`. Throws `VfsError`: EISDIR, ENOTDIR or EEXIST if two paths conflict. */
export function filled(store: TreeStore, files: MemoryFiles, root: VfsPath, transfer?: boolean): TreeStore {
  const sync = store.fs
  for (const [name, content] of Object.entries(files)) {
    const path = vfsPath(name, 'open', root)
    if (content === null || name.endsWith('/')) {
      if (content?.length) throw failure('EISDIR', 'open', name, 'give null')
      makeDirectories(sync, path)
    } else sync.write(path, contentOf(content, path), { parents: true, transfer })
  }
  return store
}

/** Not the facade's `mkdir -p`, which also works asynchronously: this one is always loaded, and is a tenth of its size. */
function makeDirectories(sync: VfsSync, path: VfsPath): void {
  let directory = rootPath
  for (const name of pathNames(path)) {
    directory = childPath(directory, name)
    try {
      sync.mkdir(directory)
    } catch (error) {
      if (sync.lookup(directory).kind !== 'directory') throw error
    }
  }
}
