import { expect, it } from 'vitest'
import { endManyCommands, seedFiles } from '../../testing/shell-contract/ended-commands.ts'
import { parsePath } from '../../core/path.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

it.each([
  ['in workers', 'auto', 200],
  ['on the thread', 'none', 40],
] as const)(
  'commands that are ended %s write nothing after the answer',
  async (_where, worker, count) => {
    const fs = createVfs(memory())
    await seedFiles(fs)
    const shell = await justBash({ worker })({ fs, root: parsePath('/workspace') })
    const ended = await endManyCommands(fs, shell, count, 40)
    await shell.dispose()
    expect(ended.filter(({ problems }) => problems.length > 0)).toEqual([])
    // Not vacuous: commands of both kinds, many of them in the midst of it. How many depends on how busy the machine is.
    expect(ended).toHaveLength(count)
    expect(new Set(ended.map(({ how }) => how)).size).toBe(2)
    expect(ended.filter(({ hasBegun }) => hasBegun).length).toBeGreaterThan(count / 3)
    expect(ended.filter(({ made }) => made > 0).length).toBeGreaterThan(count / 20)
    const times = ended.map(({ answeredAfterMs }) => answeredAfterMs).sort((a, b) => a - b)
    const [median = 0, slowest = 0] = [times[times.length >> 1], times.at(-1)]
    console.info(
      `${count} commands ended: answered after ${median.toFixed(1)} ms in the middle, ${slowest.toFixed(1)} ms at most`,
    )
    // The promise is 100 ms; a machine that is busy with all other tests may be late now and then, not mostly.
    expect(median).toBeLessThan(100)
  },
  120_000,
)
