// What the package's own worker builds when a page connects: the workspace of `createWorkspace`, from recipes.

import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { cookFileSystem, cookShell } from './recipes.ts'
import type { HostedOptions } from './host.ts'

/** Makes the workspace that a page asks for, from recipes of filesystems and shells. */
export async function buildWorkspace({ fs, containerShell, containers: _ports, ...options }: HostedOptions): Promise<Workspace> {
  if (fs === undefined) {
    throw new AnchorageError(
      'no-filesystem',
      'The page named no filesystem and this worker has none of its own. Next: pass `fs` to connectWorkspace.',
    )
  }
  // Loaded now and not with the script: what fails to load then reaches the page with its reason. A script that fails brings none.
  const { createWorkspace } = await import('../workspace/create-workspace.ts')
  // The filesystem first: a shell over the same container then knows that they share it.
  const cooked = await cookFileSystem(fs)
  return await createWorkspace({
    fs: cooked,
    ...options,
    ...defined({ shell: containerShell && (await cookShell(containerShell)) }),
  })
}
