// Calls whose answers depend on the face (synchronous, callback, promise): the same as on Node, over each backend.
import { once } from 'node:events'
import type { Dirent, Stats } from 'node:fs'
import { test } from 'vitest'
import { canCompare, expectAsNode, type PlayedStep } from '../../../testing/expect-as-node.ts'
import type { FsSubject, WholeFs } from '../../../testing/node-fs-subjects.ts'

interface Run {
  readonly fs: WholeFs
  readonly root: string
}

type AnyCall = (...args: readonly unknown[]) => unknown
type Arguments = (root: string, fs: WholeFs) => readonly unknown[]

const faces: Readonly<Record<string, (fs: WholeFs, name: string, args: readonly unknown[]) => unknown>> = {
  synchronous: (fs, name, args) => (Reflect.get(fs, `${name}Sync`) as AnyCall)(...args),
  callback: (fs, name, args) =>
    new Promise(resolve => {
      ;(Reflect.get(fs, name) as AnyCall)(...args, (...answer: readonly unknown[]) => resolve(answer))
    }),
  promise: (fs, name, args) => (Reflect.get(fs.promises, name) as AnyCall)(...args),
}

function* chunks(): Generator<string> {
  yield 'chunk'
}

const rows: readonly (readonly [name: string, args: Arguments])[] = [
  ...['file', 'empty', 'd', 'none'].map((path): [string, Arguments] => ['readFile', root => [`${root}/${path}`, 'buffer']]),
  ['readFile', root => [`${root}/file`, { signal: AbortSignal.abort('why') }]],
  ['writeFile', root => [`${root}/file`, 'text', { signal: AbortSignal.abort('why') }]],
  ['writeFile', root => [`${root}/chunks`, chunks()]],
  ['readdir', root => [root, { withFileTypes: true, encoding: 'hex' }]],
  ['readdir', root => [`${root}/d`, { recursive: 'x' }]],
  ['readdir', root => [`${root}/d`, { recursive: null }]],
  // Neither here nor in memory can a copy share blocks: what else is wrong is told first.
  ...['none', 'file/x', 'file', 'd'].map((path): [string, Arguments] => [
    'copyFile',
    root => [`${root}/${path}`, `${root}/cloned`, 4],
  ]),
  ['mkdir', root => [`${root}/gone/x`, { recursive: true }]],
  ['mkdir', root => [`${root}/gone`, { recursive: true }]],
  ...[
    'link',
    'link/',
    'link-to-link',
    'link-to-file',
    'gone',
    'gone/',
    'file',
    'file/',
    'none',
    'none/',
    'loop',
    'd/.',
    'file/x',
  ].map((path): [string, Arguments] => [
    'rmdir',
    (root, fs) => {
      plantLinks(fs, root)
      return [`${root}/${path}`, { recursive: true }]
    },
  ]),
]

function plantLinks(fs: WholeFs, root: string): void {
  for (const [name, target] of Object.entries({ link: 'd', 'link-to-link': 'link', 'link-to-file': 'file', loop: 'loop' })) {
    fs.rmSync(`${root}/${name}`, { force: true })
    fs.symlinkSync(target, `${root}/${name}`)
  }
}

