// Whether the files of a workspace outlive its worker, so that a new worker finds them.

import type { BackendRecipe } from '../vfs/backend.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { WireWorkspaceOptions } from './wire.ts'

export async function filesPersist(workspace: Workspace, options: WireWorkspaceOptions): Promise<boolean> {
  const mounts = options.fs?.kind === 'mounts' ? options.fs.mounts.map(([path]) => path) : []
  for (const path of [workspace.root, ...mounts]) {
    // A container belongs to the page, so it outlives the worker.
    if (recipeAt(options.fs, path)?.kind === 'webcontainer') continue
    if (!(await workspace.fs.caps(path)).persistent) return false
  }
  return true
}

/** The recipe of the filesystem that holds `path`. */
function recipeAt(fs: WireWorkspaceOptions['fs'], path: string): BackendRecipe | undefined {
  if (fs?.kind !== 'mounts') return fs?.recipe
  const holding = fs.mounts.filter(([mount]) => mount === '/' || path === mount || path.startsWith(`${mount}/`))
  return holding.toSorted(([a], [b]) => b.length - a.length)[0]?.[1]
}
