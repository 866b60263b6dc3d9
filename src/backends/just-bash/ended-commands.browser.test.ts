import { expect, it } from 'vitest'
import { seeds } from '../../testing/depth.ts'
import { endManyCommands, seedFiles } from '../../testing/shell-contract/ended-commands.ts'
import { parsePath } from '../../core/path.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

const count = seeds({ quick: 6, deep: 100 })

it('commands that are ended in workers write nothing after the answer', async () => {
  const fs = createVfs(memory())
  await seedFiles(fs)
  const shell = await justBash()({ fs, root: parsePath('/workspace') })
  expect(shell.capabilities.kill).toBe('signal')
  const ended = await endManyCommands(fs, shell, count, 40)
  await shell.dispose()
  expect(ended.filter(({ problems }) => problems.length > 0)).toEqual([])
  // Ensures that commands of both kinds were ended while they ran.
  expect(ended).toHaveLength(count)
  expect(new Set(ended.map(({ ending }) => ending))).toEqual(new Set(['aborted', 'timed-out']))
  expect(ended.filter(({ changeCount }) => changeCount === 0)).toEqual([])
}, 600_000)
