// The stored filesystem in real browsers, in a dedicated worker: the contract of all filesystems, and that acknowledged data is there after
// the worker was ended at any moment.

import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { server } from 'vitest/browser'
import { capsOf, type SubjectName } from '../../testing/opfs/subjects.ts'
import { isDeep } from '../../testing/depth.ts'
import { endHands, type Hands, hands, keepHands, opened } from '../../testing/opfs/hands.ts'
import { numberOf, treeAfter } from '../../testing/opfs/marks.ts'
import { hasCapability } from '../../testing/vfs-contract/context.ts'
import { vfsContract } from '../../testing/vfs-contract/index.ts'
import { connectWorkspace } from '../../worker/client.ts'
import { deleteStore, opfs } from './index.ts'
import { requestPersistence } from './persistence.ts'
import { storedCaps } from './caps.ts'
import { patient } from '../../testing/patient.ts'

beforeAll(async () => {
  await hands().order({ do: 'wipe' })
})

afterEach(endHands)

const places = ['opfs', 'indexeddb'] as const

// The quick run has every third row of the contract in Chromium, and every twelfth in Firefox.
const rowStep = isDeep ? 1 : server.browser === 'firefox' ? 12 : 3
const contractSubjects: readonly SubjectName[] = [
  'opfs',
  ...(isDeep ? (['indexeddb', 'shared', 'sharedIndexeddb'] as const) : []),
]

describe.each(contractSubjects)('contract: %s', subject => {
  let contract: Hands | undefined
  for (const [index, { id, needs = [] }] of vfsContract.entries()) {
    if (index % rowStep !== 0) continue
    const missing = needs.find(capability => !hasCapability(capsOf(subject), capability))
    // Thousands of writes are slow in a window without storage, because each is a message to another process.
    test.skipIf(missing !== undefined)(missing === undefined ? id : `${id} (it has no ${missing})`, async () => {
      contract ??= hands()
      keepHands()
      await contract.order({ do: 'row', index, subject })
    })
  }
})

test.each(places)('%s: what was acknowledged is there after the worker was ended', async place => {
  const name = `ended-${place}`
  const first = await opened(name, [place])
  await first.order({ do: 'write', path: '/d/a.txt', text: 'one' })
  await first.order({ do: 'write', path: '/d/large', text: 'x'.repeat(1_500_000) })
  await first.order({ do: 'write', path: '/d/a.txt', text: 'two' })
  first.worker.terminate()
  const second = await opened(name, [place])
  expect(await second.order({ do: 'read', path: '/d/a.txt' })).toBe('two')
  expect(await second.order({ do: 'read', path: '/d/large' })).toHaveLength(1_500_000)
  await second.order({ do: 'close' })
  const third = await opened(name, [place])
  expect(await third.order({ do: 'read', path: '/d/a.txt' })).toBe('two')
})

test.each(places)('%s: ended in the middle of commits, again and again', async place => {
  const rounds = isDeep ? 10 : 4
  let acknowledged = 0
  for (let round = 0; round < rounds; round++) {
    const writer = await opened(`killed-${place}`, [place])
    const found = await writer.order({ do: 'list' })
    const number = numberOf((found as Record<string, string>)['/a'])
    expect(number, `round ${round}: a flushed transaction is lost`).toBeGreaterThanOrEqual(acknowledged)
    expect(found, `round ${round}`).toEqual(treeAfter(number))
    void writer.order({ do: 'commit-forever' })
    await expect.poll(writer.flushed, { interval: 5 }).toBeGreaterThan(number + round * 3)
    writer.worker.terminate()
    acknowledged = writer.flushed()
  }
  expect(acknowledged).toBeGreaterThan(rounds * 5)
})

