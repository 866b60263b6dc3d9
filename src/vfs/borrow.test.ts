// What may be borrowed, and from whom, and that no other code gets access to it.
import { expect, test } from 'vitest'
import { parsePath as at, type VfsPath } from '../core/path.ts'
import { asInput, borrow, borrowListed } from './borrow.ts'
import { atRoot } from './at-root.ts'
import type { VfsBackend, VfsSync } from './backend.ts'
import { createVfs } from './create-vfs.ts'
import { readonly } from './readonly.ts'
import { createTreeStore } from './tree/store.ts'
import { treeBackend } from './tree/tree-backend.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function tree(): { readonly fs: VfsBackend; readonly sync: VfsSync } {
  const store = createTreeStore(() => 0)
  const fs = treeBackend(() => store)
  if (fs.sync === undefined) throw new Error('a tree answers at once')
  return { fs, sync: fs.sync }
}

test.each([
  ['of a small file', bytes('one\r\n\0two')],
  ['of an empty one', bytes('')],
  ['of one too large for a block', new Uint8Array(100_000).fill(7)],
])('the content %s is shown and not copied', (_what, content) => {
  const { sync } = tree()
  sync.write(at('/before'), bytes('before'))
  sync.write(at('/f'), content)
  sync.write(at('/after'), bytes('after'))
  const [first, second] = [borrow(sync, at('/f')), borrow(sync, at('/f'))]
  if (first === undefined || second === undefined) throw new Error('a tree lends')
  expect(first.slice()).toEqual(content)
  expect(asInput(first).buffer).toBe(asInput(second).buffer)
  expect(first.slice().buffer).not.toBe(asInput(first).buffer)
})

test('what was borrowed stays as it was when the file is written, appended to or removed', () => {
  const { sync } = tree()
  sync.write(at('/f'), bytes('old'))
  const borrowed = borrow(sync, at('/f'))
  sync.write(at('/f'), bytes('+'), { append: true })
  const longer = borrow(sync, at('/f'))
  sync.write(at('/f'), bytes('+'), { append: true })
  sync.write(at('/f'), bytes('new'))
  sync.remove(at('/f'), 'file')
  expect(borrowed?.slice()).toEqual(bytes('old'))
  expect(longer?.slice()).toEqual(bytes('old+'))
})

test('an entry of a snapshot leads to the content of that moment, if the file has one name', async () => {
  const { fs, sync } = tree()
  sync.write(at('/f'), bytes('old'))
  sync.write(at('/large'), bytes('larger'))
  sync.write(at('/shared'), bytes('two'))
  sync.link(at('/shared'), at('/other'))
  sync.mkdir(at('/d'))
  const vfs = createVfs(fs)
  const snapshot = await vfs.snapshot()
  const entries = snapshot.sync?.list(at('/')) ?? []
  sync.write(at('/f'), bytes('new'))
  const shown = (reader: Pick<VfsSync, 'read'> | undefined): readonly unknown[] =>
    reader === undefined ? [] : entries.map(entry => borrowListed(reader, entry, 3))
  expect(entries.map(({ name }) => name)).toEqual(['d', 'f', 'large', 'other', 'shared'])
  expect(shown(snapshot.sync)).toEqual([undefined, bytes('old'), undefined, undefined, undefined])
  // Other readers may show other files, or hide some.
  for (const reader of [sync, vfs.sync, { read: (path: VfsPath) => sync.read(path) }])
    expect(shown(reader)).toEqual(entries.map(() => undefined))
  await snapshot.dispose()
})

test('it fails as a read does', () => {
  const { sync } = tree()
  sync.mkdir(at('/d'))
  for (const path of [at('/missing'), at('/d')]) {
    const failure = (act: () => unknown): string => {
      try {
        act()
        return 'none'
      } catch (error) {
        return String(error)
      }
    }
    expect(failure(() => borrow(sync, path))).toBe(failure(() => sync.read(path)))
    expect(failure(() => borrow(sync, path))).toMatch(/^VfsError: E/)
  }
})

test('a snapshot lends what it holds, until it is disposed', async () => {
  const { fs, sync } = tree()
  sync.write(at('/f'), bytes('then'))
  const snapshot = await createVfs(fs).snapshot()
  if (snapshot.sync === undefined) throw new Error('it answers at once')
  const held = snapshot.sync
  sync.write(at('/f'), bytes('now'))
  expect(borrow(held, at('/f'))?.slice()).toEqual(bytes('then'))
  await snapshot.dispose()
  expect(() => borrow(held, at('/f'))).toThrow('EBADF')
})

test('whoever shows other files, or a copy of the primitives, lends nothing', async () => {
  const { fs, sync } = tree()
  sync.write(at('/d/f'), bytes('x'), { parents: true })
  const inside = atRoot(fs, '/d').sync
  if (inside === undefined) throw new Error('it answers at once')
  expect(borrow(inside, at('/f'))).toBeUndefined()
  expect(borrow({ ...sync }, at('/d/f'))).toBeUndefined()
  const shown = readonly(fs).sync
  if (shown === undefined) throw new Error('it answers at once')
  expect(borrow(shown, at('/d/f'))).toBeUndefined()
})
