// Failures other than crashes: a full disk, damage, and foreign files. Nothing is lost, and nothing is ignored.
import { describe, expect, test } from 'vitest'
import { version1States, version1Store } from '../../../testing/opfs/version1-stores.ts'
import { version2States, version2Store } from '../../../testing/opfs/version2-stores.ts'
import { version3States, version3Store } from '../../../testing/opfs/version3-stores.ts'
import { createRandom } from '../../../testing/random.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { describeTree, recordSession, smallLog } from '../../../testing/opfs/log-session.ts'
import { parsePath } from '../../../core/path.ts'
import { isVfsError, VfsError } from '../../../vfs/error.ts'
import { transactNow } from '../../../vfs/tree/transaction.ts'
import { compactNow } from '../../../testing/opfs/compact-now.ts'
import { encodeHeader, formatVersion, readHeader } from './header.ts'
import { crc32c } from './crc32c.ts'
import { openLog, type OpenLog, problemsOf } from './open.ts'

const path = parsePath
const filled = (sizeBytes: number, byte: number): Uint8Array => new Uint8Array(sizeBytes).fill(byte)

describe('a full disk', () => {
  test('refuses with ENOSPC and changes nothing; deleting works, and makes room', () => {
    const disk = new FakeDisk()
    const settings = { segmentBytes: 100_000, sideBytes: 50_000, clock: () => 1_000 }
    const { store, log, state } = openLog(disk.storage(), settings)
    log.keepReserve()
    disk.quotaBytes = disk.usedBytes + 1_000_000
    let count = 0
    const fill = (): void => {
      for (; count < 200; count++) store.fs.write(path(`/f${count}`), filled(count % 10 === 0 ? 60_000 : 9_000, count))
    }
    expect(fill).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    expect(count).toBeGreaterThan(30)
    const before = describeTree(store.fs)
    expect(() => transactNow(store, fs => [1, 2].map(n => fs.write(path(`/both${n}`), filled(8_000, n))))).toThrow('ENOSPC')
    expect(() => store.fs.write(path('/large'), filled(90_000, 1))).toThrow('ENOSPC')
    expect(describeTree(store.fs)).toBe(before)
    expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), settings).store.fs)).toBe(before)

    // Every byte is used, including the last ones that a small change could take.
    disk.quotaBytes = disk.usedBytes
    for (let index = 0; index < count - 2; index++) store.fs.remove(path(`/f${index}`), 'file')
    const after = describeTree(store.fs)
    expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), settings).store.fs)).toBe(after)
    for (const file of compactNow(log, state)) log.files.discard(file)
    store.fs.write(path('/again'), filled(500_000, 7))
    expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), settings).store.fs)).toBe(describeTree(store.fs))
  })

  test('a checkpoint that does not fit leaves the one before', () => {
    const disk = new FakeDisk()
    const { store, log, state } = openLog(disk.storage(), smallLog)
    for (let index = 0; index < 50; index++) store.fs.write(path(`/f${index}`), filled(9, index))
    disk.quotaBytes = disk.usedBytes + 500
    expect(() => log.checkpoint(state())).toThrow('ENOSPC')
    expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), smallLog).store.fs)).toBe(describeTree(store.fs))
  })
})

test.each(['with', 'without'] as const)('a store that was taken away refuses a flush %s something to flush', kind => {
  const { store, log } = openLog(new FakeDisk().storage(), smallLog)
  store.fs.write(path('/f'), filled(9, 1))
  if (kind === 'without') log.flush()
  log.end(new VfsError('EBUSY', 'write'))
  expect(() => log.flush()).toThrow('EBUSY')
})

/** A store with several segments after its newest checkpoint. */
function recorded(seed = 5): { readonly contents: readonly Uint8Array[]; readonly tree: string } {
  const { disk, states } = recordSession(createRandom(seed), 60)
  return { contents: disk.contents(), tree: states.at(-1)?.tree ?? '' }
}

