// Writes at positions of an open file: each takes time in proportion to what it writes, and leaves what was seen before as it was.
import { Volume } from 'memfs'
import { expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { seeds } from '../../testing/depth.ts'
import { FakeDisk } from '../../testing/opfs/fake-storage.ts'
import { forSeeds } from '../../testing/random.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { keep } from '../../vfs/borrow.ts'
import { memfs } from '../memfs/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { toNodeFs } from '../../vfs/facades/node/index.ts'
import { createTreeStore } from '../../vfs/tree/store.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import { openLog } from './log/open.ts'
import { storedBackend } from './stored-backend.ts'

interface Subject {
  readonly fs: VfsBackend
  /** The same files, opened again; `undefined` in memory. */
  readonly reopened?: () => VfsBackend
}

function stored(): Subject {
  const disk = new FakeDisk()
  return { fs: openOn(disk), reopened: () => openOn(new FakeDisk(disk.contents())) }
}

function openOn(disk: FakeDisk): VfsBackend {
  const storage = disk.storage()
  const listeners = { quotaBytes: async () => undefined, onProblem() {}, onClose() {} }
  return storedBackend(openLog(storage), storage, { ...listeners, recipe: { kind: 'opfs' }, durability: 'group' })
}

function onVolume(): Subject {
  return { fs: memfs(new Volume()) }
}

function inMemory(): Subject {
  const store = createTreeStore(Date.now)
  return { fs: treeBackend(() => store) }
}

const path = parsePath('/f')
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index])

test.each([
  ['in memory', inMemory],
  ['stored', stored],
  ['on a volume of memfs', onVolume],
])('%s, an open file has what was written to it', async (_name, open) => {
  await forSeeds(seeds({ quick: 3, deep: 60 }), async (random, seed) => {
    const { fs, reopened } = open()
    const face = toNodeFs(createVfs(fs))
    await face.promises.writeFile('/f', '')
    const handle = await face.promises.open('/f', 'r+')
    let expected: Uint8Array = new Uint8Array()
    const earlier: { readonly read: () => Uint8Array; readonly expected: Uint8Array }[] = []
    let isUnlinked = false
    for (let count = 0; count < 120; count++) {
      const draw = random.below(20)
      const bytes = new Uint8Array(random.below(random.chance(0.2) ? 150_000 : 900)).fill(random.below(256))
      if (draw === 0) {
        const length = random.below(expected.length + 50_000)
        await handle.truncate(length)
        const next = new Uint8Array(length)
        next.set(expected.subarray(0, length))
        expected = next
      } else {
        const at = draw < 5 ? expected.length : random.below(expected.length + (draw === 5 ? 70_000 : 1))
        await handle.write(bytes, 0, bytes.length, at)
        const next = new Uint8Array(bytes.length === 0 ? expected.length : Math.max(expected.length, at + bytes.length))
        next.set(expected)
        next.set(bytes, at)
        expected = next
      }
      if (draw === 6 && !isUnlinked && fs.snapshot !== undefined) {
        const snapshot = fs.snapshot()
        earlier.push({ read: () => snapshot.fs.read(path) as Uint8Array, expected })
        const kept = fs.sync && keep(fs.sync, path)
        if (kept !== undefined) earlier.push({ read: kept.bytes, expected })
      }
      if (draw === 7) {
        const start = random.below(expected.length + 1)
        const into = new Uint8Array(random.below(200_000))
        const { bytesRead } = await handle.read(into, 0, into.length, start)
        expect(isSame(into.subarray(0, bytesRead), expected.slice(start, start + into.length)), `seed ${seed}, ${count}`).toBe(
          true,
        )
      }
      if (count === 100 && random.chance(0.5)) {
        await face.promises.unlink('/f')
        isUnlinked = true
      }
    }
    const all = new Uint8Array(expected.length + 1)
    const { bytesRead } = await handle.read(all, 0, all.length, 0)
    expect(isSame(all.subarray(0, bytesRead), expected), `seed ${seed}, at the end`).toBe(true)
    for (const { read, expected: then } of earlier) expect(isSame(read(), then), `seed ${seed}, a snapshot`).toBe(true)
    await handle.close()
    if (reopened !== undefined && !isUnlinked) {
      expect(isSame(await reopened().read(path), expected), `seed ${seed}, opened again`).toBe(true)
    }
    await fs.close()
  })
})

test('2,000 small writes anywhere in a file of 4 MB store a small part of what the file has at each write', async () => {
  const disk = new FakeDisk()
  const backend = openOn(disk)
  const handle = await toNodeFs(createVfs(backend)).promises.open('/f', 'w+')
  await handle.write(new Uint8Array(4_000_000))
  const appended = (): number => disk.writes.reduce((sum, write) => sum + (write.kind === 'append' ? write.bytes.length : 0), 0)
  const before = appended()
  for (let count = 0; count < 2_000; count++)
    await handle.write(new Uint8Array(1_000).fill(count), 0, 1_000, ((count * 7_919) % 3_999) * 1_000)
  expect((appended() - before) / 2_000).toBeLessThan(30_000)
  await handle.close()
  await backend.close()
})
