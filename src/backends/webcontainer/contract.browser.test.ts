// Both contracts in a real page with the published client: over the stand-in in a separate frame, or with `WEBCONTAINER=live` over the
// service, where no deviations are declared and every difference is a finding.

import { afterAll, expect, it, test } from 'vitest'
import { emptyBackend } from '../../testing/webcontainer/contract-backend.ts'
import { restrictedShellDeviations, webContainerDeviations } from '../../testing/webcontainer/deviations.ts'
import { evidence, tableDisagreements } from '../../testing/webcontainer/learned-quirks.ts'
import { disagreements, observationsPath, observe, type Observations } from '../../testing/webcontainer/observe.ts'
import { openPageTwin } from '../../testing/webcontainer/page-twin.ts'
import { containerHarness } from '../../testing/webcontainer/shell-harness.ts'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase } from '../../testing/shell-contract/contract.ts'
import { describeUnless } from '../../testing/suites.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'

const seed = 5
const { host, mode, unavailable, observed } = await openPageTwin({ seed, off: ['failing-boots'] })
const isLive = mode === 'live'
const cannot = unavailable !== undefined
const where = unavailable ?? (isLive ? mode : `${mode}, seed ${seed}, ${evidence(observed)}`)

afterAll(async () => {
  if (!cannot) (await host()).teardown()
})

describeUnless(unavailable ?? '', `the filesystem of a WebContainer keeps the contract (${where})`, () => {
  const deviations = isLive ? [] : webContainerDeviations
  for (const row of vfsContractRows(() => emptyBackend(host), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})

describeUnless(unavailable ?? '', `the shell of a WebContainer keeps the contract (${where})`, () => {
  it.each(shellCases)('$name', async shellCase => {
    const deviations = isLive ? [] : restrictedShellDeviations
    expect(await judgeShellCase(shellCase, () => containerHarness(host()), deviations)).toEqual([])
  })
})

describeUnless(unavailable ?? '', `what is written nowhere (${where})`, () => {
  test('every question has an answer', async () => {
    const found = await observe((await host()).container)
    expect(Object.values(found).filter(answer => answer.startsWith('the question failed'))).toEqual([])
    expect(isLive ? await record(found) : []).toEqual([])
  })
})

/** Stores the findings, and returns the differences to the last live run; for the first one, to the built-in table. */
async function record(found: Observations): Promise<readonly string[]> {
  const kept = { at: new Date().toISOString(), browser: navigator.userAgent, answers: found }
  await fetch(observationsPath, { method: 'POST', body: `${JSON.stringify(kept, null, 2)}\n` })
  return observed === undefined ? tableDisagreements(found) : disagreements(observed, found)
}
