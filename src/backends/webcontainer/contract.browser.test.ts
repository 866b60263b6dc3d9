// Both contracts in a real page, with the published client and the stand-in in a frame of its own.

import { afterAll, describe, expect, it, test } from 'vitest'
import { emptyBackend } from '../../testing/webcontainer/contract-backend.ts'
import { restrictedShellDeviations, webContainerDeviations } from '../../testing/webcontainer/deviations.ts'
import { openPageTwin } from '../../testing/webcontainer/page-twin.ts'
import { containerHarness } from '../../testing/webcontainer/shell-harness.ts'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase } from '../../testing/shell-contract/contract.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'

const seed = 5
const host = openPageTwin({ seed, off: ['failing-boots'] })

afterAll(async () => {
  ;(await host).teardown()
})

describe(`the filesystem of a WebContainer keeps the contract (stand-in, seed ${seed})`, () => {
  for (const row of vfsContractRows(() => emptyBackend(host), { deviations: webContainerDeviations })) {
    test.skipIf(row.isSkipped)(row.name, row.run)
  }
})

describe(`the shell of a WebContainer keeps the contract (stand-in, seed ${seed})`, () => {
  it.each(shellCases)('$name', async shellCase => {
    expect(await judgeShellCase(shellCase, () => containerHarness(host), restrictedShellDeviations)).toEqual([])
  })
})
