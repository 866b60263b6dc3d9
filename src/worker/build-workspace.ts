// What the package's own worker builds when a page connects: the workspace of `createWorkspace`, from recipes.

import { AnchorageError } from '../core/errors.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { cookFileSystem } from './recipes.ts'
import type { WireWorkspaceOptions } from './wire.ts'

export async function buildWorkspace({ fs, ...options }: WireWorkspaceOptions): Promise<Workspace> {
  if (fs === undefined) {
    throw new AnchorageError(
      'no-filesystem',
      'The page named no filesystem and this worker has none of its own. Next: pass `fs` to connectWorkspace.',
    )
  }
  // Loaded now and not with the script: what fails to load then reaches the page with its reason. A script that fails brings none.
  const { createWorkspace } = await import('../workspace/create-workspace.ts')
  return await createWorkspace({ fs: await cookFileSystem(fs), ...options })
}
