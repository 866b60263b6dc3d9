import { describe, expect, test } from 'vitest'
import { parsePath } from '../core/path.ts'
import { nodeOracle } from '../testing/node-oracle.ts'
import { plant, show } from '../testing/vfs-contract/context.ts'
import type { VfsBackend } from './backend.ts'
import { createVfs } from './create-vfs.ts'
import { readonly } from './readonly.ts'
import type { Vfs } from './vfs.ts'
import { emptyTree } from '../testing/empty-tree.ts'

function tree(): VfsBackend {
  return emptyTree()
}

/** The tree behind promises only, like a backend without accelerators. */
function bare(): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, watch: _watch, usage: _usage, ...rest } = tree()
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false, watch: 'none' } }
}

const backends = { tree, bare, node: nodeOracle }

/** Rule, tree, action, then the tree after it, or an errno. */
type Row = readonly [rule: string, before: string, act: (vfs: Vfs) => Promise<unknown>, after: string]

const rows: readonly Row[] = [
  ['mkdir: recursive', '', vfs => vfs.mkdir('/a/b/c', { recursive: true }), 'a/b/c/'],
  ['mkdir: recursive where it is', 'a/b/f=1', vfs => vfs.mkdir('/a/b', { recursive: true }), 'a/b/f=1'],
  ['mkdir: recursive of the root', '', vfs => vfs.mkdir('/', { recursive: true }), ''],
  ['mkdir: recursive on a file', 'f=1', vfs => vfs.mkdir('/f', { recursive: true }), 'EEXIST'],
  ['mkdir: recursive under a file', 'f=1', vfs => vfs.mkdir('/f/a/b', { recursive: true }), 'ENOTDIR'],
  ['mkdir: recursive through a symlink', 'a/ l->a', vfs => vfs.mkdir('/l/b', { recursive: true }), 'a/b/ l->a'],
  ['mkdir: recursive on a symlink to a directory', 'a/ l->a', vfs => vfs.mkdir('/l', { recursive: true }), 'a/ l->a'],
  ['mkdir: recursive on a dangling symlink', 'l->a', vfs => vfs.mkdir('/l/b', { recursive: true }), 'EEXIST'],
  ['mkdir: one level', '', vfs => vfs.mkdir('/a/b'), 'ENOENT'],
  ['rm: a file', 'f=1 g=1', vfs => vfs.rm('/f'), 'g=1'],
  ['rm: missing', '', vfs => vfs.rm('/f'), 'ENOENT'],
  ['rm: missing with force', '', vfs => vfs.rm('/d/f', { force: true }), ''],
  ['rm: a directory', 'd/', vfs => vfs.rm('/d'), 'EISDIR'],
  ['rm: a directory with force only', 'd/', vfs => vfs.rm('/d', { force: true }), 'EISDIR'],
  ['rm: recursive', 'd/e/f=1 d/e/g/h=1 d/i=1 k=1', vfs => vfs.rm('/d', { recursive: true }), 'k=1'],
  ['rm: a symlink and not what it points at', 'd/f=1 l->d', vfs => vfs.rm('/l', { recursive: true }), 'd/f=1'],
  ['rm: recursive never leaves by a symlink', 'd/l->../e e/f=1', vfs => vfs.rm('/d', { recursive: true }), 'e/f=1'],
  ['rm: a symlink with a slash', 'd/f=1 l->d', vfs => vfs.rm('/l/', { recursive: true }), 'ENOTDIR'],
  ['rm: the root', 'f=1', vfs => vfs.rm('/', { recursive: true }), 'EBUSY'],
  ['copy: a file', 'f=1', vfs => vfs.copy('/f', '/g'), 'f=1 g=1'],
  ['copy: over a file', 'f=1 g=2', vfs => vfs.copy('/f', '/g'), 'f=1 g=1'],
  ['copy: not over a file', 'f=1 g=2', vfs => vfs.copy('/f', '/g', { force: false }), 'EEXIST'],
  ['copy: onto itself', 'f=1', vfs => vfs.copy('/f', '/f'), 'EINVAL'],
  ['copy: onto itself by symlink', 'f=1 l->f', vfs => vfs.copy('/f', '/l'), 'EINVAL'],
  ['copy: a directory, not recursive', 'd/f=1', vfs => vfs.copy('/d', '/e'), 'EISDIR'],
  [
    'copy: a tree',
    'd/e/f=1 d/g/ d/l->e',
    vfs => vfs.copy('/d', '/x', { recursive: true }),
    'd/e/f=1 d/g/ d/l->e x/e/f=1 x/g/ x/l->e',
  ],
  ['copy: merges', 'd/a=1 d/b=1 x/b=2 x/c=2', vfs => vfs.copy('/d', '/x', { recursive: true }), 'd/a=1 d/b=1 x/a=1 x/b=1 x/c=2'],
  ['copy: into itself', 'd/f=1', vfs => vfs.copy('/d', '/d/e', { recursive: true }), 'EINVAL'],
  ['copy: into itself by symlink', 'd/f=1 l->d', vfs => vfs.copy('/d', '/l/e', { recursive: true }), 'EINVAL'],
  ['copy: onto itself, a directory', 'd/f=1', vfs => vfs.copy('/d', '/d', { recursive: true }), 'EINVAL'],
  ['copy: missing', '', vfs => vfs.copy('/f', '/g'), 'ENOENT'],
  ['copy: into a missing directory', 'f=1', vfs => vfs.copy('/f', '/d/g'), 'ENOENT'],
  ['copy: a file over a directory', 'f=1 d/', vfs => vfs.copy('/f', '/d'), 'EISDIR'],
  ['copy: a directory over a file', 'f=1 d/', vfs => vfs.copy('/d', '/f', { recursive: true }), 'ENOTDIR'],
  ['writeFile: text is UTF-8', '', vfs => vfs.writeFile('/f', 'é\r\n\uFEFF💾'), 'f=é\r\n\uFEFF💾'],
  ['writeFile: half of a surrogate pair', 'f=1', vfs => vfs.writeFile('/f', 'a\ud83d'), 'EINVAL'],
  ['writeFile: a number', 'f=1', vfs => vfs.writeFile('/f', 3 as never), 'EINVAL'],
  ['writeFile: nothing', 'f=1', vfs => vfs.writeFile('/f', undefined as never), 'EINVAL'],
  ['writeFile: parents', '', vfs => vfs.writeFile('/d/e/f', '1', { parents: true }), 'd/e/f=1'],
  ['path: empty', '', vfs => vfs.stat(''), 'ENOENT'],
  ['path: none', '', vfs => vfs.stat(undefined as never), 'EINVAL'],
  ['path: an object', '', vfs => vfs.readFile({} as never), 'EINVAL'],
  ['path: a list', 'a=1', vfs => vfs.writeFile(['/a'] as never, ''), 'EINVAL'],
  ['batch: no function', 'a=1', vfs => vfs.batch(undefined as never), 'EINVAL'],
  ['path: relative', 'a=1', vfs => vfs.stat('a'), 'EINVAL'],
  ['path: null byte', '', vfs => vfs.stat('/a\0'), 'EINVAL'],
  ['path: half of a surrogate pair', '', vfs => vfs.writeFile('/\ud83d', ''), 'EINVAL'],
  ['path: a name of 256 bytes', '', vfs => vfs.writeFile(`/${'é'.repeat(128)}`, ''), 'ENAMETOOLONG'],
  ['path: more than 4,096 bytes', '', vfs => vfs.mkdir('/abcdefgh'.repeat(500)), 'ENAMETOOLONG'],
  ['path: dots and slashes', 'd/f=1', vfs => vfs.rm('//d/./././//f'), 'd/'],
  ['slash: of a directory', 'd/f=1', vfs => vfs.readdir('/d/'), 'd/f=1'],
  ['slash: of a file', 'f=1', vfs => vfs.stat('/f/'), 'ENOTDIR'],
  ['slash: of a file, with a dot', 'f=1', vfs => vfs.readFile('/f/.'), 'ENOTDIR'],
  ['slash: when writing', '', vfs => vfs.writeFile('/f/', '1'), 'EISDIR'],
  ['slash: of a new directory', '', vfs => vfs.mkdir('/d/'), 'd/'],
  ['slash: rename of a directory', 'd/f=1', vfs => vfs.rename('/d/', '/e/'), 'e/f=1'],
  ['slash: rename of a file', 'f=1', vfs => vfs.rename('/f', '/g/'), 'ENOTDIR'],
  ['slash: rm of a file', 'f=1', vfs => vfs.rm('/f/'), 'ENOTDIR'],
]

