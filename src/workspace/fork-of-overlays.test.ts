// Forks of filesystems that cannot be forked themselves are overlays: what is merged, and what is left as a conflict.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path/posix'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memfs } from '../backends/memfs/index.ts'
import { memory } from '../backends/memory/index.ts'
import { node } from '../backends/node/index.ts'
import type { ForkPlan } from '../history/files-fork.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import { overlay } from '../vfs/overlay.ts'
import { buildWorkspace } from '../worker/build-workspace.ts'
import { connectWorkerLike } from '../worker/client.ts'
import { createWorkspace } from './create-workspace.ts'
import type { ForkVerdict } from './fork.ts'
import type { Workspace } from './workspace.ts'

const files = { 'a.txt': 'one\ntwo\nthree\nfour\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' }
const both = '1\ntwo\nthree\n4\n'

async function made(make: () => Promise<Workspace>): Promise<Workspace> {
  const workspace = await make()
  onTestFinished(() => workspace.dispose())
  return workspace
}

const overlaid: Readonly<Record<string, () => Promise<Workspace>>> = {
  memfs: async () => filled(await createWorkspace({ fs: memfs(), shell: 'none' })),
  node: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'fork-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    return filled(await createWorkspace({ fs: node(directory), root: '/', shell: 'none' }))
  },
  'an overlay across a worker': () =>
    connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs: overlay(memory(files)), shell: 'none' }),
}

async function filled(on: Workspace): Promise<Workspace> {
  for (const [path, text] of Object.entries(files)) {
    await on.fs.mkdir(dirname(join(on.root, path)), { recursive: true })
    await on.fs.writeFile(join(on.root, path), text)
  }
  return on
}

interface OverlaidRow {
  readonly name: string
  readonly forked: readonly ((fs: Workspace['fs'], root: string) => Promise<unknown>)[]
  readonly outside: readonly ((fs: Workspace['fs'], root: string) => Promise<unknown>)[]
  /** The files that differ from the start; `undefined` for removed ones. */
  readonly after: Readonly<Record<string, string | undefined>>
  readonly merged?: readonly string[]
  readonly conflicts?: readonly string[]
  /** The changes of the fork that remain unmerged. */
  readonly left?: readonly string[]
}

const write = (path: string, text: string) => (fs: Workspace['fs'], root: string) => fs.writeFile(join(root, path), text)
const move = (from: string, to: string) => (fs: Workspace['fs'], root: string) => fs.rename(join(root, from), join(root, to))
const remove = (path: string) => (fs: Workspace['fs'], root: string) => fs.rm(join(root, path), { recursive: true })
const [edited, edits] = ['one\ntwo\nthree\n4\n', write('a.txt', 'one\ntwo\nthree\n4\n')]

const large = `${'x'.repeat(99)}\n`.repeat(11_000)
const overlaidRows: readonly OverlaidRow[] = [
  {
    name: 'other lines of a file on both sides',
    forked: [write('a.txt', files['a.txt'].replace('one', '1'))],
    outside: [edits],
    after: { 'a.txt': both },
    merged: ['a.txt'],
  },
  {
    name: 'a file moved in the fork and edited outside',
    forked: [move('a.txt', 'src/d.txt')],
    outside: [edits],
    after: { 'a.txt': undefined, 'src/d.txt': edited },
    merged: ['src/d.txt'],
  },
  {
    name: 'a file moved into a directory that was moved, both in the fork, and edited outside',
    forked: [move('a.txt', 'src/a.txt'), move('src', 'lib')],
    outside: [write('a.txt', 'outside\n')],
    after: {
      'a.txt': undefined,
      'src/b.txt': undefined,
      'src/c.txt': undefined,
      'lib/a.txt': 'outside\n',
      'lib/b.txt': 'b\n',
      'lib/c.txt': 'c\n',
    },
    merged: ['lib/a.txt'],
  },
  {
    name: 'the same line on both sides',
    forked: [write('a.txt', files['a.txt'].replace('one', '1'))],
    outside: [write('a.txt', files['a.txt'].replace('one', 'ONE'))],
    after: { 'a.txt': files['a.txt'].replace('one', 'ONE') },
    conflicts: ['a.txt'],
    left: ['modify a.txt'],
  },
  {
    name: 'a file removed in the fork and edited outside',
    forked: [remove('a.txt')],
    outside: [edits],
    after: { 'a.txt': edited },
    conflicts: ['a.txt'],
    left: ['delete a.txt'],
  },
  {
    name: 'bytes that are not text on both sides',
    forked: [(fs, root) => fs.writeFile(join(root, 'a.txt'), new Uint8Array([0, 255, 1]))],
    outside: [edits],
    after: { 'a.txt': edited },
    conflicts: ['a.txt'],
    left: ['modify a.txt'],
  },
  {
    name: 'a new file of one name on both sides',
    forked: [write('src/new.txt', 'fork\n')],
    outside: [write('src/new.txt', 'outside\n')],
    after: { 'src/new.txt': 'outside\n' },
    conflicts: ['src/new.txt'],
    left: ['modify src/new.txt'],
  },
  {
    name: 'a file moved over one that was edited outside',
    forked: [move('a.txt', 'src/b.txt')],
    outside: [write('src/b.txt', 'outside\n')],
    after: { 'src/b.txt': 'outside\n' },
    conflicts: ['a.txt', 'src/b.txt'],
    left: ['delete src/b.txt', 'move src/b.txt'],
  },
  {
    name: 'a file moved and written in the fork, and edited outside',
    forked: [move('a.txt', 'src/d.txt'), write('src/d.txt', 'fork\n')],
    outside: [edits],
    after: { 'a.txt': edited, 'src/d.txt': 'fork\n' },
    conflicts: ['a.txt'],
    left: ['delete a.txt'],
  },
  {
    name: 'a directory removed in the fork that got a file outside',
    forked: [remove('src')],
    outside: [write('src/new.txt', 'outside\n')],
    after: { 'src/new.txt': 'outside\n' },
    conflicts: ['src/new.txt'],
    left: ['delete src'],
  },
  {
    name: 'a directory moved in the fork, with a file that both sides wrote',
    forked: [move('src', 'lib'), write('lib/b.txt', 'fork\n')],
    outside: [write('src/b.txt', 'outside\n')],
    after: { 'src/b.txt': 'outside\n' },
    conflicts: ['lib', 'src/b.txt'],
    left: ['modify lib/b.txt', 'move lib'],
  },
  {
    name: 'two directories swapped in the fork, with a file that both sides wrote',
    forked: [
      (fs, root) => fs.mkdir(join(root, 'other')),
      move('src', 'lib'),
      move('other', 'src'),
      move('a.txt', 'src/a.txt'),
      write('lib/b.txt', 'fork\n'),
    ],
    outside: [write('src/b.txt', 'outside\n')],
    after: { 'src/b.txt': 'outside\n' },
    conflicts: ['a.txt', 'lib', 'src/b.txt'],
    left: ['create src', 'modify lib/b.txt', 'move lib', 'move src/a.txt'],
  },
  {
    name: 'a directory removed outside with a file that the fork wrote',
    forked: [write('src/b.txt', 'fork\n')],
    outside: [remove('src')],
    after: { 'src/b.txt': undefined, 'src/c.txt': undefined },
    conflicts: ['src'],
    left: ['create src/b.txt'],
  },
]

