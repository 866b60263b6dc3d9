// Small changes of a file in many pieces are stored without the list of its pieces. What a change was made of is never taken from an older
// content.
import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { compactNow } from '../../../testing/opfs/compact-now.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { changeLarge, describeTree } from '../../../testing/opfs/log-session.ts'
import { forSeeds } from '../../../testing/random.ts'
import { seeds } from '../../../testing/depth.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { transactNow } from '../../../vfs/tree/transaction.ts'
import { headerBytes } from './header.ts'
import { inspectStore, repairedStore } from './inspect.ts'
import { openLog, type OpenLog } from './open.ts'
import { recordTypes } from './record.ts'
import { scanSegment } from './scan.ts'

const large = parsePath('/large')
const lengthBytes = 40_000
const settings = { clock: () => 1_000 }

interface Session {
  readonly disk: FakeDisk
  readonly open: OpenLog
  readonly content: Uint8Array
  /** For each change, where its record begins in the segment. */
  readonly offsets: readonly number[]
}

const place = (index: number): number => index * 300

/** Change `index` sets the ten bytes at `place(index)`, so each adds two pieces. */
function changedTimes(count: number): Session {
  const disk = new FakeDisk()
  const open = openLog(disk.storage(), settings)
  const content = Uint8Array.from({ length: lengthBytes }, (_, index) => index * 7)
  open.store.fs.write(large, content)
  const offsets: number[] = []
  for (let index = 0; index < count; index++) {
    content.fill(index, place(index), place(index) + 10)
    offsets.push(open.log.tail.sizeBytes)
    open.store.fs.write(large, content)
  }
  open.log.flush()
  return { disk, open, content, offsets }
}

/** So many bytes of the head that it cannot be mended. */
function withoutRecord({ disk, open }: Session, offset: number): FakeDisk {
  const { sizeBytes } = open.log.tail
  const contents = disk.contents().map(bytes => (bytes.length === sizeBytes ? bytes.fill(0, offset + 8, offset + 40) : bytes))
  return new FakeDisk(contents)
}

function isUnreadable({ store }: OpenLog, start: number, end: number): boolean {
  try {
    store.fs.read(large, { start, end })
    return false
  } catch (error) {
    if (isVfsError(error, 'EIO')) return true
    throw error
  }
}

test('a change stores little, and from time to time all pieces', () => {
  const { open, disk, content } = changedTimes(60)
  const records = scanSegment(open.log.tail, headerBytes).flatMap(found => (found.is === 'record' ? [found.record] : []))
  const [changes, whole] = [
    records.filter(({ type }) => type === recordTypes.change),
    records.filter(({ type }) => type === recordTypes.file),
  ]
  expect(changes.length).toBeGreaterThan(45)
  expect(whole.length).toBeGreaterThan(5)
  for (const { facts } of changes) expect(facts.length).toBeLessThan(150)
  expect(openLog(new FakeDisk(disk.contents()).storage(), settings).store.fs.read(large)).toEqual(content)
})

test('without the record before, the bytes that later ones left as they were are unreadable', () => {
  const session = changedTimes(40)
  const damaged = withoutRecord(session, session.offsets[30] ?? 0)
  expect(() => openLog(damaged.storage(), settings)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
  const open = openLog(damaged.storage(), { ...settings, onDamage: 'cut' })
  expect(open.losses.map(({ what }) => what)).toEqual(['changes', 'content'])
  const contents = withoutRecord(session, session.offsets[30] ?? 0).contents()
  expect(inspectStore(contents).losses.map(({ what }) => what)).toEqual(['changes', 'content'])
  const repaired = inspectStore(repairedStore(contents))
  expect(repaired.opens).toBe(true)
  expect(repaired.losses.map(({ what }) => what)).toEqual(['content'])
  for (let index = 31; index < 40; index++) {
    expect(open.store.fs.read(large, { start: place(index), end: place(index) + 10 })).toEqual(new Uint8Array(10).fill(index))
    expect(isUnreadable(open, place(index) + 9, place(index) + 11)).toBe(true)
  }
  for (const index of [0, 29, 30]) expect(isUnreadable(open, place(index), place(index) + 1)).toBe(true)

  // The loss is reported once. The file stays as it is until it is written.
  open.store.fs.write(parsePath('/other'), new Uint8Array(3))
  const again = openLog(damaged.storage(), settings)
  expect(again.losses).toEqual([])
  expect(isUnreadable(again, 0, 1)).toBe(true)
  again.store.fs.write(large, session.content)
  expect(openLog(damaged.storage(), settings).store.fs.read(large)).toEqual(session.content)
})

test('a later list of all pieces gives the file back', () => {
  const session = changedTimes(120)
  const damaged = withoutRecord(session, session.offsets[30] ?? 0)
  const open = openLog(damaged.storage(), { ...settings, onDamage: 'cut' })
  expect(open.losses.map(({ what }) => what)).toEqual(['changes'])
  expect(open.store.fs.read(large)).toEqual(session.content)
})

test('a content in a file of the store that does not exist is reported once', () => {
  const disk = new FakeDisk()
  const { store, log } = openLog(disk.storage(), { ...settings, sideBytes: 200 })
  store.fs.write(large, new Uint8Array(1_000).fill(1))
  log.flush()
  const without = new FakeDisk(disk.contents().map(bytes => (bytes.length === headerBytes + 1_000 ? new Uint8Array() : bytes)))
  expect(() => openLog(without.storage(), settings)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
  expect(openLog(without.storage(), { ...settings, onDamage: 'cut' }).losses).toEqual([
    { what: 'content', path: '/large', lengthBytes: 1_000 },
  ])
  const again = openLog(without.storage(), settings)
  expect(again.losses).toEqual([])
  expect(isUnreadable(again, 0, 1)).toBe(true)
})

test('changes, batches, checkpoints and compactions are found again', async () => {
  await forSeeds(seeds({ quick: 3, deep: 200 }), random => {
    const disk = new FakeDisk()
    const options = { ...settings, segmentBytes: 20_000, sideBytes: 5_000, cacheBytes: 9_000 }
    let open = openLog(disk.storage(), options)
    for (let count = 0; count < 250; count++) {
      try {
        if (random.chance(0.1)) {
          transactNow(open.store, draft => {
            for (let left = 3; left > 0; left--) changeLarge(draft, random)
          })
        } else changeLarge(open.store.fs, random)
      } catch (error) {
        if (!isVfsError(error)) throw error
      }
      const draw = random.below(60)
      if (draw === 0) open.log.checkpoint(open.state())
      else if (draw === 1) for (const file of compactNow(open.log, open.state)) open.log.files.discard(file)
      else if (draw < 4) {
        const before = describeTree(open.store.fs)
        open = openLog(disk.storage(), options)
        expect(describeTree(open.store.fs)).toBe(before)
      }
    }
  })
})
