// The filesystem contract over the stand-in, through the published client, in Node.

import { describe, test } from 'vitest'
import { emptyBackend } from '../../testing/webcontainer/contract-backend.ts'
import { webContainerDeviations } from '../../testing/webcontainer/deviations.ts'
import { evidence } from '../../testing/webcontainer/learned-quirks.ts'
import { nodeTwin, recordedObservations } from '../../testing/webcontainer/node-twin.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'

const seed = 7

describe(`the filesystem of a WebContainer keeps the contract (stand-in, seed ${seed}, ${evidence(recordedObservations())})`, () => {
  const host = nodeTwin({ seed, off: ['failing-boots'] })
    .then(client => client.boot())
    .then(container => new ContainerHost(container))
  for (const row of vfsContractRows(() => emptyBackend(() => host), { deviations: webContainerDeviations })) {
    test.skipIf(row.isSkipped)(row.name, row.run)
  }
})
