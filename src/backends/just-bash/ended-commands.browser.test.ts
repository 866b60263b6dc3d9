import { expect, it } from 'vitest'
import { endManyCommands, seedFiles } from '../../testing/shell-contract/ended-commands.ts'
import { parsePath } from '../../core/path.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash } from './index.ts'

// Two hundred are ended in Node. Workers start more slowly here, and in Firefox four times as slowly.
const count = navigator.userAgent.includes('Firefox') ? 24 : 80

it('commands that are ended in workers write nothing after the answer', async () => {
  const fs = createVfs(memory())
  await seedFiles(fs)
  const shell = await justBash()({ fs, root: parsePath('/workspace') })
  expect(shell.capabilities.kill).toBe('signal')
  const ended = await endManyCommands(fs, shell, count, 40)
  await shell.dispose()
  expect(ended.filter(({ problems }) => problems.length > 0)).toEqual([])
  expect(ended).toHaveLength(count)
  expect(ended.filter(({ hasBegun }) => hasBegun).length).toBeGreaterThan(count / 3)
  expect(ended.filter(({ made }) => made > 0).length).toBeGreaterThan(count / 20)
  const times = ended.map(({ answeredAfterMs }) => answeredAfterMs).sort((a, b) => a - b)
  const [median = 0, slowest = 0] = [times[times.length >> 1], times.at(-1)]
  console.info(`${count} commands ended: answered after ${median.toFixed(1)} ms in the middle, ${slowest.toFixed(1)} ms at most`)
  expect(median).toBeLessThan(100)
}, 170_000)
