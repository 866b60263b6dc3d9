// Random sequences of calls on open handles: the same on Node and on the facade over each backend. A failure names its seed and step.
import { test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import { handleStep, type HandleRun } from '../../../testing/handle-steps.ts'
import type { FsSubject } from '../../../testing/node-fs-subjects.ts'
import { createRandom } from '../../../testing/random.ts'

const stepsEach = 30

async function prepare({ fs, root }: FsSubject): Promise<{ readonly run: HandleRun; readonly end: () => Promise<void> }> {
  await fs.promises.mkdir(`${root}/d`)
  await fs.promises.writeFile(`${root}/f`, '0123456789')
  await fs.promises.writeFile(`${root}/d/h`, 'one\ntwo\r\nthree')
  await fs.promises.symlink('f', `${root}/l`)
  const run: HandleRun = { fs, root, handles: [] }
  const end = async (): Promise<void> => {
    for (const handle of run.handles) await handle?.close()
  }
  return { run, end }
}

test.runIf(canCompare).each(Array.from({ length: seeds({ quick: 3, deep: 150 }) }, (_, index) => index + 1))(
  'calls of seed %i (needs root)',
  async seed => {
    const random = createRandom(seed)
    const steps = Array.from({ length: stepsEach }, () => handleStep(random))
    await expectAsNode(`seed ${seed}`, steps, prepare)
  },
)
