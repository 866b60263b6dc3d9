// A command that was ended writes nothing after its result, whenever it is ended.

import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { runCommand } from '../../../shell/run.ts'
import { seeds } from '../../../testing/depth.ts'
import { createRandom } from '../../../testing/random.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { node } from '../index.ts'
import { nodeShell } from './index.ts'

const runs = seeds({ quick: 6, deep: 400 })
const atOnce = 10

it(`${runs} commands, aborted or timed out at any moment (seeds 1 to ${runs})`, async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'endings-')))
  const shell = await nodeShell({ directory })({ fs: createVfs(node(directory)), root: parsePath('/') })
  const sizeOf = (name: string): Promise<number> =>
    stat(join(directory, name)).then(
      ({ size }) => size,
      () => 0,
    )
  let written = 0
  const check = async (seed: number): Promise<void> => {
    const random = createRandom(seed)
    const file = `f${seed}`
    const loop = random.pick([
      `while :; do echo x >> ${file}; done`,
      `(while :; do echo x >> ${file}; sleep 0.001; done) & wait`,
      `(trap '' TERM; while :; do echo x >> ${file}; done) & wait`,
      `trap '' TERM; while :; do echo x >> ${file}; done`,
      `yes x | while read l; do echo $l >> ${file}; done`,
    ])
    const endsAfterMs = random.below(150)
    const controller = new AbortController()
    const isAbort = random.chance(0.5)
    const running = runCommand(
      shell,
      { kind: 'script', script: loop },
      {
        maxCaptureBytes: 1000,
        killGraceMs: 300,
        ...(isAbort ? { signal: controller.signal } : { timeoutMs: endsAfterMs + 1 }),
      },
    )
    // Where the machine is slow, the time alone would end all of them before their first write.
    if (isAbort && random.chance(0.5)) await expect.poll(() => sizeOf(file)).toBeGreaterThan(0)
    if (isAbort) setTimeout(() => controller.abort(new Error('enough')), endsAfterMs)
    const answer = await running.then(
      ({ exit }) => exit.kind,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const size = await sizeOf(file)
    written += size
    await new Promise(resolve => setTimeout(resolve, 30))
    // A command that timed out before it started is lost, and must write nothing either.
    expect(isAbort ? ['enough'] : ['timed-out', 'lost'], `seed ${seed}`).toContain(answer)
    expect(await sizeOf(file), `seed ${seed}`).toBe(size)
  }
  for (let first = 1; first <= runs; first += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, index) => check(first + index)))
  }
  await shell.dispose()
  await rm(directory, { recursive: true, force: true })
  expect(written, 'some of them did write').toBeGreaterThan(0)
})
