import { expect, it } from 'vitest'
import { seeds } from '../../testing/depth.ts'
import { endManyCommands, seedFiles } from '../../testing/shell-contract/ended-commands.ts'
import { parsePath } from '../../core/path.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

it.each([
  ['in workers', 'auto', seeds({ quick: 8, deep: 200 })],
  ['on the thread', 'none', seeds({ quick: 8, deep: 100 })],
] as const)(
  'commands that are ended %s write nothing after the answer',
  async (_where, worker, count) => {
    const fs = createVfs(memory())
    await seedFiles(fs)
    const shell = await justBash({ worker })({ fs, root: parsePath('/workspace') })
    const ended = await endManyCommands(fs, shell, count, 40)
    await shell.dispose()
    expect(ended.filter(({ problems }) => problems.length > 0)).toEqual([])
    // Ensures that commands of both kinds were ended while they ran.
    expect(ended).toHaveLength(count)
    expect(new Set(ended.map(({ ending }) => ending))).toEqual(new Set(['aborted', 'timed-out']))
    expect(ended.filter(({ changeCount }) => changeCount === 0)).toEqual([])
  },
  600_000,
)
