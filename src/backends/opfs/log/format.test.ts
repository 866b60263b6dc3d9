// What formats 2 to 4 add to reading back what was written: limits that writer and reader share, records of newer releases, parts of large
// contents, appends that are stored as appends, and space that is freed.
import { describe, expect, test } from 'vitest'
import { seeds } from '../../../testing/depth.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { describeTree, smallLog } from '../../../testing/opfs/log-session.ts'
import { createRandom, type Random } from '../../../testing/random.ts'
import { joinBytes } from '../../../core/bytes.ts'
import { parsePath } from '../../../core/path.ts'
import type { VfsSync } from '../../../vfs/backend.ts'
import { ByteWriter } from './bytes.ts'
import { compactNow } from '../../../testing/opfs/compact-now.ts'
import { headerBytes, readHeader } from './header.ts'
import { openLog, type OpenLog } from './open.ts'
import { recordTypes, writeRecord } from './record.ts'

const path = parsePath
const settings = { clock: () => 1_000 }
const filled = (sizeBytes: number, byte: number): Uint8Array => new Uint8Array(sizeBytes).fill(byte)
/** Fast for megabytes. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index])

function noise(random: Random, sizeBytes: number): Uint8Array {
  const block = Uint8Array.from({ length: 4_099 }, () => random.below(256))
  const bytes = new Uint8Array(sizeBytes)
  for (let at = 0; at < sizeBytes; at += block.length) {
    block[0] = at & 255
    bytes.set(block.subarray(0, sizeBytes - at), at)
  }
  return bytes
}

const reopened = (disk: FakeDisk): OpenLog => openLog(new FakeDisk(disk.contents()).storage(), settings)

function fileOf(disk: FakeDisk, kind: string): number {
  return disk.storage().files.findIndex(file => {
    const header = readHeader(file)
    return header.is === 'file' && header.kind === kind
  })
}

function damaged(disk: FakeDisk, kind: string, at: number): FakeDisk {
  const index = fileOf(disk, kind)
  const contents = disk.contents().map(bytes => bytes.slice())
  const bytes = contents[index]
  if (bytes === undefined) throw new Error(`no ${kind}`)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return new FakeDisk(contents)
}

test.each(['records', 'a checkpoint'])('several names of a symlink are found again in %s', what => {
  const disk = new FakeDisk()
  const { store, log, state } = openLog(disk.storage(), settings)
  const { fs } = store
  fs.symlink('é💾', path('/a'))
  fs.write(path('/f'), filled(3, 1))
  fs.link(path('/f'), path('/g'))
  fs.link(path('/a'), path('/b'))
  fs.setattr(path('/b'), { mtimeMs: 5, follow: false })
  fs.symlink('x', path('/c'))
  if (what === 'a checkpoint') log.checkpoint(state())
  expect(describeTree(reopened(disk).store.fs)).toBe(describeTree(fs))
  expect(fs.lookup(path('/a'), { follow: false })).toMatchObject({ kind: 'symlink', nlink: 2, mtimeMs: 5 })
})

test.each(['records', 'a checkpoint'])('owners and times of reading are found again in %s', what => {
  const disk = new FakeDisk()
  const { store, log, state } = openLog(disk.storage(), settings)
  const { fs } = store
  fs.mkdir(path('/d'))
  fs.write(path('/d/f'), filled(3, 1))
  fs.link(path('/d/f'), path('/d/g'))
  fs.symlink('f', path('/d/l'))
  fs.setattr(path('/'), { atimeMs: 7 })
  fs.setattr(path('/d'), { uid: 0, gid: 5 })
  fs.setattr(path('/d/g'), { uid: 2 ** 32 - 2, atimeMs: -0.5 })
  fs.setattr(path('/d/l'), { atimeMs: 1e14, follow: false })
  fs.setattr(path('/d/l'), { mode: 0o7777, gid: 1, follow: false })
  // A change of some bytes, of a file that has them.
  fs.write(path('/d/f'), filled(1, 2), { append: true })
  if (what === 'a checkpoint') log.checkpoint(state())
  const again = reopened(disk).store.fs
  expect(describeTree(again)).toBe(describeTree(fs))
  expect(again.lookup(path('/'))).toMatchObject({ atimeMs: 7 })
  expect(again.lookup(path('/d'))).toMatchObject({ uid: 0, gid: 5 })
  expect(again.lookup(path('/d/f'))).toMatchObject({ uid: 2 ** 32 - 2, atimeMs: -0.5 })
  expect(again.lookup(path('/d/l'), { follow: false })).toMatchObject({ gid: 1, atimeMs: 1e14 })
})

describe('limits', () => {
  test('what is done through symlinks at a real path of 140 KiB is found again', () => {
    const disk = new FakeDisk()
    const { fs } = openLog(disk.storage(), settings).store
    const name = 'n'.repeat(250)
    fs.mkdir(path('/top'))
    for (let depth = 0; depth < 15 * 38; depth++) {
      // Build the depth from the outside in: a path in a request has a lower length limit.
      fs.mkdir(path('/next'))
      fs.rename(path('/top'), path(`/next/${name}`))
      fs.rename(path('/next'), path('/top'))
    }
    const down = Array.from({ length: 15 }, () => name).join('/')
    fs.symlink(`/top/${down}`, path('/link0'))
    for (let index = 1; index < 38; index++) fs.symlink(`/link${index - 1}/${down}`, path(`/link${index}`))
    fs.write(path('/link37/deep'), filled(3, 1))
    fs.rename(path('/link37/deep'), path('/link37/moved'))
    fs.write(path('/after'), filled(3, 2))
    expect(fs.realpath(path('/link37')).length).toBeGreaterThan(140_000)
    const again = reopened(disk).store.fs
    expect(again.read(path('/link37/moved'))).toEqual(filled(3, 1))
    expect(again.read(path('/after'))).toEqual(filled(3, 2))
  })

  test('facts that no reader would take are not written', () => {
    const writer = new ByteWriter()
    const head = { transaction: 1, flushed: 0, epoch: 1, index: 0, isLast: true, type: recordTypes.drop }
    const write = (): number =>
      writeRecord(writer, { fileNumber: 1, baseOffset: 16 }, head, to => to.text('n'.repeat(600_000)), undefined)
    expect(write).toThrow(expect.objectContaining({ code: 'ENAMETOOLONG' }))
    expect(writer.length).toBe(0)
  })

  test('a tree of 5,000 levels has a checkpoint', () => {
    const disk = new FakeDisk()
    const { store, log, state } = openLog(disk.storage(), settings)
    const { fs } = store
    fs.mkdir(path('/top'))
    for (let depth = 0; depth < 5_000; depth++) {
      fs.mkdir(path('/next'))
      fs.rename(path('/top'), path('/next/a'))
      fs.rename(path('/next'), path('/top'))
    }
    log.checkpoint(state())
    expect(reopened(disk).store.tree.nodeCount).toBe(5_001)
  })

  test('a record of an unknown type was written by a newer release', () => {
    const disk = new FakeDisk()
    const { store, log } = openLog(disk.storage(), settings)
    store.fs.write(path('/f'), filled(3, 1))
    const { number, sizeBytes, file } = log.tail
    const writer = new ByteWriter()
    const head = { transaction: log.transaction + 1, flushed: 0, epoch: log.epoch, index: 0, isLast: true }
    writeRecord(writer, { fileNumber: number, baseOffset: sizeBytes }, { ...head, type: 77 as never }, () => {}, undefined)
    file.append(writer.written)
    expect(() => reopened(disk)).toThrow(expect.objectContaining({ code: 'store-newer' }))
  })
})

describe('a part of a large content', () => {
  const large = (sizeBytes = 3_000_000): { readonly disk: FakeDisk; readonly content: Uint8Array } => {
    const disk = new FakeDisk()
    const { store, log } = openLog(disk.storage(), settings)
    const random = createRandom(7)
    const content = noise(random, sizeBytes)
    store.fs.write(path('/large'), content)
    log.flush()
    return { disk, content }
  }

  test('is read alone, and is the same', () => {
    const { disk, content } = large()
    const { fs } = reopened(disk).store
    for (const [start, end] of [
      [0, 1],
      [65_535, 65_537],
      [131_072, 196_608],
      [2_999_990, 3_000_000],
      [5, 2_999_999],
    ] as const) {
      expect(isSame(fs.read(path('/large'), { start, end }), content.slice(start, end))).toBe(true)
    }
  })

  test.each([
    ['side', 3_000_000],
    // In a segment, and small enough to be read as a whole.
    ['segment', 1_000_000],
  ])('that is damaged in a %s fails with EIO, and the rest is read', (kind, sizeBytes) => {
    const { disk, content } = large(sizeBytes)
    const sizeBytesOfFile = disk.contents()[fileOf(disk, kind)]?.length ?? 0
    // Both are in the block from byte 589,824 to 655,360 of the content.
    const at = kind === 'side' ? headerBytes + 600_000 : sizeBytesOfFile - 400_000
    const { fs } = openLog(damaged(disk, kind, at).storage(), settings).store
    for (const [start, end] of [
      [589_823, 589_825],
      [590_000, 590_010],
      [655_359, 700_000],
      [0, sizeBytes],
    ] as const) {
      expect(() => fs.read(path('/large'), { start, end })).toThrow(expect.objectContaining({ code: 'EIO' }))
    }
    for (const [start, end] of [
      [0, 10],
      [500_000, 589_824],
      [655_360, 655_400],
    ] as const) {
      expect(isSame(fs.read(path('/large'), { start, end }), content.slice(start, end))).toBe(true)
    }
  })
})

describe('what is stored of a change', () => {
  const appends = seeds({ quick: 500, deep: 2_000 })
  test(`${appends} appends of 1 kB take a few times their bytes, and are read again`, () => {
    const disk = new FakeDisk()
    const { store, log, state } = openLog(disk.storage(), settings)
    const expected: number[] = []
    for (let index = 0; index < appends; index++) {
      store.fs.write(path('/log'), filled(1_000, index % 251), { append: true })
      expected.push(index % 251)
    }
    expect(disk.usedBytes).toBeLessThan(6_000 * appends)
    const check = (fs: VfsSync): void => {
      const found = fs.read(path('/log'))
      expect(found.length).toBe(1_000 * appends)
      expect(expected.every((byte, index) => found[index * 1_000] === byte && found[index * 1_000 + 999] === byte)).toBe(true)
    }
    check(store.fs)
    check(reopened(disk).store.fs)
    log.checkpoint(state())
    check(reopened(disk).store.fs)
    for (const file of compactNow(log, state)) log.files.discard(file)
    check(store.fs)
    expect(disk.usedBytes).toBeLessThan(2 * 1_000 * appends)
    check(reopened(disk).store.fs)
  })

  test('small changes anywhere in a large file take little, however many', () => {
    const disk = new FakeDisk()
    const { store } = openLog(disk.storage(), settings)
    const random = createRandom(3)
    let content: Uint8Array = noise(random, 2_000_000)
    store.fs.write(path('/large'), content)
    const before = disk.usedBytes
    for (let count = 0; count < seeds({ quick: 21, deep: 60 }); count++) {
      const at = random.below(content.length)
      const text = Uint8Array.from({ length: random.below(50) }, () => random.below(256))
      const removed = random.below(20)
      content = joinBytes([content.subarray(0, at), text, content.subarray(at + removed)])
      store.fs.write(path('/large'), content)
      if (count % 20 === 0) expect(isSame(reopened(disk).store.fs.read(path('/large')), content)).toBe(true)
    }
    expect(isSame(store.fs.read(path('/large')), content)).toBe(true)
    expect(isSame(reopened(disk).store.fs.read(path('/large')), content)).toBe(true)
    // The whole content is written again from time to time, so that a file never has too many pieces.
    expect(disk.usedBytes - before).toBeLessThan(6_000_000)
  })
})

test('a damaged content keeps its file, and compaction gives back the others', () => {
  const disk = new FakeDisk()
  const first = openLog(disk.storage(), { ...settings, segmentBytes: 100_000 })
  first.store.fs.write(path('/damaged'), filled(5_000, 1))
  for (let index = 0; index < 400; index++) first.store.fs.write(path(`/f${index % 4}`), filled(9_000, index))
  first.log.flush()
  const broken = damaged(disk, 'segment', 3_000)
  const { store, log, state } = openLog(broken.storage(), { ...settings, segmentBytes: 100_000 })
  expect(() => store.fs.read(path('/damaged'))).toThrow(expect.objectContaining({ code: 'EIO' }))
  const before = broken.usedBytes
  for (let round = 0; round < 2; round++) for (const file of compactNow(log, state)) log.files.discard(file)
  expect(broken.usedBytes).toBeLessThan(before / 10)
  for (let index = 0; index < 4; index++) expect(store.fs.read(path(`/f${index}`))).toEqual(filled(9_000, 396 + index))
  const again = openLog(broken.storage(), smallLog)
  expect(() => again.store.fs.read(path('/damaged'))).toThrow(expect.objectContaining({ code: 'EIO' }))
  expect(describeTree(openLog(new FakeDisk(broken.contents()).storage(), smallLog).store.fs, path('/f1'))).toContain('/f1 file')
})
