// Random calls that change names, links, modes, owners and times: the same results as Linux, the same tree, and the same times moved. A
// failure names its seed and call.
import { test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import { facadeNames, type FsSubject } from '../../../testing/node-fs-subjects.ts'
import {
  everyChoice,
  plainChoice,
  plantPosix,
  posixCall,
  type PosixChoice,
  type PosixCall,
  type PosixRun,
} from '../../../testing/posix-calls.ts'
import { createRandom } from '../../../testing/random.ts'

const callsEach = 30

const prepare =
  (choice: PosixChoice) =>
  async ({ fs, root }: FsSubject): Promise<{ readonly run: PosixRun; readonly end: () => Promise<void> }> => {
    const run: PosixRun = { fs, root: `${root}/r` }
    plantPosix(run, choice)
    return { run, end: async () => {} }
  }

const rows = Array.from({ length: seeds({ quick: 2, deep: 60 }) }, (_, index) => index + 1)
const calls = (seed: number, choice: PosixChoice): readonly PosixCall[] => {
  const random = createRandom(seed)
  return Array.from({ length: callsEach }, () => posixCall(random, choice))
}

test.runIf(canCompare).each(rows)('calls of seed %i (needs root)', async seed => {
  const choices = { memory: everyChoice, memfs: plainChoice, node: plainChoice } as const
  for (const name of facadeNames) {
    const choice = choices[name]
    await expectAsNode(`seed ${seed}`, calls(seed, choice), prepare(choice), [name])
  }
})