describe.each(Object.entries(backends))('on %s', (_name, open) => {
  test.each(rows)('%s', async (_rule, before, act, after) => {
    const backend = open()
    try {
      await plant(backend, before)
      const there = await show(backend)
      if (/^E[A-Z]+$/.test(after)) {
        await expect(act(createVfs(backend))).rejects.toMatchObject({ code: after })
        expect(await show(backend)).toBe(there)
      } else {
        await act(createVfs(backend))
        expect(await show(backend)).toBe(after)
      }
    } finally {
      await backend.close()
    }
  })

  test('copy keeps mode and time, of directories too', async () => {
    const backend = open()
    const vfs = createVfs(backend)
    await plant(backend, 'd/e/f=1')
    await vfs.chmod('/d/e/f', 0o755)
    for (const [path, time] of [
      ['/d/e/f', 1e12],
      ['/d/e', 2e12],
      ['/d', 1.5e12],
    ] as const)
      await vfs.utimes(path, time)
    await vfs.copy('/d', '/x', { recursive: true })
    const { mode, mtimeMs } = await vfs.stat('/x/e/f')
    expect([mode, mtimeMs, (await vfs.stat('/x/e')).mtimeMs, (await vfs.stat('/x')).mtimeMs]).toEqual([0o755, 1e12, 2e12, 1.5e12])
    await backend.close()
  })

  test('exists answers for every path', async () => {
    const backend = open()
    const vfs = createVfs(backend)
    await plant(backend, 'f=1 d/ dangling->x circle->circle')
    const answers = await Promise.all(
      ['/f', '/d', '/d/', '/', '/f/', '/f/g', '/x', '/dangling', '/circle', '', 'f', '/a\0'].map(path => vfs.exists(path)),
    )
    expect(answers).toEqual([true, true, true, true, false, false, false, false, false, false, false, false])
    await backend.close()
  })

  test('readText keeps a byte order mark and refuses what is not UTF-8', async () => {
    const backend = open()
    const vfs = createVfs(backend)
    await vfs.writeFile('/bom', '\uFEFFa\r\nb')
    await vfs.writeFile('/binary', Uint8Array.of(0x61, 0xff))
    expect(await vfs.readText('/bom')).toBe('\uFEFFa\r\nb')
    await expect(vfs.readText('/binary')).rejects.toThrow(
      "EINVAL: invalid argument, read '/binary' (not valid UTF-8; use readFile)",
    )
    await backend.close()
  })

  test('walk goes in order, prunes, stops at a depth, a limit and a signal', async () => {
    const backend = open()
    const vfs = createVfs(backend)
    await plant(backend, 'b=1 a/z=1 a/c/d=1 a/c/e/f=1 node_modules/x=1 l->a')
    const walk = async (options?: Parameters<Vfs['walk']>[1], root = '/'): Promise<string> => {
      const seen: string[] = []
      for await (const { path, depth } of vfs.walk(root, options)) seen.push(`${path}:${depth}`)
      return seen.join(' ')
    }
    expect(await walk({ prune: ['node_modules'] })).toBe('/a:1 /a/c:2 /a/c/d:3 /a/c/e:3 /a/c/e/f:4 /a/z:2 /b:1 /l:1')
    expect(await walk({ maxDepth: 1 })).toBe('/a:1 /b:1 /l:1 /node_modules:1')
    expect(await walk({}, '/a/c')).toBe('/a/c/d:1 /a/c/e:1 /a/c/e/f:2')
    expect(await walk({ maxEntries: 2 }, '/node_modules')).toBe('/node_modules/x:1')
    await expect(walk({ maxEntries: 2 })).rejects.toMatchObject({ code: 'walk-limit', details: { path: '/', maxEntries: 2 } })
    await expect(walk({}, '/b')).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(walk({}, '/none')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(walk({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
    const controller = new AbortController()
    const halfway = (async () => {
      for await (const _ of vfs.walk('/', { signal: controller.signal })) controller.abort(new Error('halfway'))
    })()
    await expect(halfway).rejects.toThrow('halfway')
    await backend.close()
  })
})

test('rm and copy are one change each, or none', async () => {
  const backend = tree()
  const vfs = createVfs(backend)
  await plant(backend, 'd/e/f=1 d/g=1 x/g/')
  await Promise.resolve()
  const batches: number[] = []
  await vfs.watch('/', batch => batches.push(batch.changes.length))
  await expect(vfs.copy('/d', '/x', { recursive: true })).rejects.toMatchObject({ code: 'EISDIR' })
  expect(await show(backend)).toBe('d/e/f=1 d/g=1 x/g/')
  await vfs.rm('/d', { recursive: true })
  await Promise.resolve()
  expect(batches).toEqual([4])
})

describe('batch', () => {
  test('commits all or nothing, and checks what is expected', async () => {
    const backend = tree()
    const vfs = createVfs(backend)
    const { rev } = await vfs.writeFile('/a', '1')
    await vfs.batch(
      async fs => {
        await fs.writeFile('/a', '2')
        await fs.mkdir('/d/e', { recursive: true })
        expect(await fs.readText('/a')).toBe('2')
        expect(await vfs.readText('/a')).toBe('1')
      },
      { expect: { '/a': rev, '/d': 0 } },
    )
    expect(await show(backend)).toBe('a=2 d/e/')
    await expect(vfs.batch(fs => fs.writeFile('/a', '3'), { expect: { '/a': rev } })).rejects.toMatchObject({
      code: 'ESTALE',
      path: '/a',
    })
    await expect(
      vfs.batch(async fs => {
        await fs.rm('/d', { recursive: true })
        await fs.rm('/none')
      }),
    ).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await show(backend)).toBe('a=2 d/e/')
  })

  test('without transactions says what was done before it failed', async () => {
    const backend = bare()
    const vfs = createVfs(backend)
    await vfs.writeFile('/a', '1')
    const failing = vfs.batch(async fs => {
      await fs.writeFile('/a', '2')
      await fs.rename('/a', '/b')
      await fs.rm('/none')
    })
    await expect(failing).rejects.toMatchObject({
      code: 'batch-partial',
      details: {
        applied: [
          { verb: 'writeFile', path: '/a' },
          { verb: 'rename', path: '/a' },
        ],
      },
      cause: { code: 'ENOENT' },
    })
    expect(await show(backend)).toBe('b=2')
  })

  test('without transactions a stale expectation or a first failure changes nothing', async () => {
    const backend = bare()
    const vfs = createVfs(backend)
    const { rev } = await vfs.writeFile('/a', '1')
    await vfs.writeFile('/a', '2')
    await expect(vfs.batch(fs => fs.writeFile('/b', ''), { expect: { '/a': rev } })).rejects.toMatchObject({ code: 'ESTALE' })
    await expect(vfs.batch(fs => fs.rm('/none'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await show(backend)).toBe('a=2')
  })

  test.each([
    ['tree', tree],
    ['bare', bare],
  ] as const)('on %s is over when it is over', async (_name, open) => {
    const vfs = createVfs(open())
    const late = await vfs.batch(fs => () => fs.writeFile('/late', '1'))
    await expect(late()).rejects.toMatchObject({ code: 'EBADF' })
    expect(await vfs.exists('/late')).toBe(false)
  })
})

test('a snapshot reads what was, until it is disposed', async () => {
  const vfs = createVfs(tree())
  await vfs.writeFile('/d/f', '1', { parents: true })
  const snapshot = await vfs.snapshot()
  await vfs.rm('/d', { recursive: true })
  expect([await snapshot.readText('/d/f'), await snapshot.exists('/d'), (await snapshot.readdir('/')).length]).toEqual([
    '1',
    true,
    1,
  ])
  await snapshot.dispose()
  await snapshot.dispose()
  await expect(snapshot.readText('/d/f')).rejects.toMatchObject({ code: 'EBADF' })
})

test('what a backend cannot do is ENOTSUP with a way out', async () => {
  const vfs = createVfs(bare())
  await expect(vfs.snapshot()).rejects.toMatchObject({ code: 'ENOTSUP' })
  await expect(vfs.watch('/', () => {})).rejects.toMatchObject({ code: 'ENOTSUP' })
  await expect(vfs.usage()).rejects.toMatchObject({ code: 'ENOTSUP' })
  expect(vfs.sync).toBeUndefined()
})

test('readonly refuses every change and shows the rest', async () => {
  const backend = tree()
  await plant(backend, 'f=1 d/ l->f')
  const vfs = createVfs(readonly(backend))
  const changes: readonly ((fs: Vfs) => Promise<unknown>)[] = [
    fs => fs.writeFile('/f', '2'),
    fs => fs.writeFile('/new', '2'),
    fs => fs.mkdir('/x'),
    fs => fs.mkdir('/x/y', { recursive: true }),
    fs => fs.rm('/f'),
    fs => fs.rm('/d', { recursive: true }),
    fs => fs.rename('/f', '/g'),
    fs => fs.copy('/f', '/g'),
    fs => fs.link('/f', '/g'),
    fs => fs.symlink('f', '/m'),
    fs => fs.chmod('/f', 0o700),
    fs => fs.utimes('/f', 0),
    fs => fs.batch(inside => inside.writeFile('/f', '2')),
  ]
  for (const change of changes) await expect(change(vfs), String(change)).rejects.toMatchObject({ code: 'EROFS' })
  expect(await vfs.readText('/l')).toBe('1')
  await createVfs(backend).writeFile('/f', '2')
  expect(await vfs.readText('/f')).toBe('2')
  expect((await vfs.caps()).readonly).toBe(true)
})

describe('what changed since a snapshot', () => {
  test('is told by path, until either snapshot is disposed of', async () => {
    const vfs = createVfs(tree())
    await vfs.writeFile('/a', '1')
    await vfs.symlink('a', '/link')
    const before = await vfs.snapshot()
    await vfs.writeFile('/a', '2')
    const after = await vfs.snapshot()
    await vfs.rm('/link')
    expect(await before.diff(after)).toMatchObject([{ type: 'modify', path: '/a' }])
    expect(await before.diff()).toMatchObject([
      { type: 'modify', path: '/a' },
      { type: 'delete', path: '/link' },
    ])
    expect(await before.readlink('/link')).toBe('a')
    await after.dispose()
    await expect(before.diff(after)).rejects.toMatchObject({ code: 'EINVAL' })
    await before.dispose()
    await expect(before.diff()).rejects.toMatchObject({ code: 'EBADF' })
  })

  test('is refused for a snapshot of other files, and where files cannot be compared', async () => {
    const snapshot = await createVfs(tree()).snapshot()
    await expect(snapshot.diff(await createVfs(tree()).snapshot())).rejects.toMatchObject({ code: 'EINVAL' })
    const { diff: _diff, ...backend } = tree()
    await expect((await createVfs(backend).snapshot()).diff()).rejects.toMatchObject({ code: 'ENOTSUP' })
  })
})

describe('a text and its revision', () => {
  /** Another writer changes the file while it is being read, `times` times. */
  async function written(times: number): Promise<Vfs> {
    const slow = bare()
    await slow.write(parsePath('/a'), new TextEncoder().encode('first'))
    let writes = 0
    return createVfs({
      ...slow,
      async read(path, range) {
        const bytes = await slow.read(path, range)
        if (writes++ < times) await slow.write(path, new TextEncoder().encode(`write ${writes}`))
        return bytes
      },
    })
  }

  test('are of one moment, however slowly the filesystem answers', async () => {
    const vfs = await written(2)
    expect(await vfs.read('/a')).toEqual({ text: 'write 2', rev: (await vfs.stat('/a')).rev })
  })

  test('are refused where a file is written all the time', async () => {
    await expect((await written(99)).read('/a')).rejects.toMatchObject({ code: 'ESTALE' })
  })
})
