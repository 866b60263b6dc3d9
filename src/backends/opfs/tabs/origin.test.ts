// The origin of a change, as reported in every tab of a store, for tools and commands in each tab.

import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { FakeWorld, type FakeTab } from '../../../testing/opfs/fake-tabs.ts'
import { createRandom } from '../../../testing/random.ts'
import type { VfsBackend } from '../../../vfs/backend.ts'
import { actingAs, shellOrigin } from '../../../vfs/origin.ts'

test('a command is told apart from tools in its own tab and in others, also after a takeover', async () => {
  const world = new FakeWorld(createRandom(1), { delayMs: 0, duplicates: 0 })
  let isStopped = false
  void (async () => {
    while (!isStopped) await world.run(() => isStopped, 1_000)
  })()
  const open = async (): Promise<FakeTab & { readonly fs: VfsBackend }> => {
    const tab = world.open()
    while (tab.shared === undefined && tab.failure === undefined) await new Promise<void>(resolve => void setImmediate(resolve))
    if (tab.fs === undefined) throw tab.failure
    return tab as FakeTab & { readonly fs: VfsBackend }
  }
  const tabs = [await open(), await open(), await open()] as const
  const [leader, follower, last] = tabs
  const heard = tabs.map(({ fs }) => {
    const told: string[] = []
    fs.watch?.(parsePath('/'), ({ changes }) => told.push(...changes.map(({ path, origin }) => `${path} ${origin ?? 'own'}`)))
    return told
  })
  const act = async (fs: VfsBackend, name: string): Promise<void> => {
    const commands = actingAs(fs, shellOrigin)
    // Requested at once, so that a follower would combine them into one transaction.
    await Promise.all([
      fs.mkdir(parsePath(`/${name}-tool`)),
      commands.mkdir(parsePath(`/${name}-command`)),
      commands.batch?.(transaction => transaction.write(parsePath(`/${name}-batch`), new Uint8Array())),
    ])
  }
  await act(leader.fs, 'a')
  await act(follower.fs, 'b')
  leader.kill()
  // A tab that joins another leader gets an overflow, and no changes from the time in between.
  await follower.fs.mkdir(parsePath('/taken-over'))
  await last.fs.mkdir(parsePath('/joined'))
  for (const told of heard) told.splice(6)
  await act(follower.fs, 'c')
  await act(last.fs, 'd')
  await expect.poll(() => heard.slice(1).map(told => told.length)).toEqual([12, 12])
  const by = (name: string, tab: string | undefined): string[] => [
    `/${name}-tool ${tab ?? 'own'}`,
    `/${name}-command ${tab === undefined ? 'shell' : `${tab}/shell`}`,
    `/${name}-batch ${tab === undefined ? 'shell' : `${tab}/shell`}`,
  ]
  const seenFrom = (own: string): string[] =>
    ['a tab0', 'b tab1', 'c tab1', 'd tab2'].flatMap(row => {
      const [name = '', tab = ''] = row.split(' ')
      return by(name, tab === own ? undefined : tab)
    })
  expect(heard[1]?.toSorted()).toEqual(seenFrom('tab1').toSorted())
  expect(heard[2]?.toSorted()).toEqual(seenFrom('tab2').toSorted())
  expect(heard[0]?.toSorted()).toEqual(seenFrom('tab0').slice(0, 6).toSorted())
  await last.fs.close()
  await follower.fs.close()
  isStopped = true
})
