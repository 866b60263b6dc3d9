// The shell contract over the stand-in: the workspace's files are the container's, as when both are used together.

import { parsePath } from '../../core/path.ts'
import { webcontainer } from '../../backends/webcontainer/index.ts'
import { webcontainerShell } from '../../backends/webcontainer/shell.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { ContainerHost } from '../../worker/webcontainer-host.ts'
import type { ShellHarness } from '../shell-contract/contract.ts'
import { harnessOver } from '../shell-contract/vfs-harness.ts'
import { emptyContainer } from './contract-backend.ts'

const root = parsePath('/workspace')

export async function containerHarness(host: Promise<ContainerHost>): Promise<ShellHarness> {
  const ready = await host
  await emptyContainer(ready)
  const source = { connect: () => ready.connect() }
  const backend = webcontainer(source)
  const fs = createVfs(backend)
  await fs.mkdir(root, { recursive: true })
  const harness = await harnessOver(fs, webcontainerShell(source))
  return {
    ...harness,
    async close() {
      await harness.close()
      await backend.close()
    },
  }
}
