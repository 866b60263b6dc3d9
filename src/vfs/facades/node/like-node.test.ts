// The synchronous functions with unusual arguments, and the objects that they return: the same calls on Node and on the facade.
import nodeFs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createVfs } from '../../create-vfs.ts'
import { createTreeStore } from '../../tree/store.ts'
import { treeBackend } from '../../tree/tree-backend.ts'
import { toNodeFs } from './index.ts'

type Fs = typeof nodeFs
type Row = readonly [rule: string, act: (fs: Fs, root: string) => unknown]

const store = createTreeStore(Date.now)
// Node's types are wider than ours; both are called with Node's.
const facade = toNodeFs(createVfs(treeBackend(() => store))) as unknown as Fs
const root = nodeFs.mkdtempSync(join(tmpdir(), 'like-node-'))
afterAll(() => nodeFs.rmSync(root, { recursive: true }))

for (const fs of [nodeFs, facade]) {
  fs.mkdirSync(join(root, 'd/e'), { recursive: true })
  fs.writeFileSync(join(root, 'd/f'), '0123456789')
}

/** A value, or the class and code of an error. */
function outcome(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${error.name} ${String(error.code)}` : error
  }
}

/** Calls `act` with values that types do not allow. */
const each = (values: readonly unknown[], act: (value: never) => unknown): readonly unknown[] =>
  values.map(value => outcome(() => act(value as never)))

const withFile = <T>(fs: Fs, path: string, act: (fd: number) => T): T => {
  const fd = fs.openSync(path, 'r')
  try {
    return act(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function readBoth(fs: Fs, at: string): number {
  const fd = fs.openSync(`${at}/d/f`, 3)
  try {
    return fs.readSync(fd, Buffer.alloc(1), 0, 1, 0)
  } finally {
    fs.closeSync(fd)
  }
}

function messageOf(act: () => void): unknown {
  try {
    return act()
  } catch (error) {
    return String(error)
  }
}

/** Errors from inside Node have the code only as a property. */
const textOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${String(error.code)} ${error.message}` : error
  }
}

const setTimes = (fs: Fs, path: string, time: string | number | Date): number => {
  fs.utimesSync(path, time, time)
  const { mtimeMs } = fs.statSync(path)
  // The current time is different in each run.
  return mtimeMs > Date.now() - 60_000 ? Infinity : mtimeMs
}

