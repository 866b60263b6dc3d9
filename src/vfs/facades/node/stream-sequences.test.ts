// Random streams: the same events, content and files on Node and on the facade over each backend. A failure names its seed and call.
import { test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import type { FsSubject } from '../../../testing/node-fs-subjects.ts'
import { createRandom } from '../../../testing/random.ts'
import { streamCall, type StreamRun } from '../../../testing/stream-calls.ts'

const callsEach = 20

async function prepare({ fs, root }: FsSubject): Promise<{ readonly run: StreamRun; readonly end: () => Promise<void> }> {
  return { run: { fs, root }, end: async () => {} }
}

test.runIf(canCompare).each(Array.from({ length: seeds({ quick: 2, deep: 150 }) }, (_, index) => index + 1))(
  'streams of seed %i (needs root)',
  async seed => {
    const random = createRandom(seed)
    const calls = Array.from({ length: callsEach }, () => streamCall(random))
    await expectAsNode(`seed ${seed}`, calls, prepare)
  },
)
