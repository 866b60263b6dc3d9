// What real git believes of an index that this git wrote, for a file that changed within the second in which the index was written.

import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, expect, it } from 'vitest'

import { GitTwins, hasGit } from '../../testing/git-twins.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const second = 1_600_000_000

describeUnless(whyNotInstalled(hasGit, 'git'), 'an index', () => {
  let twins: GitTwins | undefined
  afterEach(() => {
    twins?.dispose()
  })

  it('leaves no file that changed in its second looking unchanged to a git that compares seconds', async () => {
    twins = new GitTwins()
    // Nobody can set the time of a change of stats, so it does not count.
    twins.prepare('git init -q -b main . && git config core.trustctime false && echo one > a && touch b')
    const [a, index] = [join(twins.root, 'ours', 'a'), join(twins.root, 'ours', '.git', 'index')]
    utimesSync(a, second, second + 0.1)
    twins.runReal(['add', 'a'], 'ours')
    utimesSync(index, second, second + 0.2)
    writeFileSync(a, 'two\n')
    utimesSync(a, second, second + 0.3)
    await twins.runOurs(['add', 'b'])
    expect(statSync(index).mtimeMs).toBeGreaterThan(second * 1000 + 1000)
    expect(twins.runReal(['status', '--porcelain'], 'ours').stdout).toBe('AM a\nA  b\n')
  })
})
