// Writes at positions of an open file: each takes time in proportion to what it writes, and leaves what was seen before as it was.
import { Volume } from 'memfs'
import { expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { seeds } from '../../testing/depth.ts'
import { FakeDisk } from '../../testing/opfs/fake-storage.ts'
import { forSeeds } from '../../testing/random.ts'
import { atRoot } from '../../vfs/at-root.ts'
import { asynchronous } from '../../vfs/asynchronous.ts'
import type { FullBackend, VfsBackend, VfsSync } from '../../vfs/backend.ts'
import { keep } from '../../vfs/borrow.ts'
import { memfs } from '../memfs/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { toNodeFs } from '../../vfs/facades/node/index.ts'
import { mountBackends } from '../../vfs/mount.ts'
import { overlay } from '../../vfs/overlay.ts'
import { offerPatch, patchOffer } from '../../vfs/patch-offer.ts'
import { storedCaps } from './caps.ts'
import { lazyBackend } from './lazy-backend.ts'
import { openLog } from './log/open.ts'
import { storedBackend } from './stored-backend.ts'
import { emptyTree } from '../../testing/empty-tree.ts'

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
  return { fs: emptyTree() }
}

/** The same in a filesystem that shows others. */
const within =
  (show: (fs: VfsBackend) => VfsBackend, open: () => Subject): (() => Subject) =>
  () => {
    const { fs } = open()
    return { fs: show(fs) }
  }

function withoutSync({ sync: _sync, ...fs }: VfsBackend): VfsBackend {
  return { ...fs, caps: { ...fs.caps, sync: false, snapshots: false } }
}

const emptyMemory = (): VfsBackend => inMemory().fs

function inDirectory(fs: VfsBackend): VfsBackend {
  fs.sync?.mkdir(parsePath('/top'))
  return atRoot(fs, '/top')
}

/** The file is in the lower layer when it is opened. */
function asLower(fs: VfsBackend): VfsBackend {
  fs.sync?.write(parsePath('/f'), new Uint8Array(70_000).fill(7))
  return overlay(fs)
}

const opened = (fs: VfsBackend): VfsBackend => lazyBackend(storedCaps, { kind: 'opfs' }, async () => fs as FullBackend)

const path = parsePath('/f')
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

test.each([
  ['in memory', inMemory],
  ['stored', stored],
  ['on a volume of memfs', onVolume],
  ['opened later', within(opened, stored)],
  ['mounted', within(fs => mountBackends({ '/': fs, '/other': emptyMemory() }), stored)],
  ['mounted, without a synchronous side', within(fs => mountBackends({ '/': fs, '/other': withoutSync(emptyMemory()) }), stored)],
  ['in a directory', within(inDirectory, stored)],
  ['in the upper layer', within(fs => overlay(emptyMemory(), fs), stored)],
  ['in an upper layer on a volume of memfs', within(fs => overlay(emptyMemory(), fs), onVolume)],
  ['in the lower layer', within(asLower, inMemory)],
  ['in the lower layer, without a synchronous side', within(fs => withoutSync(asLower(fs)), inMemory)],
  ['where nothing is written in parts', within(withoutSync, inMemory)],
  [
    'in a mount where nothing is written in parts',
    within(fs => mountBackends({ '/': withoutSync(fs), '/other': emptyMemory() }), inMemory),
  ],
])('%s, an open file has what was written to it', async (_name, open) => {
  await forSeeds(seeds({ quick: 1, deep: 60 }), async (random, seed) => {
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
  expect((appended() - before) / 2_000).toBeLessThan(8_000)
  await handle.close()
  await backend.close()
})

/** Bytes that were written, and read in whole files. */
function counted(fs: VfsBackend): { readonly fs: VfsBackend; readonly bytes: () => number } {
  let bytes = 0
  const inner = fs.sync
  if (inner === undefined) throw new Error('only a synchronous filesystem is counted')
  const sync: VfsSync = {
    ...inner,
    read(at, range) {
      const found = inner.read(at, range)
      bytes += found.length
      return found
    },
    write(at, data, options) {
      bytes += data.length
      return inner.write(at, data, options)
    },
  }
  offerPatch(sync, at => patchOffer({ sync: inner }, at))
  return { fs: { ...fs, ...asynchronous(sync), sync }, bytes: () => bytes }
}

test.each([
  ['a mount', (fs: VfsBackend) => mountBackends({ '/': fs, '/other': emptyMemory() })],
  [
    'a mount beside one without a synchronous side',
    (fs: VfsBackend) => mountBackends({ '/': fs, '/m': withoutSync(emptyMemory()) }),
  ],
  ['a directory', inDirectory],
  ['an upper layer', (fs: VfsBackend) => overlay(emptyMemory(), fs)],
  ['an upper layer in a mount', (fs: VfsBackend) => mountBackends({ '/': emptyMemory(), '/d': overlay(emptyMemory(), fs) })],
  ['a store that is opened later', opened],
])('through %s, a part of a file is written as a part', async (name, show) => {
  for (const open of [inMemory, onVolume]) {
    const { fs, bytes } = counted(open().fs)
    const face = toNodeFs(createVfs(show(fs))).promises
    const at = name.endsWith('in a mount') ? '/d/f' : '/f'
    await face.writeFile(at, new Uint8Array(500_000))
    const handle = await face.open(at, 'r+')
    await handle.write(new Uint8Array(10).fill(1), 0, 10, 70_000)
    const before = bytes()
    for (let count = 0; count < 20; count++) await handle.write(new Uint8Array(10).fill(count), 0, 10, count * 10_000)
    expect(bytes() - before).toBe(200)
    await handle.close()
  }
})