function pathsIn(tree: string): readonly string[] {
  return tree
    .split('\n')
    .slice(1)
    .flatMap(line => line.match(/^\/\S* (?:file|directory|symlink)/) ?? [])
}

/** `undefined` if it cannot be read. */
function contentIn({ store }: OpenLog, name: string): Uint8Array | undefined {
  try {
    return store.fs.read(path(`/${name}`))
  } catch (error) {
    if (isVfsError(error, 'EIO')) return undefined
    throw error
  }
}

function filesOf(contents: readonly Uint8Array[], kind: string): number[] {
  return new FakeDisk(contents).storage().files.flatMap((file, index) => {
    const header = readHeader(file)
    return header.is === 'file' && header.kind === kind ? [index] : []
  })
}

function changed(contents: readonly Uint8Array[], index: number, change: (bytes: Uint8Array) => void): readonly Uint8Array[] {
  const bytes = (contents[index] ?? new Uint8Array()).slice()
  change(bytes)
  return contents.map((content, at) => (at === index ? bytes : content))
}

function flip(at: number): (bytes: Uint8Array) => void {
  return bytes => {
    bytes[at] = (bytes[at] ?? 0) ^ 1
  }
}

describe('damage', () => {
  test('in one checkpoint is mended by the other', () => {
    const disk = new FakeDisk()
    const { store, log, state } = openLog(disk.storage(), smallLog)
    for (let index = 0; index < 60; index++) {
      store.fs.write(path(`/f${index % 7}`), filled(90, index))
      if (index % 20 === 19) log.checkpoint(state())
    }
    for (const index of filesOf(disk.contents(), 'checkpoint')) {
      const opened = openLog(new FakeDisk(changed(disk.contents(), index, flip(60))).storage(), smallLog)
      expect(describeTree(opened.store.fs)).toBe(describeTree(store.fs))
    }
  })

  test('in both checkpoints is an error, and the files stay as they are; `cut` reads the log from its beginning', () => {
    const whole = new FakeDisk()
    const { store, log, state } = openLog(whole.storage(), smallLog)
    for (let index = 0; index < 60; index++) {
      store.fs.write(path(`/d${index % 3}/f${index}`), filled(90, index), { parents: true })
      if (index % 20 === 19) log.checkpoint(state())
    }
    const tree = describeTree(store.fs)
    const contents = whole.contents()
    const damaged = filesOf(contents, 'checkpoint').reduce((from, index) => changed(from, index, flip(60)), contents)
    const disk = new FakeDisk(damaged)
    expect(() => openLog(disk.storage(), smallLog)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
    expect(disk.writes).toEqual([])
    const cut = openLog(disk.storage(), { ...smallLog, onDamage: 'cut' })
    expect(cut.losses).toContainEqual({ what: 'checkpoints' })
    expect(pathsIn(describeTree(cut.store.fs))).toEqual(pathsIn(tree))
  })

  test('of one bit in the log is mended, and told', () => {
    const disk = new FakeDisk()
    const { store } = openLog(disk.storage(), smallLog)
    for (let index = 0; index < 60; index++) store.fs.write(path(`/f${index % 7}`), filled(9, index))
    const tree = describeTree(store.fs)
    const [first = 0] = filesOf(disk.contents(), 'segment')
    const opened = openLog(new FakeDisk(changed(disk.contents(), first, flip(900))).storage(), smallLog)
    expect(describeTree(opened.store.fs)).toBe(tree)
    expect(problemsOf(opened).map(({ hint }) => hint)).toEqual([expect.stringContaining('repaired')])
  })

  test('before the end is an error with a list of what is lost; `cut` goes on with everything that is whole', () => {
    const disk = new FakeDisk()
    const { store } = openLog(disk.storage(), smallLog)
    for (let index = 0; index < 60; index++) store.fs.write(path(`/f${index}`), filled(90, index))
    const [first = 0, second = 0, ...more] = filesOf(disk.contents(), 'segment')
    expect(more.length).toBeGreaterThan(0)
    for (const index of [first, second]) {
      const broken = new FakeDisk(changed(disk.contents(), index, bytes => bytes.fill(0x55, 900, 1_000)))
      expect(() => openLog(broken.storage(), smallLog)).toThrow(
        expect.objectContaining({ code: 'store-damaged', details: { losses: [expect.objectContaining({ what: 'changes' })] } }),
      )
      expect(broken.writes).toEqual([])
      const cut = openLog(broken.storage(), { ...smallLog, onDamage: 'cut' })
      const names = cut.store.fs.list(path('/')).map(({ name }) => name)
      const readable = names.filter(name => contentIn(cut, name) !== undefined)
      for (const name of readable) expect(contentIn(cut, name)).toEqual(filled(90, Number(name.slice(1))))
      // The damage is as long as half a record, so it costs one or two.
      expect(readable.length).toBeGreaterThanOrEqual(58)
      const again = openLog(broken.storage(), smallLog)
      expect(again.store.fs.list(path('/')).map(({ name }) => name)).toEqual(names)
      expect(problemsOf(again)).toEqual([])
    }
  })

  test('at the end, in what was flushed, is no unfinished end', () => {
    const disk = new FakeDisk()
    const { store, log } = openLog(disk.storage(), { clock: () => 1_000 })
    for (let index = 0; index < 40; index++) store.fs.write(path(`/f${index}`), filled(90, index))
    log.flush()
    const [segment = 0] = filesOf(disk.contents(), 'segment')
    const damaged = changed(disk.contents(), segment, bytes => bytes.fill(0x55, 4_000, 4_100))
    expect(() => openLog(new FakeDisk(damaged).storage(), smallLog)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
  })

  test('at the end, in what was not flushed, is told, and its bytes stay', () => {
    const disk = new FakeDisk()
    const { store, log } = openLog(disk.storage(), { clock: () => 1_000 })
    store.fs.write(path('/flushed'), filled(90, 1))
    log.flush()
    for (let index = 0; index < 40; index++) store.fs.write(path(`/f${index}`), filled(90, index))
    const [segment = 0] = filesOf(disk.contents(), 'segment')
    const damaged = new FakeDisk(changed(disk.contents(), segment, bytes => bytes.fill(0x55, 4_000, 4_100)))
    const opened = openLog(damaged.storage(), smallLog)
    expect(opened.cut).toMatchObject({ transactions: expect.any(Number) as number })
    expect(problemsOf(opened)[0]?.hint).toMatch(/\d+ changes that were made but not flushed/)
    expect(opened.store.fs.read(path('/flushed'))).toEqual(filled(90, 1))
    const before = describeTree(opened.store.fs)
    expect(damaged.contents()[segment]?.length).toBe(disk.contents()[segment]?.length)
    opened.store.fs.write(path('/again'), filled(90, 2))
    const again = openLog(new FakeDisk(damaged.contents()).storage(), smallLog)
    again.store.fs.remove(path('/again'), 'file')
    expect(pathsIn(describeTree(again.store.fs))).toEqual(pathsIn(before))
  })

  test('in a content is told when it is read, and not before', () => {
    const disk = new FakeDisk()
    const { store, log, state } = openLog(disk.storage(), smallLog)
    store.fs.write(path('/small'), filled(100, 1))
    store.fs.write(path('/large'), filled(1_000, 2))
    log.checkpoint(state())
    const [side = 0] = filesOf(disk.contents(), 'side')
    const [segment = 0] = filesOf(disk.contents(), 'segment')
    const damaged = changed(changed(disk.contents(), side, flip(500)), segment, bytes => flip(bytes.length - 60)(bytes))
    // The segment's last record is that of /large; its content lies in the side file, so the flip is in its facts or before.
    const opened = openLog(new FakeDisk(damaged).storage(), smallLog)
    expect(opened.store.fs.lookup(path('/large')).sizeBytes).toBe(1_000)
    expect(() => opened.store.fs.read(path('/large'))).toThrow(expect.objectContaining({ code: 'EIO' }))
    expect(opened.store.fs.read(path('/small'))).toEqual(filled(100, 1))
    opened.store.fs.write(path('/large'), filled(3, 3))
    expect(opened.store.fs.read(path('/large'))).toEqual(filled(3, 3))
  })

  test.each(['segment', 'side'])('a %s that is missing is an error', kind => {
    const disk = new FakeDisk()
    const { store } = openLog(disk.storage(), smallLog)
    store.fs.write(path('/large'), filled(1_000, 2))
    const [index = -1] = filesOf(disk.contents(), kind)
    const without = disk.contents().map((content, at) => (at === index ? new Uint8Array() : content))
    expect(() => openLog(new FakeDisk(without).storage(), smallLog)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
  })

  test('a file that is not ours, or of a newer release, is an error and never an empty store', () => {
    const { contents } = recorded()
    const foreign = new FakeDisk([...contents, new TextEncoder().encode('something else altogether')])
    expect(() => openLog(foreign.storage(), smallLog)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
    const newer = encodeHeader('segment', 99)
    const view = new DataView(newer.buffer)
    view.setUint16(4, formatVersion + 1, true)
    view.setUint32(12, crc32c(newer, 0, 12), true)
    expect(() => openLog(new FakeDisk([...contents, newer]).storage(), smallLog)).toThrow(
      expect.objectContaining({ code: 'store-newer' }),
    )
  })
})

test('without a spare file the log goes on in the one it has, and asks now and then', () => {
  const disk = new FakeDisk()
  const storage = disk.storage()
  let asked = 0
  let isExhausted = false
  const take = (): ReturnType<typeof storage.take> => {
    asked++
    return isExhausted ? undefined : storage.take()
  }
  const { store } = openLog({ ...storage, take }, smallLog)
  isExhausted = true
  asked = 0
  for (let index = 0; index < 200; index++) store.fs.write(path(`/f${index % 5}`), filled(150, index))
  expect(asked).toBeGreaterThan(20)
  expect(asked).toBeLessThan(120)
  expect(disk.writes.filter(({ kind }) => kind === 'flush').length).toBeLessThan(10)
  isExhausted = false
  for (let index = 0; index < 50; index++) store.fs.write(path(`/f${index % 5}`), filled(150, index))
  const before = describeTree(store.fs)
  expect(filesOf(disk.contents(), 'segment').length).toBeGreaterThan(2)
  expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), smallLog).store.fs)).toBe(before)
})

test.each([
  ...version1States.map(state => ({ label: `1 (${state})`, stored: () => version1Store(state) })),
  ...version2States.map(state => ({ label: `2 (${state})`, stored: () => version2Store(state) })),
  ...version3States.map(state => ({ label: `3 (${state})`, stored: () => version3Store(state) })),
])('a store of format $label opens on a full disk, and what is deleted there stays deleted', ({ stored }) => {
  const { disk, tree } = stored()
  disk.quotaBytes = disk.usedBytes + 2_000
  const open = openLog(disk.storage(), smallLog)
  expect(describeTree(open.store.fs)).toBe(tree)
  const file = open.store.fs.list(path('/')).find(({ kind }) => kind === 'file')
  if (file !== undefined) open.store.fs.remove(path(`/${file.name}`), 'file')
  const after = describeTree(open.store.fs)
  expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), smallLog).store.fs)).toBe(after)
  disk.quotaBytes = Infinity
  open.log.checkpointTwice(open.state())
  for (const unused of open.unused) open.log.files.discard(unused)
  expect(describeTree(openLog(new FakeDisk(disk.contents()).storage(), smallLog).store.fs)).toBe(after)
})
