// For adapters that open an agent's paths through the host's own files: those are not limited to the root, so the adapter must
// check each path.

import { ToolError } from '../core/errors.ts'
import { parsePath } from '../core/path.ts'
import { createPathResolver } from '../session/resolve-path.ts'
import type { Vfs } from '../vfs/vfs.ts'

/** Whether an absolute path is below the root after every '..' and symbolic link in it is resolved, even if the file is missing. */
export async function leadsInside(fs: Vfs, root: string, path: string): Promise<boolean> {
  const resolver = createPathResolver(fs, parsePath(await fs.realpath(root)))
  try {
    await resolver.resolve(path)
    return true
  } catch (error) {
    if (error instanceof ToolError && error.code === 'path-outside-root') return false
    throw error
  }
}
