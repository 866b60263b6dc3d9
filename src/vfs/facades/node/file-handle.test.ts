// Open files, compared with Node's.
import { expect, test } from 'vitest'
import { codeOf, compareWithNode, kindOf, type NodeFsAct, type NodeFsRow } from '../../../testing/node-fs-comparison.ts'
import type { NodeFsPromises } from './index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const handles: readonly NodeFsRow[] = [
  ['open: missing', '', (fs, r) => fs.open(`${r}/f`)],
  ['open: w makes it', '', async (fs, r) => (await fs.open(`${r}/f`, 'w')).close()],
  ['open: w empties it', 'f=abc', async (fs, r) => (await fs.open(`${r}/f`, 'w')).close()],
  ['open: a leaves it', 'f=abc', async (fs, r) => (await fs.open(`${r}/f`, 'a')).close()],
  ['open: wx when there', 'f=abc', (fs, r) => fs.open(`${r}/f`, 'wx')],
  ['open: ax when there', 'f=abc', (fs, r) => fs.open(`${r}/f`, 'ax')],
  ['open: r+ when missing', '', (fs, r) => fs.open(`${r}/f`, 'r+')],
  ['open: a directory to write', 'd/', (fs, r) => fs.open(`${r}/d`, 'w')],
  [
    'open: bits',
    '',
    async (fs, r) => {
      const { O_CREAT, O_RDWR } = fs.constants
      const h = await fs.open(`${r}/f`, O_CREAT | O_RDWR)
      await h.write('abc')
      await h.close()
    },
  ],
  ['open: unknown flags', 'f=1', (fs, r) => codeOf(fs.open(`${r}/f`, 'q'))],
  [
    'handle: reads on',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(4)
      return [(await h.read(b)).bytesRead, [...b], (await h.read(b)).bytesRead, [...b], (await h.read(b)).bytesRead]
    }),
  ],
  [
    'handle: reads at a position',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(2)
      await h.read(b, 0, 2, 3)
      const first = [...b]
      await h.read(b, 0, 2)
      return [first, [...b]]
    }),
  ],
  [
    'handle: reads into the middle',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(4)
      return [(await h.read(b, 1, 2, null)).bytesRead, [...b]]
    }),
  ],
  [
    'handle: reads with options',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(4)
      return [(await h.read({ buffer: b, offset: 2, length: 2, position: 1 })).bytesRead, [...b]]
    }),
  ],
  [
    'handle: takes the length of a list as the length to read',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(4)
      return [(await h.read(b, [1, 2] as object)).bytesRead, (await h.read(b, [] as object)).bytesRead, [...b]]
    }),
  ],
  [
    'handle: takes no length as the rest of the buffer',
    'f=abcdef',
    using('r', async h => {
      const b = new Uint8Array(4)
      const counts = [await h.read(b, { length: null }), await h.read({ buffer: b, length: null, position: 1 })]
      return [...counts.map(({ bytesRead }) => bytesRead), [...b], await codeOf(h.read(new Uint8Array(), { length: null }))]
    }),
  ],
  [
    'handle: reads the rest',
    'f=abcdef',
    using('r', async h => {
      await h.read(new Uint8Array(2))
      return [await h.readFile('utf8'), await h.readFile('utf8')]
    }),
  ],
  [
    'handle: writes on',
    '',
    using('w', async h => [(await h.write('ab')).bytesWritten, (await h.write(bytes('cdef'), 1, 2)).bytesWritten]),
  ],
  [
    'handle: writes at a position',
    'f=abcdef',
    using('r+', async h => {
      await h.write('XY', 2)
      await h.write('Z')
    }),
  ],
  [
    'handle: writes behind the end',
    'f=ab',
    using('r+', async h => {
      await h.write(bytes('z'), 0, 1, 4)
      return [...(await h.readFile())].length
    }),
  ],
  [
    'handle: appends wherever it is',
    'f=ab',
    using('a', async h => {
      await h.write('c', 0)
      await h.appendFile('d')
    }),
  ],
  [
    'handle: writeFile goes on from its position',
    'f=abcdef',
    using('r+', async h => {
      await h.read(new Uint8Array(2))
      await h.writeFile('X')
    }),
  ],
  [
    'handle: w+ reads what it wrote',
    '',
    using('w+', async h => {
      await h.writeFile('abc')
      const b = new Uint8Array(3)
      await h.read(b, 0, 3, 0)
      return [...b]
    }),
  ],
  ['handle: truncates', 'f=abcdef', using('r+', h => h.truncate(2))],
  [
    'handle: stats',
    'f=abc',
    using('r', async h => {
      const s = await h.stat()
      return [s.size, kindOf(s)]
    }),
  ],
  [
    'handle: sync and chmod',
    'f=abc',
    using('r+', async h => {
      await h.sync()
      await h.datasync()
      await h.chmod(0o700)
    }),
  ],
  ['handle: r cannot write', 'f=abc', using('r', h => h.write('x'))],
  ['handle: w cannot read', 'f=abc', using('w', h => h.read(new Uint8Array(1)))],
  [
    'handle: closed',
    'f=abc',
    async (fs, r) => {
      const h = await fs.open(`${r}/f`)
      await h.close()
      return codeOf(h.read(new Uint8Array(1)))
    },
  ],
  [
    'handle: as a path',
    'f=abc',
    async (fs, r) => {
      const h = await fs.open(`${r}/f`)
      const text = await fs.readFile(h, 'utf8')
      await h.close()
      return text
    },
  ],
]

function using(flags: string, act: (handle: Awaited<ReturnType<NodeFsPromises['open']>>) => Promise<unknown>): NodeFsAct {
  return async (fs, root) => {
    const handle = await fs.open(`${root}/f`, flags)
    try {
      return await act(handle)
    } finally {
      await handle.close()
    }
  }
}

test.each(handles)('as Node: %s', async (_rule, tree, act) => {
  const { node, ours } = await compareWithNode(tree, act)
  expect(ours).toEqual(node)
})