test('without OPFS the files are in IndexedDB, and stay there when OPFS comes back', async () => {
  const first = hands()
  await first.order({ do: 'take-away', what: 'opfs' })
  await first.order({ do: 'open', options: { name: 'moved' } })
  await first.order({ do: 'write', path: '/a', text: 'kept' })
  expect(await first.order({ do: 'facts' })).toMatchObject({
    persistence: { storage: 'indexeddb', persistent: true },
    warnings: 0,
    caps: { persistent: true, sync: false },
    usage: { bytes: 4, nodes: 1, quotaBytes: expect.any(Number) },
  })
  await first.order({ do: 'close' })
  const second = await opened('moved')
  expect(await second.order({ do: 'read', path: '/a' })).toBe('kept')
  expect(await second.order({ do: 'facts' })).toMatchObject({ persistence: { storage: 'indexeddb' } })
})

test('a store in OPFS is never taken for new where OPFS is missing', async () => {
  const first = await opened('elsewhere')
  await first.order({ do: 'write', path: '/a', text: 'mine' })
  await first.order({ do: 'close' })
  const second = hands()
  await second.order({ do: 'take-away', what: 'opfs' })
  await expect(second.order({ do: 'open', options: { name: 'elsewhere' } })).rejects.toMatchObject({ code: 'store-elsewhere' })
  const third = await opened('elsewhere')
  expect(await third.order({ do: 'read', path: '/a' })).toBe('mine')
})

test('a store whose files were removed by hand is never made anew in silence', async () => {
  const name = 'removed'
  const first = await opened(name)
  await first.order({ do: 'write', path: '/a', text: 'mine' })
  await first.order({ do: 'close' })
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('anchorage')
  await folder.removeEntry(name, { recursive: true })
  const gone = { code: 'store-missing', message: expect.stringMatching(/"removed" is gone.*deleteStore/) }
  await expect(opened(name)).rejects.toMatchObject(gone)
  await expect(opened(name)).rejects.toMatchObject(gone)
  await deleteStore(name)
  const second = await opened(name)
  expect(await second.order({ do: 'list' })).toEqual({})
})

test.each(places)('%s: where the browser has thrown its databases away no store is made in silence', async place => {
  const name = `thrown-away-${place}`
  // Writes the fact that the store records when Chromium reports a replaced database. Chromium reports it only once.
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(`anchorage:${name}`, 1)
    request.addEventListener('error', () => reject(new Error('it did not open')))
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('blocks')
      request.result.createObjectStore('facts').put('it was corrupt', 'lost')
    })
    request.addEventListener('success', () => {
      request.result.close()
      resolve()
    })
  })
  const gone = { code: 'store-missing', message: expect.stringMatching(/it was corrupt.*deleteStore/) }
  await expect(opened(name, [place])).rejects.toMatchObject(gone)
  await deleteStore(name)
  const second = await opened(name, [place])
  expect(await second.order({ do: 'list' })).toEqual({})
})

test('without both the files are in memory, and everybody is told', async () => {
  const first = hands()
  await first.order({ do: 'take-away', what: 'opfs' })
  await first.order({ do: 'take-away', what: 'indexeddb' })
  await expect(first.order({ do: 'open', options: { name: 'nowhere', storage: ['opfs', 'indexeddb'] } })).rejects.toMatchObject({
    code: 'ENOTSUP',
  })
  await first.order({ do: 'open', options: { name: 'nowhere' } })
  await first.order({ do: 'write', path: '/a', text: 'for now' })
  expect(await first.order({ do: 'read', path: '/a' })).toBe('for now')
  const lost = expect.stringContaining('lost with this page')
  expect(await first.order({ do: 'facts' })).toMatchObject({
    persistence: { storage: 'memory', persistent: false, message: lost },
    warnings: 1,
    caps: { persistent: false, notice: lost },
  })
})

test('where tabs are kept out, a second worker is refused as long as the first is there', async () => {
  const options = { name: 'shared', tabs: 'exclusive' } as const
  const first = hands()
  await first.order({ do: 'open', options })
  await first.order({ do: 'write', path: '/a', text: 'mine' })
  const second = hands()
  await expect(second.order({ do: 'open', options })).rejects.toMatchObject({ code: 'EBUSY' })
  const waiting = second.order({ do: 'open', options })
  first.worker.terminate()
  await waiting
  expect(await second.order({ do: 'read', path: '/a' })).toBe('mine')
})

