// A command that was ended writes nothing after its result, whenever it is ended: while it starts, while it waits, while it writes, or when
// it has ended. Its files are checked in the container itself.

import { afterAll, describe, expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { delay } from '../../testing/webcontainer/quirks.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom } from '../../testing/random.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { memory } from '../memory/index.ts'
import { webcontainer } from './index.ts'
import { webcontainerShell } from './shell.ts'

const seedsEach = seeds({ quick: 20, deep: 100 })
/** This many at a time, because most of a run is waiting. */
const together = 10
const quietMs = 60

const hosts: ContainerHost[] = []
afterAll(() => {
  for (const host of hosts) host.teardown()
})

async function boot(seed: number): Promise<ContainerHost> {
  const client = await nodeTwin({ seed, off: ['failing-boots', 'restricted-shell'] })
  const host = new ContainerHost(await client.boot())
  hosts.push(host)
  return host
}

/** The content of `name` in the container, if it exists. */
async function held(host: ContainerHost, name: string): Promise<string> {
  const { fs } = host.container
  return (await fs.readdir('.')).includes(name) ? await fs.readFile(name, 'utf-8') : 'nothing'
}

describe.each([
  { subject: 'files of the container', isShared: true, from: 1 },
  { subject: 'files that are copied in and out', isShared: false, from: 101 },
])('$subject', ({ isShared, from }) => {
  test(`seeds ${from} to ${from + seedsEach - 1}`, async () => {
    const host = await boot(81)
    const source = { connect: () => host.connect() }
    const fs = createVfs(isShared ? webcontainer(source) : memory())
    await fs.stat('/')
    const shell = await webcontainerShell(source, { files: isShared ? 'shared' : 'synced' })({ fs, root: parsePath('/') })
    const ended = { aborted: 0, 'timed-out': 0, finished: 0 }

    const oneRun = async (seed: number): Promise<void> => {
      const random = createRandom(seed)
      const name = `written-${seed}`
      const pauseSeconds = random.below(60) / 1000
      const script = `echo begun > ${name}; for i in 1 2 3 4 5; do sleep ${pauseSeconds}; echo $i >> ${name}; done`
      const endAfterMs = random.below(250)
      const isTimeout = random.chance(1 / 2)
      const controller = new AbortController()
      const timer = isTimeout ? undefined : setTimeout(() => controller.abort(new Error('enough')), endAfterMs)
      const how = await runCommand(
        shell,
        { kind: 'script', script },
        {
          maxCaptureBytes: 1024,
          timeoutMs: isTimeout ? Math.max(1, endAfterMs) : 20_000,
          ...(isTimeout ? {} : { signal: controller.signal }),
        },
      ).then(
        outcome => (outcome.exit.kind === 'timed-out' ? ('timed-out' as const) : ('finished' as const)),
        (): 'aborted' => 'aborted',
      )
      clearTimeout(timer)
      ended[how]++
      const atAnswer = [await held(host, name), (await fs.exists(`/${name}`)) ? await fs.readText(`/${name}`) : 'nothing']
      await delay(quietMs)
      const later = [await held(host, name), (await fs.exists(`/${name}`)) ? await fs.readText(`/${name}`) : 'nothing']
      expect(later, `seed ${seed}, ${how} after ${endAfterMs} ms`).toEqual(atAnswer)
    }

    for (let first = from; first < from + seedsEach; first += together) {
      await Promise.all(Array.from({ length: together }, (_, index) => oneRun(first + index)))
    }
    // Otherwise the seeds prove nothing.
    expect(ended.aborted, JSON.stringify(ended)).toBeGreaterThan(seedsEach / 10)
    expect(ended['timed-out'], JSON.stringify(ended)).toBeGreaterThan(seedsEach / 20)
    await shell.dispose()
  })
})
