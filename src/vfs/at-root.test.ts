// The filesystem contract holds inside, and no path inside leads out.
import { describe, expect, test } from 'vitest'
import { parsePath } from '../core/path.ts'
import { bytes, path, plant, settle, show } from '../testing/vfs-contract/context.ts'
import { vfsContractRows } from '../testing/vfs-contract/index.ts'
import { atRoot } from './at-root.ts'
import type { VfsBackend } from './backend.ts'
import { createVfs } from './create-vfs.ts'
import { createTreeStore } from './tree/store.ts'
import { treeBackend } from './tree/tree-backend.ts'
import type { Vfs } from './vfs.ts'

function tree(): VfsBackend {
  const store = createTreeStore(Date.now)
  for (const directory of ['/jail', '/jail/in']) store.fs.mkdir(parsePath(directory))
  return treeBackend(() => store)
}

/** A backend without a synchronous side. */
function waiting(): VfsBackend {
  const { sync: _sync, batch: _batch, snapshot: _snapshot, watch: _watch, fork: _fork, diff: _diff, ...rest } = tree()
  return { ...rest, caps: { ...rest.caps, sync: false, transactions: false, snapshots: false, watch: 'none' } }
}

/** A jail at '/jail/in', with entries outside that must not be visible inside. */
async function jailed(open: () => VfsBackend, inside = ''): Promise<{ whole: VfsBackend; vfs: Vfs; jail: VfsBackend }> {
  const whole = open()
  await plant(whole, 'secret=outside etc/f=outside jail/sibling=outside')
  const jail = atRoot(whole, '/jail/in')
  await plant(jail, inside)
  return { whole, jail, vfs: createVfs(jail) }
}

describe('the contract holds in a jail', () => {
  const open = (base: () => VfsBackend) => (): VfsBackend => {
    const whole = base()
    return atRoot(whole, '/jail/../jail/in/')
  }
  describe('at once', () => {
    for (const row of vfsContractRows(open(tree))) test.skipIf(row.isSkipped)(row.name, row.run)
  })
  describe('by waiting', () => {
    for (const row of vfsContractRows(open(waiting))) test.skipIf(row.isSkipped)(row.name, row.run)
  })
})

/** Rule, tree inside, action, and the tree inside afterwards, or an errno. */
type Row = readonly [rule: string, inside: string, act: (vfs: Vfs) => Promise<unknown>, after: string]

const rows: readonly Row[] = [
  ['dot-dot ends at the top', '', vfs => vfs.readFile('/../secret'), 'ENOENT'],
  ['however often', 'd/', vfs => vfs.readFile('/d/../../../../secret'), 'ENOENT'],
  ['an absolute link means a path inside', 'l->/secret secret=1', vfs => vfs.writeFile('/l', '2'), 'l->/secret secret=2'],
  ['which may be missing', 'l->/secret', vfs => vfs.readFile('/l'), 'ENOENT'],
  ['and is then made inside', 'l->/new', vfs => vfs.writeFile('/l', '1'), 'l->/new new=1'],
  ['a relative link upward', 'd/l->../../../secret', vfs => vfs.readFile('/d/l'), 'ENOENT'],
  ['a link to the jail by its outer name', 'l->/jail/in', vfs => vfs.readdir('/l'), 'ENOENT'],
  ['a link to a directory outside', 'l->/etc', vfs => vfs.writeFile('/l/f', '2'), 'ENOENT'],
  ['a chain of links', 'a->/b b->../../jail/sibling', vfs => vfs.readFile('/a'), 'ENOENT'],
  ['rename to above', 'f=1', vfs => vfs.rename('/f', '/../g'), 'g=1'],
  ['rename by a link to above', 'f=1 l->../..', vfs => vfs.rename('/f', '/l/g'), 'g=1 l->../..'],
  ['remove by a link to above', 'l->..', vfs => vfs.rm('/l/sibling'), 'ENOENT'],
  ['remove all', 'd/f=1', vfs => vfs.rm('/', { recursive: true }), 'EBUSY'],
  ['a link keeps its target as it was given', '', vfs => vfs.symlink('/secret', '/l'), 'l->/secret'],
  ['a hard link to outside', '', vfs => vfs.link('/../secret', '/l'), 'ENOENT'],
  ['realpath of a link', 'd/f=1 l->/d/f', async vfs => expect(await vfs.realpath('/l')).toBe('/d/f'), 'd/f=1 l->/d/f'],
  ['dot-dot after a link', 'd/e/ l->/d/e f=1', vfs => vfs.writeFile('/l/../g', '2'), 'd/e/ d/g=2 f=1 l->/d/e'],
]

describe.each([
  ['at once', tree],
  ['by waiting', waiting],
] as const)('nothing leads out, %s', (_how, open) => {
  test.each(rows)('%s', async (_rule, inside, act, after) => {
    const { whole, jail, vfs } = await jailed(open, inside)
    if (/^E[A-Z]+$/.test(after)) await expect(act(vfs)).rejects.toMatchObject({ code: after })
    else {
      await act(vfs)
      expect(await show(jail)).toBe(after)
    }
    const outside = (await show(whole)).split(' ').filter(item => !item.startsWith('jail/in'))
    expect(outside).toEqual(['etc/f=outside', 'jail/sibling=outside', 'secret=outside'])
  })
})

test('errors name the path inside', async () => {
  const { vfs } = await jailed(tree, 'f=1')
  await expect(vfs.readFile('/none')).rejects.toThrow("ENOENT: no such file or directory, open '/none'")
  await expect(vfs.rename('/f', '/no/f')).rejects.toThrow("rename '/no/f'")
  await expect(vfs.rename('/none', '/g')).rejects.toThrow("'/none' -> '/g'")
})

test('a watch hears of what is inside, and of moves across the border as coming and going', async () => {
  const { whole, jail } = await jailed(tree, 'f=1')
  await settle()
  const heard: string[] = []
  jail.watch?.(parsePath('/'), ({ changes }) =>
    heard.push(...changes.map(({ type, path: at, oldPath }) => `${type} ${oldPath ?? ''} ${at}`)),
  )
  await whole.write(path('/secret'), bytes('2'))
  await jail.rename(path('/f'), path('/g'))
  await whole.rename(path('/jail/in/g'), path('/jail/g'))
  await whole.rename(path('/jail/g'), path('/jail/in/h'))
  await settle()
  expect(heard).toEqual(['move /f /g', 'delete  /g', 'create  /h'])
})

test('the directory may be named by a symlink', async () => {
  const whole = tree()
  await plant(whole, 'real/f=1 link->real')
  const jail = atRoot(whole, '/link')
  const heard: string[] = []
  jail.watch?.(parsePath('/'), ({ changes }) => heard.push(...changes.map(change => change.path)))
  await jail.write(path('/f'), bytes('2'))
  await settle()
  expect([await show(whole), heard]).toEqual(['jail/in/ link->real real/f=2', ['/f']])
})

test('a snapshot follows links inside', async () => {
  const { jail } = await jailed(tree, 'l->/secret')
  expect(() => jail.snapshot?.().fs.read(path('/l'))).toThrow('ENOENT')
})
