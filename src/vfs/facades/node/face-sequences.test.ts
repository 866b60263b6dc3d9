// Random calls of the synchronous, callback and promise functions: the same on Node and on the facade over each backend. A failure names
// its seed and call.
import { test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import { faceCall, type FaceRun, plantTree } from '../../../testing/face-calls.ts'
import type { FsSubject } from '../../../testing/node-fs-subjects.ts'
import { createRandom } from '../../../testing/random.ts'

const callsEach = 40

async function prepare({ fs, root }: FsSubject): Promise<{ readonly run: FaceRun; readonly end: () => Promise<void> }> {
  const run: FaceRun = { fs, root, descriptors: [] }
  plantTree(run)
  const end = async (): Promise<void> => {
    for (const descriptor of run.descriptors) fs.closeSync(descriptor)
  }
  return { run, end }
}

test.runIf(canCompare).each(Array.from({ length: seeds({ quick: 4, deep: 300 }) }, (_, index) => index + 1))(
  'calls of seed %i (needs root)',
  async seed => {
    const random = createRandom(seed)
    const calls = Array.from({ length: callsEach }, () => faceCall(random))
    await expectAsNode(`seed ${seed}`, calls, prepare)
  },
)
