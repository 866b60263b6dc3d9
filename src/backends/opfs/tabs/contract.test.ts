// The contract of all filesystems, in a tab that does not have the files, and in a tab that took them over.

import { describe, expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { runContract } from '../../../testing/contract.ts'
import { isDeep } from '../../../testing/depth.ts'
import { FakeWorld, type FakeTab } from '../../../testing/opfs/fake-tabs.ts'
import { createRandom } from '../../../testing/random.ts'
import { hasCapability } from '../../../testing/vfs-contract/context.ts'
import { vfsContract } from '../../../testing/vfs-contract/index.ts'
import type { ChangeBatch, VfsBackend } from '../../../vfs/backend.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { storedCaps } from '../caps.ts'

const caps = { ...storedCaps, sync: false }

interface Driven {
  readonly world: FakeWorld
  readonly open: () => Promise<FakeTab & { readonly fs: VfsBackend }>
  readonly stop: () => void
}

/** Its simulated time advances while it is used. */
function driven(place: 'disk' | 'database' = 'disk'): Driven {
  const world = new FakeWorld(createRandom(1), { delayMs: 0, duplicates: 0, place })
  let isStopped = false
  const drive = async (): Promise<void> => {
    while (!isStopped) await world.run(() => isStopped, 1_000)
  }
  void drive()
  return {
    world,
    async open() {
      const tab = world.open()
      while (tab.shared === undefined && tab.failure === undefined) await new Promise<void>(resolve => void setImmediate(resolve))
      if (tab.fs === undefined) throw tab.failure
      return tab as FakeTab & { readonly fs: VfsBackend }
    },
    stop() {
      isStopped = true
    },
  }
}

async function follower(place: 'disk' | 'database'): Promise<{ readonly context: VfsBackend; close(): Promise<void> }> {
  const { open, stop } = driven(place)
  await open()
  const { fs } = await open()
  return {
    context: fs,
    async close() {
      await fs.close()
      stop()
    },
  }
}

async function successor(place: 'disk' | 'database'): Promise<{ readonly context: VfsBackend; close(): Promise<void> }> {
  const { open, stop, world } = driven(place)
  const first = await open()
  const second = await open()
  await second.fs.write(parsePath('/x'), new Uint8Array())
  first.kill()
  await second.fs.remove(parsePath('/x'), 'file')
  expect(world.owner).toBe(second)
  return {
    context: second.fs,
    async close() {
      await second.fs.close()
      stop()
    },
  }
}

/** The others share all but the place with this one, or with a store that has one tab, so they are for the deep run. */
for (const [subject, open] of [
  ['a tab that follows', () => follower('disk')],
  ...(isDeep
    ? ([
        ['a tab that took over', () => successor('disk')],
        ['a tab that follows one in a database', () => follower('database')],
        ['a tab that took a database over', () => successor('database')],
      ] as const)
    : []),
] as const) {
  describe(subject, () => {
    for (const row of runContract(vfsContract, { can: capability => hasCapability(caps, capability), open })) {
      test.skipIf(row.isSkipped)(row.name, row.run)
    }
  })
}

test('whoever watches hears all of it once, with who did it, also across a takeover', async () => {
  const { open, stop } = driven()
  const first = await open()
  const second = await open()
  const third = await open()
  const heard: string[] = []
  const told: ChangeBatch[] = []
  second.fs.watch?.(parsePath('/'), batch => {
    told.push(batch)
    heard.push(...batch.changes.map(({ path, origin }) => `${path} ${origin ?? 'own'}`))
  })
  await first.fs.mkdir(parsePath('/one'))
  await second.fs.mkdir(parsePath('/two'))
  await third.fs.mkdir(parsePath('/three'))
  first.kill()
  await second.fs.mkdir(parsePath('/four'))
  await third.fs.mkdir(parsePath('/five'))
  await second.fs.mkdir(parsePath('/six'))
  const lastSeq = told.at(-1)?.changes.at(-1)?.seq ?? 0
  expect(heard).toEqual(['/one tab0', '/two own', '/three tab2', '/four own', '/five tab2', '/six own'])
  // A sequence number means the same in every tab.
  const since: string[] = []
  third.fs.watch?.(parsePath('/'), ({ changes }) => since.push(...changes.map(({ path }) => path)), { sinceSeq: lastSeq - 2 })
  await new Promise<void>(resolve => void setImmediate(resolve))
  expect(since).toEqual(['/five', '/six'])
  await third.fs.close()
  await second.fs.close()
  stop()
})

test('in a database, whoever watches is told to list again when what it heard of could not be stored', async () => {
  const { open, stop, world } = driven('database')
  const first = await open()
  const second = await open()
  const third = await open()
  const heard: string[][] = [[], []]
  for (const [index, tab] of [second, third].entries()) {
    tab.fs.watch?.(parsePath('/'), ({ changes, overflow }) => {
      heard[index]?.push(...(overflow ? ['again'] : []), ...changes.map(({ path }) => path))
    })
  }
  await first.fs.mkdir(parsePath('/one'))
  first.kill()
  await second.fs.mkdir(parsePath('/two'))
  world.blocks.failures.push(new DOMException('there is no more room', 'QuotaExceededError'))
  await expect(second.fs.mkdir(parsePath('/lost'))).rejects.toMatchObject({ code: 'ENOSPC' })
  await second.fs.mkdir(parsePath('/three'))
  await third.fs.mkdir(parsePath('/four'))
  await second.fs.flush()
  for (const tab of [second, third]) {
    expect((await tab.fs.list(parsePath('/'))).map(({ name }) => name)).toEqual(['four', 'one', 'three', 'two'])
  }
  const [own = [], others = []] = heard.map(paths => paths.slice(paths.lastIndexOf('again')))
  expect(own).toEqual(['again', '/three', '/four'])
  // Changes that were committed before it returned are in the tree that it lists again.
  expect([['again', '/four'].join(), ['again', '/three', '/four'].join()]).toContain(others.join())
  await third.fs.close()
  await second.fs.close()
  stop()
})

test('a snapshot stays as it was, whatever other tabs do, and across a takeover', async () => {
  const { open, stop } = driven()
  const first = await open()
  await createVfs(first.fs).writeFile('/a', 'before')
  const second = await open()
  const files = createVfs(second.fs)
  const snapshot = await files.snapshot()
  await createVfs(first.fs).writeFile('/a', 'after')
  expect(await snapshot.readText('/a')).toBe('before')
  await files.writeFile('/b', 'mine')
  expect(await files.readText('/a')).toBe('after')
  first.kill()
  await files.writeFile('/c', 'mine')
  expect(await snapshot.readText('/a')).toBe('before')
  expect((await snapshot.readdir('/')).map(({ name }) => name)).toEqual(['a'])
  await second.fs.close()
  stop()
})

test('a batch refuses what another tab changed meanwhile, and work that takes no time is done again', async () => {
  const { open, stop } = driven()
  const first = await open()
  const second = await open()
  const [one, two] = [createVfs(first.fs), createVfs(second.fs)]
  await one.writeFile('/a', 'one')
  await two.writeFile('/b', 'so that it has caught up')
  const { rev } = await two.stat('/a')
  await expect(
    two.batch(
      async draft => {
        await one.writeFile('/a', 'two')
        await draft.writeFile('/a', 'lost')
      },
      { expect: { '/a': rev } },
    ),
  ).rejects.toMatchObject({ code: 'ESTALE' })
  let runs = 0
  await two.writeFile('/b', 'caught up')
  const committed = second.fs.batch?.(transaction => {
    runs++
    transaction.write(
      parsePath('/a'),
      new TextEncoder().encode(`${new TextDecoder().decode(transaction.read(parsePath('/a')))}!`),
    )
  })
  await one.writeFile('/a', 'three')
  await committed
  expect([runs, await two.readText('/a')]).toEqual([2, 'three!'])
  expect((await two.stat('/a')).rev).toBe((await one.stat('/a')).rev)
  await two.rm('/a')
  await expect(one.readText('/a')).rejects.toMatchObject({ code: 'ENOENT' })
  stop()
})

test('a directory is removed or copied in one commit, also from a tab that follows', async () => {
  const { open, stop } = driven()
  const first = await open()
  const second = await open()
  const files = createVfs(second.fs)
  for (let index = 0; index < 20; index++) await files.writeFile(`/d/${index}`, 'x', { parents: true })
  const before = first.opened?.log.transaction ?? 0
  await files.copy('/d', '/copy', { recursive: true })
  await files.rm('/d', { recursive: true })
  expect(first.opened?.log.transaction).toBe(before + 2)
  expect((await createVfs(first.fs).readdir('/copy')).length).toBe(20)
  await expect(files.readdir('/d')).rejects.toMatchObject({ code: 'ENOENT' })
  await second.fs.close()
  stop()
})