async function contents(fs: Workspace['fs'], root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for await (const { path, kind } of fs.walk(root))
    if (kind === 'file') found[path.slice(root === '/' ? 1 : root.length + 1)] = await fs.readText(path)
  return found
}

describe.each(Object.entries(overlaid))('a fork of %s', (_name, make) => {
  test.each(overlaidRows)('$name', async ({ forked, outside, after, merged = [], conflicts = [], left = [] }) => {
    const on = await made(make)
    const fork = await on.fork()
    for (const act of [...forked, write('made.txt', 'made\n')]) await act(fork.fs, on.root)
    for (const act of outside) await act(on.fs, on.root)
    const before = await contents(on.fs, on.root)
    const named = conflicts.map(path => ({ path: join(on.root, path) }))
    if (conflicts.length > 0) {
      const refused = await fork.merge({ onConflict: 'refuse' })
      expect(refused).toMatchObject({ outcome: 'conflict', applied: [], merged: [] })
      expect(await contents(on.fs, on.root)).toEqual(before)
    }
    const result = await fork.merge()
    expect(result).toMatchObject({ outcome: 'merged', merged: merged.map(path => join(on.root, path)) })
    expect(result.conflicts.map(({ path }) => ({ path })).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(named)
    const expected = Object.entries({ ...files, 'made.txt': 'made\n', ...after }).filter(([, text]) => text !== undefined)
    expect(await contents(on.fs, on.root)).toEqual(Object.fromEntries(expected))
    const remaining = (await fork.diff()).changes.map(({ type, path }) => `${type} ${path.slice(join(on.root, 'x').length - 1)}`)
    expect(remaining.toSorted()).toEqual(left)
    // The rest is refused again, and nothing else happens.
    expect((await fork.merge()).conflicts).toEqual(result.conflicts)
    expect(await contents(on.fs, on.root)).toEqual(Object.fromEntries(expected))
    await fork.dispose()
  })

  test('a conflict is merged once the fork has the text from outside', async () => {
    const on = await made(make)
    const path = join(on.root, 'a.txt')
    const fork = await on.fork()
    await fork.fs.writeFile(path, 'fork\n')
    await on.fs.writeFile(path, 'outside\n')
    expect((await fork.merge()).conflicts).toMatchObject([{ path }])
    await fork.fs.writeFile(path, 'outside\n')
    expect(await fork.merge()).toMatchObject({ merged: [path], conflicts: [] })
    expect((await fork.diff()).changes).toEqual([])
    await fork.dispose()
  })

  test('a review is asked again when the text outside changes, and sees what the fork changed', async () => {
    const on = await made(make)
    const path = join(on.root, 'a.txt')
    const fork = await on.fork()
    await fork.fs.writeFile(path, files['a.txt'].replace('one', '1'))
    await on.fs.writeFile(path, files['a.txt'].replace('four', '4'))
    const plans: ForkPlan[] = []
    const review = async (plan: ForkPlan): Promise<ForkVerdict> => {
      if (plans.push(plan) === 1) await on.fs.writeFile(path, files['a.txt'].replace('four', 'FOUR'))
      return 'allow'
    }
    expect(await fork.merge({ review })).toMatchObject({ outcome: 'merged', merged: [path] })
    expect([plans.length, plans[0]?.diff?.includes('+four')]).toEqual([2, false])
    expect(await on.fs.readText(path)).toBe('1\ntwo\nthree\nFOUR\n')
    await fork.dispose()
  })

  test('a file that is too large to keep is left', async () => {
    const on = await made(make)
    const path = join(on.root, 'a.txt')
    await on.fs.writeFile(path, large)
    const fork = await on.fork()
    await fork.fs.writeFile(path, `fork\n${large}`)
    await on.fs.writeFile(path, `${large}outside\n`)
    expect((await fork.merge()).conflicts).toMatchObject([{ path }])
    expect(await on.fs.readText(path)).toBe(`${large}outside\n`)
    await fork.dispose()
  })
})
