// What the tab with the files sends when a file is changed: only what changed, and every other tab has the same bytes afterwards.
import { expect, test } from 'vitest'
import { parsePath } from '../../../core/path.ts'
import { sameBytes } from '../../../core/same-bytes.ts'
import { seeds } from '../../../testing/depth.ts'
import { FakeWorld, type FakeTab } from '../../../testing/opfs/fake-tabs.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { createRandom, type Random } from '../../../testing/random.ts'
import { createVfs } from '../../../vfs/create-vfs.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { toNodeFs } from '../../../vfs/facades/node/index.ts'
import { openLog } from '../log/open.ts'
import { Leader } from './leader.ts'
import { type Message, protocolVersion } from './messages.ts'

const log = parsePath('/log')
const kilobyte = (byte: number): Uint8Array => new Uint8Array(1_000).fill(byte % 251)

/** The bytes of contents that a leader sends while `count` kilobytes are appended to one file. */
function sentBytes(count: number, takesChanges: readonly boolean[]): number {
  const open = openLog(new FakeDisk().storage(), { clock: () => 1_000 })
  let sum = 0
  const broadcast = (message: Message): void => {
    for (const edit of message.kind === 'commit' ? message.edits : []) {
      const content = 'node' in edit && 'content' in edit.node ? edit.node.content : undefined
      if (content !== undefined && 'bytes' in content) sum += content.bytes.length
    }
  }
  const network = { broadcast, send() {}, close() {} }
  const leader = new Leader({ clientId: 'leader', open, network, now: () => 1_000, flush: async () => {}, epoch: 2 })
  for (const [index, takes] of takesChanges.entries()) {
    const facts = { kind: 'hello', transaction: -1, knownEpoch: 0, needsNumbers: false } as const
    leader.hear({ protocol: protocolVersion, from: `tab${index}`, ...facts, ...(takes ? { takesChanges: true } : {}) })
  }
  for (let index = 0; index < count; index++) open.store.fs.write(log, kilobyte(index), { append: true })
  return sum
}

test('appends are sent as what they append, and a few times again where the store joins them', () => {
  expect(sentBytes(200, [true])).toBeLessThan(200 * 1_000 * 3)
  expect(sentBytes(800, [true])).toBeLessThan(800 * 1_000 * 4)
})

test('a tab of an older release is sent whole contents', () => {
  const wholeBytes = 200 * 201 * 500
  expect(sentBytes(200, [false])).toBe(wholeBytes)
  expect(sentBytes(200, [true, false])).toBe(wholeBytes)
})

type Open = FakeTab & { readonly fs: NonNullable<FakeTab['fs']> }

async function opened(world: FakeWorld, keptBytes?: number): Promise<Open> {
  const tab = world.open(keptBytes)
  await world.run(() => tab.shared !== undefined)
  return tab as Open
}

async function done<T>(world: FakeWorld, work: Promise<T>): Promise<T> {
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  watched.catch(() => {})
  await world.run(() => isOver)
  return watched
}

async function change(world: FakeWorld, { fs }: Open, random: Random): Promise<void> {
  const vfs = createVfs(fs)
  const data = new Uint8Array(random.below(random.chance(0.2) ? 120_000 : 3_000)).fill(random.below(251))
  const { sizeBytes } = await done(world, vfs.stat(log))
  const kind = random.below(10)
  if (kind < 4) await done(world, vfs.writeFile(log, data, { append: true }))
  else if (kind === 4) {
    const twice = vfs.batch(async draft => {
      await draft.writeFile(log, data, { append: true })
      await draft.writeFile('/other', data)
      await draft.writeFile(log, data.subarray(0, 10), { append: true })
    })
    await done(world, twice)
  } else if (kind === 5)
    await done(
      world,
      vfs.rename(log, '/moved').then(() => vfs.rename('/moved', log)),
    )
  else if (kind === 6) {
    const bytes = await done(world, vfs.readFile(log))
    bytes.fill(7, 0, 5)
    await done(world, vfs.writeFile(log, random.chance(0.5) ? bytes : bytes.subarray(0, random.below(sizeBytes))))
  } else {
    const handle = await done(world, toNodeFs(vfs).promises.open(log, 'r+'))
    await done(world, handle.write(data, 0, data.length, random.below(sizeBytes + 1)))
    await done(world, handle.close())
  }
}

test.each(Array.from({ length: seeds({ quick: 4, deep: 60 }) }, (_, index) => index + 1))(
  'every tab has the same bytes after changes of seed %i',
  async seed => {
    const random = createRandom(seed)
    const place = random.chance(0.3) ? 'database' : 'disk'
    const world = new FakeWorld(random, { delayMs: 2, duplicates: 0, place })
    const leading = await opened(world)
    await done(world, leading.fs.write(log, new Uint8Array(random.below(200_000)).fill(1)))
    // The last one does not keep all contents.
    const tabs = [leading, await opened(world), await opened(world, 50_000)]
    for (let count = 0; count < 30; count++) {
      const isLeading = random.chance(0.7)
      // A change may be refused because another one has not arrived yet.
      await change(world, isLeading ? leading : random.pick(tabs), random).catch((error: unknown) => {
        if (!isVfsError(error, 'ESTALE', 'EAGAIN')) throw error
      })
      if (isLeading && random.chance(0.4)) continue
      await world.run(() => false, 100)
      const [first, ...others] = await done(world, Promise.all(tabs.map(({ fs }) => fs.read(log))))
      for (const bytes of others) expect(sameBytes(bytes, first ?? new Uint8Array())).toBe(true)
    }
  },
)
