// Watching files, reading directories entry by entry, and files as blobs: the same calls on Node and on the facade over each backend.
import { expect, test } from 'vitest'
import { canCompare, expectAsNode } from '../../../testing/expect-as-node.ts'
import { facadeSubject, type FsSubject, type WholeFs } from '../../../testing/node-fs-subjects.ts'

interface Run {
  readonly fs: WholeFs
  readonly root: string
}
type Act = (fs: WholeFs, root: string) => unknown
type Row = readonly [rule: string, act: Act]

async function prepare({ fs, root }: FsSubject): Promise<{ readonly run: Run; readonly end: () => Promise<void> }> {
  fs.mkdirSync(`${root}/d/e`, { recursive: true })
  fs.writeFileSync(`${root}/f`, '0123456789')
  fs.writeFileSync(`${root}/d/h`, 'h')
  fs.symlinkSync('f', `${root}/l`)
  fs.symlinkSync('d', `${root}/dl`)
  fs.symlinkSync('none', `${root}/gone`)
  fs.symlinkSync('loop', `${root}/loop`)
  return { run: { fs, root }, end: async () => {} }
}

/** Calls with values that types do not allow. */
const called = (act: unknown, args: readonly unknown[]): unknown => Reflect.apply(act as () => unknown, undefined, args)

/** The events of a watch, each once, until `last` has been heard, which `act` causes in the end. */
async function heard(fs: WholeFs, args: readonly unknown[], last: string, act: () => void): Promise<readonly string[]> {
  const events = new Set<string>()
  const watcher = called(fs.watch, args) as ReturnType<WholeFs['watch']>
  await new Promise<void>(resolve => {
    watcher.on('change', (type, name) => {
      const event = `${type} ${name instanceof Buffer ? name.toString('hex') : String(name)}`
      events.add(event)
      if (event === last) resolve()
    })
    act()
  })
  watcher.close()
  return [...events].toSorted()
}

const watchRows: readonly (readonly [
  what: string,
  args: (root: string) => readonly unknown[],
  last: string,
  act: (fs: WholeFs, root: string) => void,
])[] = [
  ['a move into a directory below', r => [r], 'rename end', (fs, r) => fs.renameSync(`${r}/f`, `${r}/d/g`)],
  ['a move out of a directory below', r => [r], 'rename end', (fs, r) => fs.renameSync(`${r}/d/h`, `${r}/h`)],
  ['a change in a directory below', r => [r], 'rename end', (fs, r) => fs.appendFileSync(`${r}/d/h`, 'x')],
  ['a rename', r => [r], 'rename end', (fs, r) => fs.renameSync(`${r}/f`, `${r}/g`)],
  ['a removal', r => [r, {}], 'rename end', (fs, r) => fs.unlinkSync(`${r}/f`)],
  ['new bits', r => [r, null], 'rename end', (fs, r) => fs.chmodSync(`${r}/f`, 0o600)],
  ['names as bytes', r => [r, 'buffer'], `rename ${Buffer.from('end').toString('hex')}`, (fs, r) => fs.mkdirSync(`${r}/né`)],
  [
    'names in base64',
    r => [r, { encoding: 'base64' }],
    `rename ${Buffer.from('end').toString('base64')}`,
    (fs, r) => fs.mkdirSync(`${r}/né`),
  ],
  ['a file by its name', r => [`${r}/f`], 'change f', (fs, r) => fs.chmodSync(`${r}/f`, 0o600)],
  ['a file by a link', r => [`${r}/l`], 'change l', (fs, r) => fs.chmodSync(`${r}/f`, 0o600)],
  ['a directory by a link', r => [`${r}/dl`], 'change h', (fs, r) => fs.chmodSync(`${r}/d/h`, 0o600)],
]

