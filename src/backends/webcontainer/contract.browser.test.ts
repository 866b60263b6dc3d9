// Both contracts in a real page with the published client: over the stand-in in a frame of its own, or with `WEBCONTAINER=live` over the
// service, where nothing is declared and everything that differs is a finding.

import { afterAll, describe, expect, it, test } from 'vitest'
import { emptyBackend } from '../../testing/webcontainer/contract-backend.ts'
import { restrictedShellDeviations, webContainerDeviations } from '../../testing/webcontainer/deviations.ts'
import { disagreements, observationsPath, observe, type Observations } from '../../testing/webcontainer/observe.ts'
import { openPageTwin } from '../../testing/webcontainer/page-twin.ts'
import { containerHarness } from '../../testing/webcontainer/shell-harness.ts'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase } from '../../testing/shell-contract/contract.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'

const seed = 5
const twin = await openPageTwin({ seed, off: ['failing-boots'] })

describe.runIf(twin.kind === 'skipped')('WebContainer', () => {
  test.skip(twin.kind === 'skipped' ? twin.reason : '', () => {})
})

if (twin.kind !== 'skipped') {
  const { host, kind } = twin
  const isLive = kind === 'live'

  afterAll(async () => {
    ;(await host).teardown()
  })

  describe(`the filesystem of a WebContainer keeps the contract (${kind}, seed ${seed})`, () => {
    const deviations = isLive ? [] : webContainerDeviations
    for (const row of vfsContractRows(() => emptyBackend(host), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
  })

  describe(`the shell of a WebContainer keeps the contract (${kind}, seed ${seed})`, () => {
    it.each(shellCases)('$name', async shellCase => {
      const deviations = isLive ? [] : restrictedShellDeviations
      expect(await judgeShellCase(shellCase, () => containerHarness(host), deviations)).toEqual([])
    })
  })

  describe('what is written nowhere', () => {
    test('is asked', async () => {
      const found = await observe((await host).container)
      expect(Object.values(found).filter(answer => answer.startsWith('the question failed'))).toEqual([])
      if (!isLive) return
      const text = await (await fetch(observationsPath)).text()
      const before = text === '' ? undefined : (JSON.parse(text) as { readonly answers: Observations })
      const record = { at: new Date().toISOString(), browser: navigator.userAgent, answers: found }
      await fetch(observationsPath, { method: 'POST', body: `${JSON.stringify(record, null, 2)}\n` })
      expect(before === undefined ? [] : disagreements(before.answers, found)).toEqual([])
    })
  })
}
