import { afterEach, expect, test, vi } from 'vitest'
import { FakeDirectory } from '../../testing/opfs/fake-directory.ts'
import { openLog } from './log/open.ts'
import type { DirectoryHandle, FileHandle } from './platform.ts'
import { openSyncHandles } from './sync-handles.ts'

const encoder = new TextEncoder()

afterEach(() => {
  vi.useRealTimers()
})

/** Records which files are opened, and may run a function before a file is opened. */
function watched(
  directory: DirectoryHandle,
  before: (name: string) => void | Promise<void> = () => {},
): { readonly handle: DirectoryHandle; readonly opened: readonly string[] } {
  const opened: string[] = []
  const file = (inner: FileHandle): FileHandle => ({
    ...inner,
    createSyncAccessHandle: async () => {
      await before(inner.name)
      const handle = await inner.createSyncAccessHandle?.()
      if (handle === undefined) throw new Error('a fake file has them')
      opened.push(inner.name)
      return handle
    },
  })
  return {
    opened,
    handle: {
      ...directory,
      getFileHandle: async (name, options) => file(await directory.getFileHandle(name, options)),
      async *values() {
        for await (const entry of directory.values()) yield entry.kind === 'file' ? file(entry) : entry
      },
    },
  }
}

async function fill(directory: DirectoryHandle, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const handle = await (await directory.getFileHandle(name, { create: true })).createSyncAccessHandle?.()
    handle?.write(encoder.encode('something'), { at: 0 })
    handle?.close()
  }
}

const contents = ['1.log', '2.log', '3.log', '4.log']

test('what has content is opened, and of the empty files one: the others follow behind', async () => {
  const directory = new FakeDirectory().handle
  await fill(directory, contents)
  for (const name of ['5.log', '6.log', '7.log', '8.log']) await directory.getFileHandle(name, { create: true })
  const { handle, opened } = watched(directory)
  const storage = await openSyncHandles(handle, 'a')
  expect(opened.toSorted()).toEqual([...contents, '8.log'])
  await expect.poll(() => opened).toHaveLength(8)
  expect([1, 2, 3, 4].map(() => storage.take())).not.toContain(undefined)
  await storage.close()
})

test('a store that has not all of its files yet has enough spare ones at once', async () => {
  const directory = new FakeDirectory().handle
  await fill(directory, ['1.log'])
  const storage = await openSyncHandles(directory, 'a')
  expect([1, 2, 3].map(() => storage.take())).not.toContain(undefined)
  await storage.close()
})

test('what its last owner begins while it goes is found too', async () => {
  const directory = new FakeDirectory().handle
  await fill(directory, contents)
  const last = await (await directory.getFileHandle('4.log')).createSyncAccessHandle?.()
  await directory.getFileHandle('5.log', { create: true })
  let asked = 0
  const { handle } = watched(directory, async name => {
    if (name !== '4.log' || ++asked < 2) return
    // After the directory was listed, and before the file that is still open is closed.
    await fill(directory, ['5.log', '6.log'])
    last?.close()
  })
  const storage = await openSyncHandles(handle, 'a')
  expect(storage.files.map(file => file.sizeBytes()).filter(sizeBytes => sizeBytes > 0)).toHaveLength(6)
  await storage.close()
})

test('EBUSY leaves nothing open', async () => {
  vi.useFakeTimers()
  const directory = new FakeDirectory().handle
  await fill(directory, contents)
  const other = await (await directory.getFileHandle('2.log')).createSyncAccessHandle?.()
  const opening = openSyncHandles(directory, 'a')
  await Promise.all([expect(opening).rejects.toMatchObject({ code: 'EBUSY' }), vi.runAllTimersAsync()])
  other?.close()
  const storage = await openSyncHandles(directory, 'a')
  expect(storage.files).toHaveLength(5)
  await storage.close()
})

test('a file that does not open fails the store once the others of its batch are open, and closed', async () => {
  const directory = new FakeDirectory().handle
  await fill(directory, contents)
  const { handle } = watched(directory, name => {
    if (name === '1.log') throw new DOMException('the disk is gone', 'UnknownError')
  })
  await expect(openSyncHandles(handle, 'a')).rejects.toThrow('the disk is gone')
  const storage = await openSyncHandles(directory, 'a')
  expect(storage.files).toHaveLength(5)
  await storage.close()
})

test('a store whose making was cut short anywhere opens', async () => {
  for (let cut = 0, isCut = true; isCut; cut++) {
    const fake = new FakeDirectory()
    fake.left = cut
    const make = async (): Promise<boolean> => {
      const storage = await openSyncHandles(fake.handle, 'a')
      try {
        return openLog(storage).isNew
      } finally {
        await storage.close()
      }
    }
    isCut = await make().then(
      () => false,
      () => true,
    )
    fake.revive()
    await expect(make(), `cut at change ${cut}`).resolves.toBeTypeOf('boolean')
    expect(cut, 'it never ends').toBeLessThan(50)
  }
})
