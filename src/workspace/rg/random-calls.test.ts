// Random calls on random trees, beside ripgrep 15: the same output, byte for byte, the same exit code, and standard
// error if ripgrep has some. A failure names its seed;
// `RG_SEED=7 npx vitest run --project node src/workspace/rg/random-calls.test.ts` runs that one alone.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { declaredDifference, isRefused, mayStaySilent } from '../../testing/ripgrep/declared-differences.ts'
import { pinnedRipgrep } from '../../testing/ripgrep/pinned-ripgrep.ts'
import { randomCall } from '../../testing/ripgrep/random-call.ts'
import { linePatterns } from '../../testing/ripgrep/random-patterns.ts'
import { randomTree } from '../../testing/ripgrep/random-tree.ts'
import { inMemory, onDisk, ours, theirs } from '../../testing/ripgrep/run-both.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const ripgrep = await pinnedRipgrep()
const callsOfTree = 20

async function compare(random: Random): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rg-random-'))
  try {
    const root = join(directory, 't')
    const tree = randomTree(random, linePatterns)
    onDisk(tree, root)
    const workspace = await inMemory(tree, root)
    for (let index = 0; index < callsOfTree; index++) {
      const call = randomCall(random, tree, root)
      // Half of the calls have an index of all files that an earlier one listed.
      if (index % 2 === 1) await (await workspace.index()).settled()
      const own = await ours(workspace, call)
      const other = theirs(ripgrep ?? '', root, call)
      const isTooMuch = other.exitCode === -1
      if (isTooMuch || isRefused(own) || declaredDifference(call, tree) !== undefined) continue
      const stderr = mayStaySilent(call) || (own.stderr === '') === (other.stderr === '') ? own.stderr : other.stderr
      expect(own, `${JSON.stringify({ ...call, tree })}\n${own.stderr}${other.stderr}`).toEqual({ ...other, stderr })
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describeUnless(whyNotInstalled(ripgrep, 'ripgrep 15 of npm'), 'random calls of rg', () => {
  test('print what ripgrep prints', async () => {
    const only = process.env['RG_SEED']
    await forSeeds(seeds({ quick: 5, deep: 400 }), compare, only === undefined ? undefined : Number(only))
  })
})
