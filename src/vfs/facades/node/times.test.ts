// Times that a program sets: the same as on Linux with Node, over each backend, down to the microsecond.
import { test } from 'vitest'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import type { WholeFs } from '../../../testing/node-fs-subjects.ts'

type Time = number | string | Date
type Set = (fs: WholeFs, path: string, atime: Time, mtime: Time) => unknown

interface Run {
  readonly fs: WholeFs
  readonly root: string
}

const sets: Readonly<Record<string, Set>> = {
  utimes: (fs, path, ...times) => fs.utimesSync(path, ...times),
  lutimes: (fs, path, ...times) => fs.lutimesSync(path, ...times),
  futimes: (fs, path, ...times) => {
    const fd = fs.openSync(path, 'r+')
    fs.futimesSync(fd, ...times)
    fs.closeSync(fd)
  },
  'utimes and chmod': (fs, path, ...times) => {
    fs.utimesSync(path, ...times)
    fs.chmodSync(path, 0o600)
  },
  'utimes and link': (fs, path, ...times) => {
    fs.utimesSync(path, ...times)
    fs.linkSync(path, `${path}.link`)
    fs.unlinkSync(`${path}.link`)
  },
  'utimes of a handle': async (fs, path, ...times) => {
    const handle = await fs.promises.open(path, 'r')
    await handle.utimes(...times)
    await handle.close()
  },
}

const times: readonly (readonly [atime: Time, mtime: Time])[] = [
  [1.5, 2.25],
  [5, 7],
  [1_700_000_000.5, 1_600_000_000.25],
  ['1.0625', '-3.5'],
  [new Date(1234), new Date(-1500)],
  [0.000_001, 3.123_456],
  [1.001, 1_444_384_103.372],
  [new Date(1_444_384_103_372), new Date(-132_780_074)],
  ['-930758.777460603', 1_624_840_382.755_355_1],
]

const steps = Object.entries(sets).flatMap(([name, set]) =>
  times.map(([atime, mtime]) => ({
    text: `${name} ${String(atime)} ${String(mtime)}`,
    async act({ fs, root }: Run) {
      const path = `${root}/f`
      await set(fs, path, atime, mtime)
      const plain = fs.lstatSync(path)
      const big = fs.statSync(path, { bigint: true })
      return [
        [plain.atimeMs, plain.mtimeMs, plain.atime.toJSON(), plain.mtime.toJSON()],
        [big.atimeMs, big.mtimeMs, big.atimeNs, big.mtimeNs, big.atime.toJSON(), big.mtime.toJSON()],
      ]
    },
  })),
)

test.runIf(canCompare)('times are stored as they are set (needs root)', async () => {
  await expectAsNode('times', steps, async ({ fs, root }) => {
    fs.writeFileSync(`${root}/f`, 'text')
    return { run: { fs, root }, end: async () => {} }
  })
})
