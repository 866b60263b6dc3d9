// Creates the workspace in the package's worker when a page connects: that of `createWorkspace`, from recipes.

import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { asRecord } from './checks.ts'
import { cookFileSystem, cookShell } from './recipes.ts'
import type { HostedOptions } from './hosted.ts'

/** Creates the workspace that a page asks for, from recipes of filesystems and shells. */
export async function buildWorkspace(given: HostedOptions): Promise<Workspace> {
  asRecord(given, 'the argument of buildWorkspace')
  const { fs, containerShell, containers: _ports, ...options } = given
  if (fs === undefined) {
    throw new AnchorageError(
      'no-filesystem',
      'The page did not pass a filesystem, and this worker has none. Next: pass `fs` to connectWorkspace.',
    )
  }
  // Loaded here and not with the script: if loading fails, the page gets the reason. If the script itself fails, it does not.
  const { createWorkspace } = await import('../workspace/create-workspace.ts')
  // The filesystem first, so that a shell over the same container knows that both share it.
  const cooked = await cookFileSystem(fs)
  return await createWorkspace({
    fs: cooked,
    ...options,
    ...defined({ shell: containerShell && (await cookShell(containerShell)) }),
  })
}
