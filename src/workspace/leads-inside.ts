// For adapters that open paths of an agent through the host's own files: those are bound by no root, so the adapter has to judge.

import { ToolError } from '../core/errors.ts'
import { parsePath } from '../core/path.ts'
import { createPathResolver } from '../session/resolve-path.ts'
import type { Vfs } from '../vfs/vfs.ts'

/** Whether an absolute path lies below the root once every '..' and symbolic link in it is followed, also one to a missing file. */
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