const rows: readonly Row[] = [
  ['numbers that are no descriptors are wrong paths', fs => each([1.5, 2 ** 32, NaN], fd => fs.readFileSync(fd))],
  ['they are not written', fs => each([1.5, 2 ** 32, NaN], fd => fs.writeFileSync(fd, ''))],
  [
    'a number that could be a descriptor is checked as one',
    (fs, at) => [
      textOf(() => fs.readFileSync(-1)),
      textOf(() => fs.writeFileSync(-1, 'x')),
      textOf(() => fs.writeFileSync(-1, 'x', {})),
      textOf(() => fs.appendFileSync(-1, 'x', {})),
      ...[-1, NaN, 2 ** 31].map(fd => textOf(() => fs.truncateSync(fd as never, 3))),
      textOf(() => fs.truncateSync(-1 as never, at as never)),
    ],
  ],
  [
    'options of stats are not checked, but true is needed',
    (fs, at) =>
      [null, { bigint: 1 }, { bigint: true }].map(given =>
        [fs.statSync, fs.lstatSync, fs.statfsSync].map(call =>
          messageOf(() => (call as (path: string, options: unknown) => object)(at, given).constructor.name as never),
        ),
      ),
  ],
  [
    'only what is missing is undefined without throwIfNoEntry',
    (fs, at) =>
      ['none', 'd/f/x', 'none/x'].map(name => messageOf(() => fs.statSync(`${at}/${name}`, { throwIfNoEntry: false }) as never)),
  ],
  [
    'a name that is too long is found after the source',
    (fs, at) =>
      [fs.renameSync, fs.linkSync]
        .map(call => ['d/f', 'none', 'none/x'].map(from => messageOf(() => call(`${at}/${from}`, `${at}/${'n'.repeat(256)}`))))
        .flat()
        .map(text => String(text).replaceAll(at, '')),
  ],
  [
    'cp names the path that cannot be',
    (fs, at) =>
      [
        ['', 'x'],
        ['/d/f', ''],
        ['/d/f', `/${'n'.repeat(256)}`],
      ].map(([from, to]) => messageOf(() => fs.cpSync(from === '' ? '' : `${at}${from}`, to === '' ? '' : `${at}${to}`))),
  ],
  [
    'conflicts have their code in the text, and cpSync has its own number',
    (fs, at) =>
      [() => fs.rmSync(`${at}/d`), () => fs.cpSync(`${at}/d`, `${at}/new`), () => fs.cpSync(`${at}/d`, `${at}/d`)].map(call => {
        try {
          return call()
        } catch (error) {
          return [String(error), { ...(error as object) }]
        }
      }),
  ],
  [
    'a directory is not removed by the name of a link',
    (fs, at) => {
      fs.symlinkSync('d', `${at}/link`)
      const said = textOf(() => fs.rmSync(`${at}/link/`, { recursive: true }))
      return [String(said).replaceAll(at, ''), fs.readdirSync(`${at}/d`), fs.unlinkSync(`${at}/link`)]
    },
  ],
  ['mkdtempSync names its pattern in errors', fs => messageOf(() => fs.mkdtempSync('/none/t-'))],
  [
    'readSync takes null for an offset, but not among options',
    (fs, at) =>
      withFile(fs, `${at}/d/f`, fd =>
        [null, {}, { offset: null }, { offset: undefined, length: 2 }, { offset: null, length: 2 }].map(options =>
          messageOf(() => fs.readSync(fd, Buffer.alloc(5), options as object) as never),
        ),
      ),
  ],
  ['rmdir does not look at force', (fs, at) => messageOf(() => fs.rmdirSync(`${at}/none`, { force: 1 } as object))],
  [
    'what is no whole number of bytes is made one',
    (fs, at) =>
      withFile(fs, `${at}/d/f`, fd =>
        [true, false, Infinity, 2.7, '3', 5n, [], {}].map(length =>
          messageOf(() => fs.readSync(fd, Buffer.alloc(5), 0, length as number, 0) as never),
        ),
      ),
  ],
  [
    'the options of a read come last',
    (fs, at) =>
      withFile(fs, `${at}/d/f`, fd =>
        [
          [{}, 5, 0],
          [[], 5, 0],
          [0, 5],
        ].map(rest => messageOf(() => Reflect.apply(fs.read, fs, [fd, Buffer.alloc(5), ...rest, () => undefined]))),
      ),
  ],
  [
    'realpath makes text of anything',
    fs => [undefined, null, true, Symbol('s')].map(path => outcome(() => fs.realpathSync(path as never)) instanceof TypeError),
  ],
  [
    'values in messages',
    (fs, at) => [() => 0, new Date(5), new Date(NaN)].map(flags => messageOf(() => fs.openSync(at, flags as never))),
  ],
  [
    'objects in messages',
    (fs, at) =>
      [class Shape {}, new Map([[1, 2]]), /x/g, new ArrayBuffer(2), new Set([1]), Object(3), new URL('http://a/b')].map(flags =>
        messageOf(() => fs.openSync(at, flags as never)),
      ),
  ],
  [
    'an option of cp that is given as undefined',
    (fs, at) =>
      (
        ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks', 'mode', 'filter'] as const
      ).map(name => messageOf(() => fs.cpSync(`${at}/d/f`, `${at}/copied`, { [name]: undefined }))),
  ],
  [
    'a length of null or undefined to read',
    (fs, at) =>
      withFile(fs, `${at}/d/f`, fd =>
        [null, undefined].flatMap(length => [
          fs.readSync(fd, Buffer.alloc(5), 1, length as never, 0),
          fs.readSync(fd, Buffer.alloc(5), { length, position: 0 } as never),
        ]),
      ),
  ],
  [
    'a mode of null, or a bufferSize of undefined',
    (fs, at) => [
      messageOf(() => fs.mkdirSync(`${at}/m`, { mode: null as never })),
      messageOf(() => fs.opendirSync(at, { bufferSize: undefined }).closeSync()),
    ],
  ],
  ['bytes in messages', fs => [new Uint8Array(3), Buffer.alloc(3)].map(path => messageOf(() => fs.accessSync(path as Buffer)))],
  ['modes in messages', (fs, at) => [NaN, Infinity, 8, -1].map(mode => messageOf(() => fs.accessSync(at, mode)))],
  [
    'the mode of access is three bits',
    (fs, at) => each([NaN, Infinity, 8, -1, 'x', true, null], m => fs.accessSync(`${at}/d`, m)),
  ],
  ['a negative time means now', (fs, at) => each([-1, -1.5, 0, 5], time => setTimes(fs, `${at}/d/e`, time))],
  [
    'a negative time as text or date does not',
    (fs, at) => each(['-1', '', ' ', '0x10', new Date(-5000)], time => setTimes(fs, `${at}/d/e`, time)),
  ],
  [
    'a filter of cpSync returns no promise',
    (fs, at) => outcome(() => fs.cpSync(`${at}/d/f`, `${at}/filtered`, { filter: (() => Promise.resolve(true)) as never })),
  ],
  [
    'text with the encoding of bytes is written at a position',
    (fs, at) => {
      fs.writeFileSync(`${at}/bytes`, 'ab')
      const fd = fs.openSync(`${at}/bytes`, 'r+')
      fs.writeSync(fd, 'x', 0, 'buffer' as never)
      fs.closeSync(fd)
      return fs.readFileSync(`${at}/bytes`, 'utf8')
    },
  ],
  ['no time', (fs, at) => each(['x', NaN, null, {}], time => setTimes(fs, `${at}/d/e`, time))],
  [
    'the third argument of read is options',
    (fs, at) => withFile(fs, `${at}/d/f`, fd => each([0, 'x', null, {}], given => fs.readSync(fd, Buffer.alloc(2), given))),
  ],
  ['a list is no options', (fs, at) => each([[], 'x', 1], given => fs.rmSync(`${at}/none`, given))],
  [
    'entries with names as bytes',
    (fs, at) => fs.readdirSync(`${at}/d`, { withFileTypes: true, encoding: 'buffer' }).map(e => e.name),
  ],
  ['an empty encoding is the default', (fs, at) => each([''], encoding => fs.readdirSync(at, { encoding }))],
  ['it is so for names', (fs, at) => each([''], encoding => fs.realpathSync(`${at}/d/..`, { encoding }))],
  ['the names of classes', (fs, at) => [fs.statSync(at), fs.statfsSync(at)].map(({ constructor }) => constructor.name)],
  ['functions have names', fs => [fs.stat.name, fs.statSync.name, fs.promises.stat.name, fs.promises.open.name]],
  [
    'a null byte is shown as it was given',
    fs =>
      ['a\0b', Buffer.from('a\0b'), new URL('file:///a%00b')].map(path => {
        try {
          return fs.readFileSync(path)
        } catch (error) {
          return String(error)
        }
      }),
  ],
  [
    'a closed descriptor gets free',
    (fs, at) => {
      const first = fs.openSync(`${at}/d/f`, 'r')
      fs.closeSync(first)
      return withFile(fs, `${at}/d/f`, fd => fd === first)
    },
  ],
  [
    'a closed descriptor is not flushed',
    (fs, at) => {
      const fd = withFile(fs, `${at}/d/f`, open => open)
      return [fs.fsyncSync, fs.fdatasyncSync].map(flush => outcome(() => flush(fd)))
    },
  ],
  [
    'appending at a position leaves the position',
    (fs, at) => {
      const fd = fs.openSync(`${at}/appended`, 'a+')
      fs.writeSync(fd, 'abc', 0)
      const count = fs.readSync(fd, Buffer.alloc(9), 0, 9, null)
      fs.closeSync(fd)
      return count
    },
  ],
  ['a file that is neither read nor written', (fs, at) => withFile(fs, `${at}/d/f`, () => outcome(() => readBoth(fs, at)))],
  [
    'no offset means the whole buffer',
    (fs, at) => withFile(fs, `${at}/d/f`, fd => fs.readSync(fd, Buffer.alloc(3), null as never, 2, 0)),
  ],
  [
    'the callback is checked last',
    fs =>
      [fs.access, fs.chmod, fs.open, fs.read, fs.write, fs.rm, fs.readFile].map(call =>
        messageOf(() => Reflect.apply(call, fs, [])),
      ),
  ],
  [
    'a function in the place of another argument is no callback',
    (fs, at) =>
      [
        ...([fs.utimes, fs.chown, fs.rename, fs.link, fs.writeFile, fs.readlink, fs.stat] as const).map(call => [call]),
        ...([fs.utimes, fs.rename, fs.symlink, fs.copyFile, fs.cp, fs.writeFile] as const).map(call => [call, `${at}/none`]),
      ].map(([call, ...args]) => messageOf(() => Reflect.apply(call as () => void, fs, [...args, () => undefined]))),
  ],
  [
    'a signal is one, in every function with options',
    (fs, at) =>
      each([1, null, {}], signal => {
        const options = { signal } as never
        return [fs.readdirSync, fs.realpathSync, fs.readlinkSync, fs.mkdtempSync as typeof fs.readlinkSync].map(call =>
          messageOf(() => call(`${at}/d/none/x`, options)),
        )
      }),
  ],
  [
    'options are an object',
    (fs, at) =>
      each([[], null, 'x'], given => [fs.cpSync, fs.rmSync].map(call => messageOf(() => call(`${at}/d`, given, given)))),
  ],
  ['statfs does not check its options', (fs, at) => each(['x', 0], given => typeof fs.statfsSync(at, given).bsize)],
  [
    'texts in messages are shortened and not escaped',
    (fs, at) => ['x'.repeat(40), 'a\0b', "it's", '"'].map(text => messageOf(() => fs.truncateSync(at, text as never))),
  ],
  [
    'what a watch refuses',
    (fs, at) => [
      ...each(['nope', { recursive: 1 }, { encoding: 'nope' }, { signal: 1 }, 5], given =>
        messageOf(() => fs.watch(at, given).close()),
      ),
      outcome(() => {
        fs.watch(at, { persistent: 1 as never }).close()
      }),
      messageOf(() => Reflect.apply(fs.watch, fs, [])),
      messageOf(() => Reflect.apply(fs.unwatchFile, fs, [])),
      messageOf(() => Reflect.apply(fs.watchFile, fs, [at])),
    ],
  ],
  [
    'positions that are no whole numbers',
    (fs, at) =>
      withFile(fs, `${at}/d/f`, fd =>
        each([1.5, '1', 2n, 3], position => {
          const part = Buffer.alloc(2)
          fs.readvSync(fd, [part], position)
          return part.toString()
        }),
      ),
  ],
  [
    'empty buffers are read into from a directory: one is refused, two are not',
    (fs, at) =>
      withFile(fs, at, fd => each([[Buffer.alloc(0)], [Buffer.alloc(0), Buffer.alloc(0)]], parts => fs.readvSync(fd, parts))),
  ],
  [
    'dates of stats can be set',
    (fs, at) => {
      const stats = fs.statSync(at)
      stats.mtime = new Date(5)
      return [stats.mtime.getTime(), Object.keys(stats).includes('mtime')]
    },
  ],
]