test.runIf(canCompare).each(watchRows)('a watch tells of %s (needs root)', async (what, args, last, act) => {
  const step = {
    text: what,
    act: ({ fs, root }: Run) =>
      heard(fs, args(root), last, () => {
        act(fs, root)
        if (last.startsWith('rename')) fs.mkdirSync(`${root}/end`)
      }),
  }
  await expectAsNode(what, [step], prepare)
})

const each = (values: readonly (readonly unknown[])[], act: (...args: readonly unknown[]) => unknown): Promise<unknown[]> =>
  Promise.all(values.map(async args => (async () => act(...args))().catch((error: unknown) => error)))
const paths = ['none', 'f/', 'f/x', 'gone', 'loop'] as const
const nothing = (): void => {}

async function names(directory: AsyncIterable<{ readonly name: unknown; readonly parentPath: string }>): Promise<unknown[]> {
  const found: string[] = []
  for await (const { name, parentPath } of directory) found.push(`${parentPath} ${String(name)}`)
  return found.toSorted()
}

const rows: readonly Row[] = [
  [
    'a read of a closed directory throws, and a second close rejects',
    async (fs, r) => {
      const directory = await fs.promises.opendir(r)
      await directory.close()
      try {
        return await directory.read().catch(() => 'rejected')
      } catch (error) {
        return [error, await directory.close().catch((failure: unknown) => failure)]
      }
    },
  ],
  [
    'what a watch refuses',
    (fs, r) =>
      each(
        [
          ...paths.map(path => [`${r}/${path}`]),
          [''],
          [r, {}, 'x'],
          [r, {}, null],
          [r, 'utf8', 5],
          [r, 5],
          [r, null],
          [r, { recursive: 1 }],
          [r, { signal: null }],
        ],
        (...args) => {
          const watcher = called(fs.watch, args) as { close(): void }
          watcher.close()
          return 'watched'
        },
      ),
  ],
  [
    'what a watch by promises refuses',
    (fs, r) =>
      each(
        [...paths.map(path => [`${r}/${path}`]), [''], [5], [r, 'buffer'], [r, 5], [r, { persistent: 'x' }], [r, { signal: 1 }]],
        (...args) => (called(fs.promises.watch, args) as AsyncGenerator).next(),
      ),
  ],
  [
    'a watch that is aborted',
    async (fs, r) => {
      const seen: unknown[] = []
      const controller = new AbortController()
      const watcher = fs.watch(r, { signal: controller.signal }, () => seen.push('changed'))
      const closed = new Promise<void>(resolve => watcher.once('close', resolve))
      controller.abort()
      seen.push('returned')
      await closed
      watcher.close()
      return seen
    },
  ],
  [
    'what the functions that poll a file refuse',
    (fs, r) =>
      each(
        [
          [5, nothing],
          [`${r}/f`],
          [`${r}/f`, {}],
          [`${r}/f`, 5, nothing],
          [`${r}/f`, null, nothing],
          [`${r}/f`, 'x', nothing],
          [`${r}/f`, nothing, nothing],
          [`${r}/f`, {}, 5],
          [`${r}/f`, { interval: -1 }, nothing],
          [`${r}/f`, { interval: 'x' }, nothing],
          [`${r}/f`, { interval: 1.5 }, nothing],
        ],
        (...args) => {
          called(fs.watchFile, args)
          called(fs.unwatchFile, [args[0]])
          return 'polled'
        },
      ),
  ],
  [
    'a missing file that is polled',
    async (fs, r) => {
      const stats = await new Promise<import('node:fs').Stats>(
        resolve => void fs.watchFile(`${r}/none`, { interval: 5 }, resolve),
      )
      fs.unwatchFile(`${r}/none`)
      return [stats.isFile(), stats.isDirectory(), stats.mode, stats.nlink, stats.size, stats.mtimeMs, stats.ino]
    },
  ],
  [
    'a file that two listeners poll',
    async (fs, r) => {
      const file = `${r}/f`
      const one = fs.watchFile(file, { interval: 1000 }, nothing)
      const other = fs.watchFile(file, { interval: 1000 }, () => {})
      const counts = [one === other, one.listenerCount('change')]
      fs.unwatchFile(file, nothing)
      counts.push(one.listenerCount('change'))
      fs.unwatchFile(file)
      return [...counts, one.listenerCount('change')]
    },
  ],
  [
    'a blob',
    async (fs, r) => {
      const blob = await fs.openAsBlob(`${r}/l`, { type: 'text/plain' })
      return [blob.size, blob.type, await blob.text(), await blob.slice(2, 5).text()]
    },
  ],
  [
    'what a blob refuses',
    (fs, r) =>
      each(
        [
          [5],
          [null],
          [`${r}/f`, null],
          [`${r}/f`, 'x'],
          [`${r}/f`, { type: 5 }],
          [`${r}/f`, { type: null }],
          [`${r}/none`],
          [`${r}/loop`],
        ],
        async (...args) => {
          const blob = (await called(fs.openAsBlob, args)) as Blob
          return blob.size
        },
      ),
  ],
  [
    'a blob with wrong arguments throws at once',
    (fs, r) => {
      called(fs.openAsBlob, [`${r}/f`, { type: 5 }])
    },
  ],
  ...[undefined, null, 'utf8', { bufferSize: 1 }, { recursive: true }, { encoding: 'hex' }, { encoding: 'nope' }, 5].map(
    (options): Row => [
      `a directory opened with ${JSON.stringify(options)}`,
      async (fs, r) => {
        const directory = await fs.promises.opendir(r, options as { bufferSize?: number })
        return [directory.path, await names(directory)]
      },
    ],
  ),
  [
    'a closed directory',
    async (fs, r) => {
      const directory = await fs.promises.opendir(r)
      await directory.close()
      const calls: readonly (() => unknown)[] = [
        () => directory.close(),
        () => directory.closeSync(),
        () => directory.read(),
        () => directory.readSync(),
        () => names(directory),
        () => called(directory.close.bind(directory), [5]),
        () => called(directory.read.bind(directory), [5]),
        () => called(directory.read.bind(directory), [nothing]),
        () => new Promise(resolve => void directory.close(resolve)),
      ]
      return each(
        calls.map(call => [call]),
        call => (call as () => unknown)(),
      )
    },
  ],
  [
    'synchronous calls on a directory while others wait, and after it is being closed',
    async (fs, r) => {
      const directory = await fs.promises.opendir(r)
      const reading = directory.read()
      const whileReading = await Promise.all([outcomeNow(() => directory.readSync()), outcomeNow(() => directory.closeSync())])
      await reading
      const closing = directory.close()
      const whileClosing = outcomeNow(() => directory.readSync())
      await closing
      return [whileReading, whileClosing]
    },
  ],
  [
    'a directory whose loop is left',
    async (fs, r) => {
      const directory = await fs.promises.opendir(r)
      for await (const _ of directory) break
      return each([[]], () => directory.read())
    },
  ],
  [
    'an error of `opendir`',
    (fs, r) =>
      each(
        paths.map(path => [`${r}/${path}`]),
        path => fs.promises.opendir(path as string),
      ),
  ],
]

function outcomeNow(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test.runIf(canCompare).each(rows)('%s (needs root)', async (rule, act) => {
  await expectAsNode(rule, [{ text: rule, act: async ({ fs, root }: Run) => act(fs, root) }], prepare)
})

test.each(['memory', 'memfs', 'node'] as const)('statfsSync answers as statfs on %s', async name => {
  const subject = await facadeSubject(name, '/w')
  const { fs, root } = subject
  expect(fs.statfsSync(root)).toEqual(await fs.promises.statfs(root))
  expect(() => fs.statfsSync(`${root}/none`)).toThrow(expect.objectContaining({ code: 'ENOENT', syscall: 'statfs' }) as Error)
  await subject.dispose()
})
