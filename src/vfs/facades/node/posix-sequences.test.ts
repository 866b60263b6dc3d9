// Random calls that change names, links, modes, owners and times: the same results as Linux, the same tree, and the same times moved. A
// failure names its seed and call.
import { test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import type { FsSubject } from '../../../testing/node-fs-subjects.ts'
import { plantPosix, posixCall, type PosixRun } from '../../../testing/posix-calls.ts'
import { createRandom } from '../../../testing/random.ts'

const callsEach = 30

async function prepare({ fs, root }: FsSubject): Promise<{ readonly run: PosixRun; readonly end: () => Promise<void> }> {
  const run: PosixRun = { fs, root: `${root}/r` }
  plantPosix(run)
  return { run, end: async () => {} }
}

test.runIf(canCompare).each(Array.from({ length: seeds({ quick: 2, deep: 60 }) }, (_, index) => index + 1))(
  'calls of seed %i (needs root)',
  async seed => {
    const random = createRandom(seed)
    const calls = Array.from({ length: callsEach }, () => posixCall(random))
    // Owners and all bits of modes are stored in memory only.
    await expectAsNode(`seed ${seed}`, calls, prepare, ['memory'])
  },
)
