import { describe, expect, test } from 'vitest'
import { plant, show } from '../testing/vfs-contract/context.ts'
import { vfsContractRows } from '../testing/vfs-contract/index.ts'
import { parsePath } from '../core/path.ts'
import type { VfsBackend } from './backend.ts'
import { createVfs } from './create-vfs.ts'
import { mountBackends } from './mount.ts'
import type { Vfs } from './vfs.ts'
import { emptyTree } from '../testing/empty-tree.ts'

function tree(): VfsBackend {
  return emptyTree()
}

/** A backend without a synchronous side. */
function waiting(): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, watch: _watch, ...rest } = tree()
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false, watch: 'none' } }
}

describe('the contract holds below a mount point', () => {
  // The cases run at '/', which is the first filesystem, and the second one must have no effect. So it is mounted at a hidden name that the
  // listing of the root leaves out.
  const hidden = '.mnt'
  const open = (base: () => VfsBackend) => (): VfsBackend => {
    const mounted = mountBackends({ '/': base(), [`/${hidden}`]: base() })
    const list: VfsBackend['list'] = async path => (await mounted.list(path)).filter(entry => entry.name !== hidden)
    return { ...mounted, list }
  }
  const deviations = [
    {
      case: 'watch.says-when-it-has-forgotten',
      why: 'it keeps nothing before the first watch, and says that it has forgotten all',
    },
  ]
  describe('at once', () => {
    for (const row of vfsContractRows(open(tree), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
  })
  describe('by waiting', () => {
    for (const row of vfsContractRows(open(waiting), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
  })
})

/** Rule, trees of '/' and '/mnt/x', action, then the whole tree, or an errno. */
type Row = readonly [rule: string, root: string, mounted: string, act: (vfs: Vfs) => Promise<unknown>, after: string]

const nothing = async (): Promise<void> => {}

const rows: readonly Row[] = [
  ['a mount point is a directory though nothing is below it', '', '', nothing, 'mnt/x/'],
  ['what the lower filesystem has at the mount point is covered', 'mnt/x/hidden=1 mnt/y=1', 'f=1', nothing, 'mnt/x/f=1 mnt/y=1'],
  ['writes go where they belong', '', '', vfs => vfs.writeFile('/mnt/x/f', '1'), 'mnt/x/f=1'],
  ['a sibling of a mount point', '', '', vfs => vfs.writeFile('/mnt/f', '1'), 'mnt/f=1 mnt/x/'],
  ['mkdir beside a mount point', '', '', vfs => vfs.mkdir('/mnt/d'), 'mnt/d/ mnt/x/'],
  ['mkdir of a mount point', '', '', vfs => vfs.mkdir('/mnt/x'), 'EEXIST'],
  ['mkdir above a mount point', '', '', vfs => vfs.mkdir('/mnt'), 'EEXIST'],
  ['mkdir -p through a mount point', '', '', vfs => vfs.mkdir('/mnt/x/a/b', { recursive: true }), 'mnt/x/a/b/'],
  ['parents through a mount point', '', '', vfs => vfs.writeFile('/mnt/x/a/b', '1', { parents: true }), 'mnt/x/a/b=1'],
  ['a file onto a mount point', '', '', vfs => vfs.writeFile('/mnt/x', '1'), 'EISDIR'],
  ['rename inside one', '', 'f=1', vfs => vfs.rename('/mnt/x/f', '/mnt/x/g'), 'mnt/x/g=1'],
  ['rename across', '', 'f=1', vfs => vfs.rename('/mnt/x/f', '/f'), 'EXDEV'],
  ['link across', '', 'f=1', vfs => vfs.link('/mnt/x/f', '/f'), 'EXDEV'],
  ['rename of a mount point', '', 'f=1', vfs => vfs.rename('/mnt/x', '/y'), 'EBUSY'],
  ['rename of what is above one', 'mnt/f=1', '', vfs => vfs.rename('/mnt', '/y'), 'EBUSY'],
  ['rename onto a mount point', 'd/f=1', '', vfs => vfs.rename('/d', '/mnt/x'), 'EBUSY'],
  ['rm of a mount point', '', 'f=1', vfs => vfs.rm('/mnt/x', { recursive: true }), 'EBUSY'],
  ['rm of what is above one touches nothing', 'mnt/f=1', 'f=1', vfs => vfs.rm('/mnt', { recursive: true }), 'EBUSY'],
  ['rm inside one', '', 'd/f=1', vfs => vfs.rm('/mnt/x/d', { recursive: true }), 'mnt/x/'],
  ['copy across', 'd/e/f=1', '', vfs => vfs.copy('/d', '/mnt/x/d', { recursive: true }), 'd/e/f=1 mnt/x/d/e/f=1'],
  ['two first files are not the same file', 'f=1', 'f=2', vfs => vfs.copy('/f', '/mnt/x/f'), 'f=1 mnt/x/f=1'],
  ['a link out of a mount, absolute', 'd/f=1', 'l->/d', vfs => vfs.writeFile('/mnt/x/l/g', '2'), 'd/f=1 d/g=2 mnt/x/l->/d'],
  ['a link out of a mount, relative', 'd/f=1', 'l->../../d', vfs => vfs.rm('/mnt/x/l/f'), 'd/ mnt/x/l->../../d'],
  ['a link into a mount', 'l->/mnt/x', 'f=1', vfs => vfs.writeFile('/l/f', '2'), 'l->/mnt/x mnt/x/f=2'],
  ['rename by a link into another mount', 'l->/mnt/x f=1', '', vfs => vfs.rename('/f', '/l/f'), 'EXDEV'],
  ['dot-dot out of a mount', 'f=1', '', vfs => vfs.writeFile('/mnt/x/../../f', '2'), 'f=2 mnt/x/'],
  ['a circle across mounts', 'a->/mnt/x/b', 'b->/a', vfs => vfs.stat('/a'), 'ELOOP'],
  ['a file of a mount is no directory', '', 'f=1', vfs => vfs.stat('/mnt/x/f/g'), 'ENOTDIR'],
]

describe.each([
  ['at once', tree],
  ['by waiting', waiting],
] as const)('mounts, %s', (_how, open) => {
  test.each(rows)('%s', async (_rule, root, mounted, act, after) => {
    const [first, second] = [open(), open()]
    await plant(first, root)
    await plant(second, mounted)
    const whole = mountBackends({ '/': first, '/mnt/x': second })
    const before = await show(whole)
    if (/^E[A-Z]+$/.test(after)) {
      await expect(act(createVfs(whole))).rejects.toMatchObject({ code: after })
      expect(await show(whole)).toBe(before)
    } else {
      await act(createVfs(whole))
      expect(await show(whole)).toBe(after)
    }
  })
})

test('errors name the path in the whole', async () => {
  const vfs = createVfs(mountBackends({ '/': tree(), '/mnt/x': tree() }))
  await vfs.writeFile('/mnt/x/f', '1')
  await expect(vfs.writeFile('/mnt/x/f', '2', { create: 'exclusive' })).rejects.toThrow(
    "EEXIST: file already exists, open '/mnt/x/f'",
  )
  await expect(vfs.mkdir('/mnt/x/f')).rejects.toThrow("'/mnt/x/f'")
  await expect(vfs.readFile('/mnt/x/none')).rejects.toThrow("ENOENT: no such file or directory, open '/mnt/x/none'")
})

describe('a batch', () => {
  const open = async (): Promise<{ vfs: Vfs; whole: VfsBackend }> => {
    const whole = mountBackends({ '/': tree(), '/mnt': tree() })
    await plant(whole, 'a=1 mnt/b=1')
    return { vfs: createVfs(whole), whole }
  }

  test.each([
    ['/a', '/mnt/b'],
    ['/mnt/b', '/a'],
  ])('changes %s, reading %s', async (changed, read) => {
    const { vfs } = await open()
    const { rev } = await vfs.stat(read)
    await vfs.batch(async fs => fs.writeFile(changed, `${await fs.readText(read)}+`), { expect: { [read]: rev } })
    expect(await vfs.readText(changed)).toBe('1+')
  })

  test('that would change two changes none', async () => {
    const { vfs, whole } = await open()
    const both = vfs.batch(async fs => {
      await fs.writeFile('/a', '2')
      await fs.writeFile('/mnt/b', '2')
    })
    await expect(both).rejects.toMatchObject({ code: 'ENOTSUP' })
    expect(await show(whole)).toBe('a=1 mnt/b=1')
  })

  test.each(['/a', '/mnt/b'])('expecting an old revision of %s changes nothing', async path => {
    const { vfs, whole } = await open()
    const { rev } = await vfs.stat(path)
    await vfs.writeFile(path, '2')
    for (const changed of ['/a', '/mnt/b']) {
      await expect(vfs.batch(fs => fs.writeFile(changed, '3'), { expect: { [path]: rev } })).rejects.toMatchObject({
        code: 'ESTALE',
        path,
      })
    }
    expect(await show(whole)).toBe(path === '/a' ? 'a=2 mnt/b=1' : 'a=1 mnt/b=2')
  })

  test('that was overtaken changes nothing', async () => {
    const { vfs, whole } = await open()
    const overtaken = vfs.batch(async fs => {
      await fs.writeFile('/mnt/b', '3')
      await vfs.writeFile('/mnt/b', '2')
    })
    await expect(overtaken).rejects.toMatchObject({ code: 'ESTALE', path: '/mnt/b' })
    expect(await show(whole)).toBe('a=1 mnt/b=2')
  })
})

test('one watch hears of all mounts, by their names in the whole', async () => {
  const vfs = createVfs(mountBackends({ '/': tree(), '/mnt': tree() }))
  const heard: string[] = []
  const end = await vfs.watch('/', ({ changes }) => heard.push(...changes.map(({ seq, type, path }) => `${seq} ${type} ${path}`)))
  await vfs.writeFile('/mnt/f', '1')
  await vfs.writeFile('/g', '1')
  await Promise.resolve()
  end()
  await vfs.writeFile('/mnt/f', '2')
  await Promise.resolve()
  expect(heard).toEqual(['1 create /mnt/f', '2 create /g'])
})

test('capabilities are those of all, and each keeps its own', async () => {
  const vfs = createVfs(mountBackends({ '/': tree(), '/slow': waiting() }))
  expect(vfs.sync).toBeUndefined()
  expect([(await vfs.caps()).sync, (await vfs.caps('/a')).sync, (await vfs.caps('/slow/a')).sync]).toEqual([false, true, false])
})

test('relative files are placed by the filesystem that holds the root', () => {
  const placed: string[] = []
  const placing = (name: string): VfsBackend => ({ ...tree(), placeFiles: root => placed.push(`${name} ${root}`) })
  mountBackends({ '/': placing('root'), '/w/x': placing('x') }).placeFiles?.(parsePath('/w/x/y'))
  expect(placed).toEqual(['x /y'])
})

test('a table without a root, or with one path twice, is refused', () => {
  expect(() => mountBackends({ '/a': tree() })).toThrow("needs a filesystem for '/'")
  expect(() => mountBackends({ '/': tree(), '/a': tree(), '/a/': tree() })).toThrow('mounted twice')
})

test('one filesystem at the root is itself', () => {
  const only = tree()
  expect(mountBackends({ '/': only })).toBe(only)
})

test('what several filesystems have to tell the person is told once each, also when it is known only later', async () => {
  const telling = (notice: () => string | undefined): VfsBackend => {
    const base = tree()
    return {
      ...base,
      get caps() {
        const said = notice()
        return { ...base.caps, ...(said === undefined ? {} : { notice: said }) }
      },
    }
  }
  const late: { notice?: string } = {}
  const vfs = createVfs(
    mountBackends({
      '/': telling(() => late.notice),
      '/a': telling(() => 'A goes.'),
      '/b': telling(() => 'A goes.'),
      '/c': tree(),
    }),
  )
  expect((await vfs.caps()).notice).toBe('A goes.')
  late.notice = 'B goes.'
  expect((await vfs.caps()).notice).toBe('A goes. B goes.')
  expect(await createVfs(mountBackends({ '/': tree(), '/a': tree() })).caps()).not.toHaveProperty('notice')
})

test('a batch does not commit when what it expects changed as it ended', async () => {
  const lower = tree()
  const fs = createVfs(mountBackends({ '/': lower, '/mnt': tree() }))
  await fs.writeFile('/guard', '1')
  const { rev } = await fs.stat('/guard')
  const batch = fs.batch(
    async draft => {
      await draft.writeFile('/f', 'x')
      // After the work and before the commit: the guard changes in each of the microtasks in between.
      void (async () => {
        for (let count = 0; count < 20; count++) {
          lower.sync?.write(parsePath('/guard'), new Uint8Array([count]))
          await Promise.resolve()
        }
      })()
    },
    { expect: { '/guard': rev } },
  )
  await expect(batch).rejects.toMatchObject({ code: 'ESTALE' })
  expect(await fs.exists('/f')).toBe(false)
})