const steps: readonly PlayedStep<Run>[] = [
  ...rows.flatMap(([name, args]) =>
    Object.entries(faces).map(([face, call]) => ({
      text: `${name}, ${face}`,
      async act({ fs, root }: Run) {
        const answer = await call(fs, name, args(root, fs))
        return name === 'readdir' ? sorted(answer) : [answer, sorted(fs.readdirSync(root))]
      },
    })),
  ),
  {
    text: 'read with null as offset',
    act: ({ fs, root }) =>
      new Promise(resolve => {
        const fd = fs.openSync(`${root}/file`, 'r')
        ;(Reflect.get(fs, 'read') as AnyCall)(fd, Buffer.alloc(3), null, 2, 0, (...answer: readonly unknown[]) => {
          fs.closeSync(fd)
          resolve(answer)
        })
      }),
  },
  {
    text: 'read into an empty view',
    async act({ fs, root }) {
      const handle = await fs.promises.open(`${root}/file`)
      try {
        return await handle.read(new DataView(new ArrayBuffer(2), 2, 0), 0, 1)
      } finally {
        await handle.close()
      }
    },
  },
  ...[3, 'x', true, [], () => {}].map(options => ({
    text: `a handle reads with ${typeof options} in the place of options`,
    async act({ fs, root }: Run) {
      const handle = await fs.promises.open(`${root}/file`)
      try {
        return await handle.read(options as object)
      } finally {
        await handle.close()
      }
    },
  })),
  ...['appendFileSync', 'writeFileSync'].map(name => ({
    text: `what a+ appends with ${name} is behind what is read next`,
    async act({ fs, root }: Run) {
      const fd = fs.openSync(`${root}/file`, 'a+')
      try {
        fs.readSync(fd, Buffer.alloc(2), 0, 2, null)
        ;(Reflect.get(fs, name) as AnyCall)(fd, 'more')
        return fs.readFileSync(fd, 'utf8')
      } finally {
        fs.closeSync(fd)
      }
    },
  })),
  { text: 'opendir without a callback', act: async ({ fs, root }) => (fs.opendir as AnyCall)(root, {}) },
  {
    text: 'stats, and entries of every type, made by a program',
    async act({ fs }) {
      const stats = Reflect.construct(fs.Stats, [1, 0o040755, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 2000, 3000, 4000]) as Stats
      const entries = Array.from({ length: 9 }, (_, type) => Reflect.construct(fs.Dirent, ['n', type, '/p']) as Dirent)
      stats.mtime = new Date(9)
      return [
        { ...stats, atime: stats.atime, ctime: stats.ctime, birthtime: stats.birthtime },
        stats.isDirectory(),
        entries.map(entry => [entry.name, entry.parentPath, ...typeTests.map(test => entry[test]())]),
      ]
    },
  },
  {
    text: 'dates of big stats can be set',
    async act({ fs, root }) {
      const stats = fs.statSync(root, { bigint: true })
      stats.mtime = new Date(9)
      return stats.mtime
    },
  },
  ...[0, undefined, false].map(throwIfNoEntry => ({
    text: `stat with throwIfNoEntry: ${throwIfNoEntry}`,
    act: async ({ fs, root }: Run) => Reflect.apply(fs.statSync, fs, [`${root}/none`, { throwIfNoEntry }]) as unknown,
  })),
  { text: 'a Dir made by a program', act: async ({ fs, root }) => Reflect.construct(fs.Dir, [undefined, root]) as unknown },
  {
    text: 'a Dir reads at once what it has read already',
    async act({ fs, root }) {
      const directory = fs.opendirSync(`${root}/d`, { bufferSize: 1 })
      const [first] = [directory.read(), attempted(() => directory.readSync())]
      await first
      const second = directory.read()
      return [attempted(() => directory.closeSync()), await second, await directory.close()]
    },
  },
  {
    text: 'entries of a directory that is given as bytes',
    act: async ({ fs, root }) =>
      fs
        .readdirSync(Buffer.from(root), { withFileTypes: true })
        .map(({ name, parentPath }) => `${name} ${Buffer.isBuffer(parentPath)} ${String(parentPath)}`)
        .toSorted(),
  },
  {
    text: 'a handle says that it closes before its promise is kept',
    async act({ fs, root }) {
      const seen: string[] = []
      const handle = await fs.promises.open(`${root}/file`)
      ;(handle as unknown as NodeJS.EventEmitter).on('close', () => seen.push('close'))
      const closing = handle.close()
      seen.push('asked')
      await closing
      return seen
    },
  },
  {
    text: 'a handle closes its streams, and stays open until they are closed',
    async act({ fs, root }) {
      const seen: unknown[] = []
      const handle = await fs.promises.open(`${root}/file`)
      const stream = handle.createReadStream({ autoClose: false })
      for (const name of ['data', 'end', 'error', 'close']) stream.on(name, () => seen.push(name))
      await once(stream, 'end')
      await Promise.all([handle.close(), once(stream, 'close')])
      return [seen, handle.fd, stream.destroyed]
    },
  },
  {
    text: 'a stream on a handle takes no other fs',
    async act({ fs, root }) {
      const handle = await fs.promises.open(`${root}/file`)
      const refusal = attempted(() => fs.createReadStream('', { fd: handle, fs } as object))
      await handle.close()
      return refusal
    },
  },
  {
    text: 'a removed directory stays open',
    async act({ fs, root }) {
      fs.mkdirSync(`${root}/gone-soon`)
      const fd = fs.openSync(`${root}/gone-soon`, 'r')
      fs.rmdirSync(`${root}/gone-soon`)
      const { nlink, mode } = fs.fstatSync(fd)
      fs.closeSync(fd)
      return [nlink, mode]
    },
  },
  { text: 'a directory opened neither to read nor to write', act: async ({ fs, root }) => fs.openSync(root, 3) },
  {
    text: 'fs.promises.watch says what is wrong when it is asked for an event',
    async act({ fs, root }) {
      const events = (fs.promises.watch as AnyCall)(root, { recursive: 1 }) as AsyncIterator<unknown>
      return [typeof events.next, await events.next().catch((error: unknown) => error)]
    },
  },
  {
    text: 'cp with options that contradict each other',
    act: async ({ fs, root }) => fs.cpSync(root, `${root}/new`, { dereference: true, verbatimSymlinks: true }),
  },
  {
    text: 'a read at a position that no file has',
    async act({ fs, root }) {
      const fd = fs.openSync(`${root}/file`, 'r')
      const refusal = attempted(() => fs.readSync(fd, Buffer.alloc(1), 0, 1, 2n ** 63n))
      fs.closeSync(fd)
      return refusal
    },
  },
  {
    text: 'callbacks come after ticks and promises',
    act: ({ fs, root }) =>
      new Promise(resolve => {
        const seen: string[] = []
        fs.stat(root, () => resolve([...seen, 'stat']))
        process.nextTick(() => seen.push('tick'))
        void Promise.resolve().then(() => seen.push('promise'))
      }),
  },
  {
    text: 'the names of a stat',
    act: async ({ fs, root }) => {
      const found: string[] = []
      for (const name in fs.statSync(`${root}/file`)) if (!name.startsWith('is') && !name.startsWith('_')) found.push(name)
      return found.toSorted()
    },
  },
]

const typeTests = [
  'isFile',
  'isDirectory',
  'isSymbolicLink',
  'isFIFO',
  'isSocket',
  'isBlockDevice',
  'isCharacterDevice',
] as const satisfies readonly (keyof Dirent)[]

function attempted(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

/** Listings have no order in Linux. */
function sorted(answer: unknown): unknown {
  const [list, ...before] = Array.isArray(answer) && answer[0] === null ? (answer as unknown[]).toReversed() : [answer]
  if (!Array.isArray(list)) return answer
  const names = (list as readonly { readonly name?: unknown }[]).map(entry => entry.name ?? entry)
  return [before, names.map(String).toSorted()]
}

const prepare = async ({ fs, root }: FsSubject): Promise<{ readonly run: Run; readonly end: () => Promise<void> }> => {
  fs.mkdirSync(`${root}/d/e`, { recursive: true })
  for (const [path, text] of Object.entries({ file: 'text', empty: '', 'd/e/f': '1' })) fs.writeFileSync(`${root}/${path}`, text)
  fs.symlinkSync('none', `${root}/gone`)
  return { run: { fs, root }, end: async () => {} }
}

test.runIf(canCompare)('each face answers as in Node (needs root)', async () => {
  await expectAsNode('faces', steps, prepare)
})
