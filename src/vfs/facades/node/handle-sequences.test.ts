// Random sequences of calls on open handles: the same on Node and on the facade over each backend. A failure names its seed and step.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { handleStep, type HandleRun, type HandleStep } from '../../../testing/handle-steps.ts'
import { comparableAnswer, facadeNames, facadeSubject, type FsSubject, realSubject } from '../../../testing/node-fs-subjects.ts'
import { createRandom } from '../../../testing/random.ts'

const stepsEach = 30

async function answers({ fs, root }: FsSubject, steps: readonly HandleStep[]): Promise<readonly unknown[]> {
  await fs.promises.mkdir(`${root}/d`)
  await fs.promises.writeFile(`${root}/f`, '0123456789')
  await fs.promises.writeFile(`${root}/d/h`, 'one\ntwo\r\nthree')
  await fs.promises.symlink('f', `${root}/l`)
  const run: HandleRun = { fs, root, handles: [] }
  const given: unknown[] = []
  try {
    for (const step of steps) given.push(comparableAnswer(await answerOf(step, run), root))
  } finally {
    for (const handle of run.handles) await handle?.close()
  }
  return given
}

async function answerOf(step: HandleStep, run: HandleRun): Promise<unknown> {
  try {
    return await step.act(run)
  } catch (error) {
    return error
  }
}

const isLinux = process.platform === 'linux'
if (!isLinux) console.warn('calls on handles are not compared with Node: errors have the numbers of Linux')

test.runIf(isLinux).each(Array.from({ length: seeds({ quick: 3, deep: 150 }) }, (_, index) => index + 1))(
  'calls of seed %i (needs Linux)',
  async seed => {
    const random = createRandom(seed)
    const steps = Array.from({ length: stepsEach }, () => handleStep(random))
    const real = realSubject()
    try {
      const expected = await answers(real, steps)
      for (const name of facadeNames) {
        const subject = await facadeSubject(name, real.root)
        try {
          const found = await answers(subject, steps)
          const index = steps.findIndex((_, at) => !isDeepStrictEqual(found[at], expected[at]))
          const before = steps.slice(0, index + 1).map(({ text }) => text)
          expect.soft(found[index], `${name}, seed ${seed}:\n${before.join('\n')}`).toEqual(expected[index])
        } finally {
          await subject.dispose()
        }
      }
    } finally {
      await real.dispose()
    }
  },
)
