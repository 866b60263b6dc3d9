// The shell contract over the stand-in, through the published client, in Node.

import { describe, expect, it } from 'vitest'
import { shellCases } from '../../testing/shell-contract/cases.ts'
import { judgeShellCase, unknownDeviations } from '../../testing/shell-contract/contract.ts'
import { containerShellDeviations, restrictedShellDeviations } from '../../testing/webcontainer/deviations.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { containerHarness } from '../../testing/webcontainer/shell-harness.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'

const seed = 11

describe.each([
  { name: 'with every quirk', off: ['failing-boots'], deviations: restrictedShellDeviations, cases: shellCases },
  // Cases from which jsh is excused still have to pass the driver. The others have passed it above.
  {
    name: 'where the shell were a bash',
    off: ['failing-boots', 'restricted-shell', 'unkillable-loops'],
    deviations: containerShellDeviations,
    cases: shellCases.filter(({ name }) => restrictedShellDeviations.some(deviation => deviation.case === name)),
  },
] as const)(`the shell of a WebContainer keeps the contract (stand-in $name, seed ${seed})`, ({ off, deviations, cases }) => {
  const host = nodeTwin({ seed, off })
    .then(client => client.boot())
    .then(container => new ContainerHost(container))

  it.each(cases)('$name', async shellCase => {
    expect(await judgeShellCase(shellCase, () => containerHarness(host), deviations)).toEqual([])
  })

  it('is excused from existing rules only', () => {
    expect(unknownDeviations(shellCases, deviations)).toEqual([])
  })
})