test('a worker whose lock was stolen writes no more', async () => {
  const first = await opened('stolen')
  await first.order({ do: 'write', path: '/a', text: 'before' })
  await navigator.locks.request('anchorage:opfs:stolen', { steal: true }, async () => {
    await expect.poll(() => first.order({ do: 'write', path: '/a', text: 'after' }).catch(error => error.code)).toBe('EBUSY')
    await expect(first.order({ do: 'flush' })).rejects.toMatchObject({ code: 'EBUSY' })
  })
})

test('one line on the page, through a worker', async () => {
  const worker = (): Worker => new Worker(new URL('../../worker/entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connectWorkspace(worker, { ...patient, fs: opfs({ name: 'project' }), shell: 'none' })
  await workspace.fs.writeFile('/workspace/a.txt', 'kept')
  expect(await workspace.fs.caps()).toEqual(storedCaps)
  await workspace.dispose()
  const again = await connectWorkspace(worker, { ...patient, fs: opfs({ name: 'project' }), shell: 'none' })
  expect(await again.fs.readText('/workspace/a.txt')).toBe('kept')
  await again.dispose()
})

test.each(places)('%s: deleted for good, but not while it is in use', async place => {
  const name = `deleted-${place}`
  const first = await opened(name, [place])
  await first.order({ do: 'write', path: '/a', text: 'mine' })
  await expect(deleteStore(name)).rejects.toMatchObject({ code: 'EBUSY' })
  expect(await first.order({ do: 'read', path: '/a' })).toBe('mine')
  await first.order({ do: 'close' })
  await deleteStore(name)
  await deleteStore(name)
  // The name is forgotten too, so the store may be created in another place.
  const second = await opened(name, place === 'opfs' ? ['indexeddb'] : ['opfs'])
  expect(await second.order({ do: 'list' })).toEqual({})
})

test('real files of what was asked for, for whoever looks into the origin private file system', async () => {
  const mirror = { globs: ['dist/**'] }
  const open = async (): Promise<Hands> => {
    const made = hands()
    await made.order({ do: 'open', options: { name: 'mirrored', mirror } })
    return made
  }
  const first = await open()
  await first.order({ do: 'write', path: '/dist/deep/a.txt', text: 'one' })
  await first.order({ do: 'write', path: '/src/a.ts', text: 'not this' })
  expect(await first.order({ do: 'flush-mirror' })).toEqual({ writtenCount: 1, removedCount: 0, failed: [] })
  const root = await navigator.storage.getDirectory()
  const directory = await (await root.getDirectoryHandle('anchorage-files')).getDirectoryHandle('mirrored')
  const realText = async (): Promise<string> => {
    const deep = await (await directory.getDirectoryHandle('dist')).getDirectoryHandle('deep')
    return await (await (await deep.getFileHandle('a.txt')).getFile()).text()
  }
  expect(await realText()).toBe('one')
  await expect(directory.getDirectoryHandle('src')).rejects.toMatchObject({ name: 'NotFoundError' })
  // The worker ends before the mirror runs. The next session completes it.
  await first.order({ do: 'write', path: '/dist/deep/a.txt', text: 'two' })
  first.worker.terminate()
  const second = await open()
  await expect.poll(realText).toBe('two')
  await second.order({ do: 'remove', path: '/dist/deep/a.txt' })
  await expect.poll(() => realText().catch((error: unknown) => String(error))).toContain('NotFoundError')
  await second.order({ do: 'close' })
})

test('a page cannot hold it, and is told who can', async () => {
  await expect(opfs({ name: 'page' }).list('/' as never)).rejects.toMatchObject({ code: 'ENOTSUP' })
  expect(() => opfs({ name: '../up' })).toThrow('64 letters')
})

test('asking for persistence always ends', async () => {
  expect(['granted', 'denied', 'no-answer']).toContain(await requestPersistence(500))
})
