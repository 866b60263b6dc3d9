// The shell contract over the stand-in, through the published client, in Node.

import { describe, expect, it } from 'vitest'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase, unknownDeviations } from '../../testing/shell-contract/contract.ts'
import { webContainerShellDeviations } from '../../testing/webcontainer/deviations.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { containerHarness } from '../../testing/webcontainer/shell-harness.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'

const seed = 11

describe(`the shell of a WebContainer keeps the contract (stand-in, seed ${seed})`, () => {
  const host = nodeTwin({ seed, off: ['failing-boots'] })
    .then(client => client.boot())
    .then(container => new ContainerHost(container))

  it.each(shellCases)('$name', async shellCase => {
    expect(await judgeShellCase(shellCase, () => containerHarness(host), webContainerShellDeviations)).toEqual([])
  })

  it('is excused from existing rules only', () => {
    expect(unknownDeviations(shellCases, webContainerShellDeviations)).toEqual([])
  })
})
