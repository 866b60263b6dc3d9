// Random histories, compared with real git. `GIT_SEED=17` runs one of them.

import { expect, it } from 'vitest'

import { isDeep, seeds } from '../testing/depth.ts'
import { hasGit } from '../testing/git-twins.ts'
import { GitWalk } from '../testing/git-walk.ts'
import { forSeeds } from '../testing/random.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'

const only = process.env['GIT_SEED'] === undefined ? undefined : Number(process.env['GIT_SEED'])
const steps = Number(process.env['GIT_STEPS'] ?? (isDeep ? 60 : 30))

describeUnless(whyNotInstalled(hasGit, 'git'), 'random histories', () => {
  it('are the same as those of real git, and each reads what the other wrote', async () => {
    let count = 0
    await forSeeds(
      seeds({ quick: 1, deep: 500 }),
      async (random, seed) => {
        const walk = new GitWalk(random, seed % 2 === 0 ? 'mixed' : 'ours')
        try {
          await walk.run(steps)
        } finally {
          walk.dispose()
        }
        count++
      },
      only,
    )
    expect(count).toBeGreaterThan(0)
  }, 3_600_000)
})