test.each(rows)('%s', (_rule, act) => {
  const node = outcome(() => act(nodeFs, root))
  expect(outcome(() => act(facade, root))).toEqual(node)
})

test('a function in the place of options is the callback, whatever follows it', async () => {
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ['stat'],
    ['access'],
    ['readdir'],
    ['open', 'r'],
    ['copyFile', `${root}/copied`],
  ]
  for (const fs of [nodeFs, facade]) {
    for (const [name, ...more] of calls) {
      const args = [`${root}/d/f`.replace(/.f$/, name === 'readdir' ? '' : '/f'), ...more]
      const heard = await new Promise(resolve => {
        Reflect.apply(Reflect.get(fs, name) as () => void, fs, [...args, () => resolve('first'), () => resolve('last')])
      })
      expect(heard, name).toBe('first')
    }
  }
})

test('cp shows relative paths as they were given', () => {
  const own = createTreeStore(Date.now)
  const fs = toNodeFs(createVfs(treeBackend(() => own)), { workingDirectory: '/w' }) as unknown as Fs
  fs.mkdirSync('/w/a/b', { recursive: true })
  fs.writeFileSync('/w/a/b/f', '')
  const seen: string[][] = []
  fs.cpSync('./a', 'c', { recursive: true, filter: (...names) => seen.push(names) > 0 })
  expect(seen).toEqual([
    ['./a', 'c'],
    ['a/b', 'c/b'],
    ['a/b/f', 'c/b/f'],
  ])
  expect(messageOf(() => fs.cpSync('none', 'x'))).toContain("lstat 'none'")
})

test.each([0, '', false, null, undefined])('a stream never reads another filesystem: fs %j', async given => {
  const parts: string[] = []
  facade.writeFileSync('/only-here', 'here')
  for await (const part of facade.createReadStream('/only-here', { encoding: 'utf8', fs: given as never }))
    parts.push(String(part))
  expect(parts).toEqual(['here'])
})

test('functions report the names and numbers of parameters of Node', () => {
  const reported = (face: object): unknown =>
    Object.entries(face)
      .filter(([name, act]) => typeof act === 'function' && !/^_|^watch$|[gG]lob|Disposable/.test(name))
      .map(([name, act]) => `${name} ${(act as () => void).name} ${(act as () => void).length}`)
      .toSorted()
  expect(reported(facade)).toEqual(reported(nodeFs))
  expect(reported(facade.promises)).toEqual(reported(nodeFs.promises))
})

test('a handle is called as in Node', async () => {
  for (const fs of [nodeFs, facade]) {
    const handle = await fs.promises.open(join(root, 'd/f'))
    expect(handle.constructor.name).toBe('FileHandle')
    await handle.close()
  }
})

test.each([
  [{ maxQueue: 'x' }, 'TypeError ERR_INVALID_ARG_TYPE'],
  [{ overflow: 'x' }, 'TypeError ERR_INVALID_ARG_VALUE'],
])('a watch refuses %j when it is asked for an event', async (given, code) => {
  const events = facade.promises.watch(root, given as object)[Symbol.asyncIterator]()
  const refusal: unknown = await events.next().catch((error: unknown) => error)
  expect(
    outcome(() => {
      throw refusal
    }),
  ).toBe(code)
})

test('stats as JSON have dates', () => {
  const { mtime } = JSON.parse(JSON.stringify(facade.statSync(root))) as { mtime: string }
  expect(mtime).toBe(facade.statSync(root).mtime.toISOString())
})

test('a watch with a full queue ends if it must', async () => {
  const events = facade.promises.watch(root, { maxQueue: 1, overflow: 'error' } as object)[Symbol.asyncIterator]()
  const first = events.next()
  await Promise.resolve()
  for (const name of ['w1', 'w2', 'w3', 'w4']) facade.writeFileSync(join(root, name), '')
  await expect(first).rejects.toMatchObject({ code: 'ERR_FS_WATCH_QUEUE_OVERFLOW' })
})

test('a blob of a missing file, or with a type that is no text, is refused', async () => {
  await expect(facade.openAsBlob(join(root, 'none'))).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
  const given = { type: 1 } as unknown as { type: string }
  await expect((async () => facade.openAsBlob(join(root, 'd/f'), given))()).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
  })
})
