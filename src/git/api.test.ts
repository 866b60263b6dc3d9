// The steps of an IDE's version control panel, starting with an empty directory.

import { beforeEach, describe, expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { buildWorkspace } from '../worker/build-workspace.ts'
import { connectWorkerLike } from '../worker/client.ts'
import { type Git, type GitNotice, openGit } from './api.ts'

const author = { name: 'Ada Löv', email: 'ada@example.org' }
let fs: Vfs
let git: Git

beforeEach(async () => {
  fs = createVfs(memory({ '/w/a.txt': 'one\n', '/w/dir/b c.txt': 'b\n', '/w/x': 'x\n'.repeat(20) }))
  git = openGit(fs, { dir: '/w', author, clock: () => 1_600_000_000_000 })
  await git.run(['init', '-q', '-b', 'main'])
})

const changes = async (): Promise<readonly string[]> =>
  (await git.status()).changes.map(
    ({ path, oldPath, index, work }) => `${index}/${work} ${oldPath === undefined ? '' : `${oldPath} -> `}${path}`,
  )

describe('git for hosts', () => {
  it('goes from an empty repository to a history', async () => {
    expect(await git.status()).toMatchObject({ branch: 'main', head: undefined, upstream: undefined, ahead: 0, behind: 0 })
    expect(await changes()).toEqual(['none/untracked a.txt', 'none/untracked dir/b c.txt', 'none/untracked x'])
    await git.stage(['.'])
    const first = await git.commit('First\n\nWith a body\n')
    await fs.writeFile('/w/a.txt', 'one\ntwo\n')
    await fs.rename('/w/x', '/w/y')
    await git.stage(['x', 'y'])
    await fs.writeFile('/w/new', 'n\n')
    expect(await changes()).toEqual(['none/modified a.txt', 'renamed/none x -> y', 'none/untracked new'])
    expect(await git.diff()).toContain('+two\n')
    expect(await git.diff({ staged: true })).toContain('rename from x\nrename to y\n')
    const second = await git.commit('Second')
    expect(await git.log()).toEqual([
      {
        id: second,
        parents: [first],
        authorName: 'Ada Löv',
        authorEmail: 'ada@example.org',
        authorTimeMs: 1_600_000_000_000,
        references: ['HEAD -> main'],
        message: 'Second',
      },
      expect.objectContaining({ id: first, parents: [], references: [], message: 'First\n\nWith a body' }),
    ])
    expect((await git.log({ paths: ['a.txt'] })).map(({ id }) => id)).toEqual([first])
    expect(await git.diff({ from: first, to: second })).toContain('rename to y')
  })

  it('reads a long history one commit after the other, and only as far as it is asked', async () => {
    await git.stage(['.'])
    for (let count = 0; count < 200; count++)
      await git.run(['commit', '--allow-empty', '-qm', `Commit ${count}`.padEnd(400, '.')])
    const ids = (await git.run(['rev-list', 'HEAD'])).stdout.trim().split('\n')
    const read: string[] = []
    for await (const { id } of git.log()) read.push(id)
    expect(read).toEqual(ids)
    const some: string[] = []
    for await (const { id } of git.log({ skip: 1 })) {
      some.push(id)
      if (some.length === 3) break
    }
    expect(some).toEqual(ids.slice(1, 4))
    expect((await git.log({ count: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const controller = new AbortController()
    await expect(async () => {
      for await (const _ of git.log({ signal: controller.signal })) controller.abort(new Error('enough'))
    }).rejects.toThrow('enough')
    await expect(git.log({ from: 'nosuch' })).rejects.toMatchObject({ details: { exitCode: 128 } })
  })

  it('stages, unstages, restores and amends', async () => {
    await git.stage(['.'])
    const first = await git.commit('First')
    await fs.writeFile('/w/a.txt', 'changed\n')
    await git.stage(['a.txt'])
    expect(await changes()).toEqual(['modified/none a.txt'])
    await git.unstage(['a.txt'])
    expect(await changes()).toEqual(['none/modified a.txt'])
    await git.restore(['a.txt'])
    expect([await changes(), await fs.readText('/w/a.txt')]).toEqual([[], 'one\n'])
    const amended = await git.commit('Better', { amend: true })
    expect((await git.log()).map(({ id, message }) => [id, message])).toEqual([[amended, 'Better']])
    expect(amended).not.toBe(first)
  })

  it('makes branches, and tells of conflicts', async () => {
    await git.stage(['.'])
    await git.commit('First')
    await git.switch('side', { create: true })
    await fs.writeFile('/w/a.txt', 'side\n')
    await git.stage(['a.txt'])
    await git.commit('Side')
    await git.switch('main')
    await fs.writeFile('/w/a.txt', 'main\n')
    await git.stage(['a.txt'])
    await git.commit('Main')
    expect((await git.branches()).map(({ name, isCurrent, isRemote }) => [name, isCurrent, isRemote])).toEqual([
      ['main', true, false],
      ['side', false, false],
    ])
    expect(await git.run(['merge', 'side'])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('CONFLICT (content)') })
    expect(await changes()).toEqual(['conflict/conflict a.txt'])
  })

  it('shows commits and differences as rows', async () => {
    await git.stage(['.'])
    const first = await git.commit('First')
    await fs.writeFile('/w/a.txt', 'ONE\n@@ -1 +1 @@\ntwo')
    await fs.rename('/w/x', '/w/y')
    await fs.writeFile('/w/bin', new Uint8Array([0, 1]))
    await fs.rm('/w/dir/b c.txt')
    await git.stage(['.'])
    const second = await git.commit('Second')
    const { commit, files } = await git.show()
    expect([commit.id, commit.parents]).toEqual([second, [first]])
    expect(
      files.map(({ kind, oldPath, path, addedCount, removedCount, isBinary }) =>
        [kind, oldPath, path, addedCount, removedCount, isBinary].join(' '),
      ),
    ).toEqual(['modified  a.txt 3 1 false', 'added  bin 0 0 true', 'deleted  dir/b c.txt 0 1 false', 'renamed x y 0 0 false'])
    expect(files[0]?.hunks).toEqual([
      {
        ...{ oldStart: 1, oldCount: 1, newStart: 1, newCount: 3, heading: '' },
        lines: [
          { kind: 'removed', text: 'one', oldLine: 1, newLine: undefined, isUnended: false },
          { kind: 'added', text: 'ONE', oldLine: undefined, newLine: 1, isUnended: false },
          { kind: 'added', text: '@@ -1 +1 @@', oldLine: undefined, newLine: 2, isUnended: false },
          { kind: 'added', text: 'two', oldLine: undefined, newLine: 3, isUnended: true },
        ],
      },
    ])
    expect(files[2]?.hunks[0]?.lines.map(({ text }) => text)).toEqual(['b'])
    expect((await git.show(first)).files.map(({ kind, path }) => [kind, path])).toContainEqual(['added', 'a.txt'])
    expect(await git.diffFiles()).toEqual([])
    expect(new TextDecoder().decode(await git.readFile(first, 'a.txt'))).toBe('one\n')
    await expect(git.readFile(first, 'y')).rejects.toMatchObject({ code: 'git-failed' })
    await fs.writeFile('/w/a.txt', 'ONE\nmine\ntwo')
    expect((await git.blame('a.txt')).map(row => [row.line, row.text, row.isCommitted, row.summary, row.authorName])).toEqual([
      [1, 'ONE', true, 'Second', 'Ada Löv'],
      [2, 'mine', false, expect.any(String), 'Not Committed Yet'],
      [3, 'two', true, 'Second', 'Ada Löv'],
    ])
    expect((await git.blame('a.txt', { revision: first, lastLine: 1 })).map(({ id, text }) => [id, text])).toEqual([
      [first, 'one'],
    ])
  })

  it('means names and not patterns, from the root of the work tree', async () => {
    await fs.writeFile('/w/[ab].txt', 'odd\n')
    const inside = openGit(fs, { dir: '/w/dir', author })
    await inside.stage(['[ab].txt'])
    expect(await changes()).toContain('added/none [ab].txt')
    expect(await changes()).toContain('none/untracked a.txt')
    await inside.stage(['dir'])
    expect(await changes()).toContain('added/none dir/b c.txt')
  })

  it('puts changes away and brings them back', async () => {
    await git.stage(['.'])
    await git.commit('First')
    expect(await git.stash.save()).toBeUndefined()
    await fs.writeFile('/w/a.txt', 'two\n')
    await fs.writeFile('/w/new', 'n\n')
    const id = await git.stash.save({ message: 'mine', untracked: true })
    expect(await changes()).toEqual([])
    expect(await git.stash.list()).toEqual([{ number: 0, id, timeMs: 1_600_000_000_000, message: 'On main: mine' }])
    await git.stash.pop()
    expect([await changes(), await git.stash.list()]).toEqual([['none/modified a.txt', 'none/untracked new'], []])
    await git.stash.save()
    await fs.writeFile('/w/a.txt', 'three\n')
    await git.stage(['a.txt'])
    await git.commit('Second')
    await git.stash.pop()
    expect([await changes(), (await git.stash.list()).length]).toEqual([['conflict/conflict a.txt', 'none/untracked new'], 1])
    await git.stash.drop()
    await expect(git.stash.apply()).rejects.toMatchObject({ code: 'git-failed' })
  })

  it('merges, and tells what came of it', async () => {
    await git.stage(['.'])
    await git.commit('First')
    await git.switch('side', { create: true })
    await fs.writeFile('/w/a.txt', 'side\n')
    await git.stage(['a.txt'])
    const side = await git.commit('Side')
    await git.switch('main')
    expect(await git.merge('side')).toEqual({ kind: 'fast-forward', id: side })
    expect(await git.merge('side')).toEqual({ kind: 'up-to-date' })
    await git.run(['reset', '-q', '--hard', 'HEAD~1'])
    expect(await git.merge('side', { fastForward: 'never', message: 'Join' })).toMatchObject({ kind: 'merged' })
    expect((await git.show()).files.map(({ path }) => path)).toEqual(['a.txt'])
    await git.run(['reset', '-q', '--hard', 'HEAD~1'])
    expect(await git.merge('side', { squash: true })).toEqual({ kind: 'squashed' })
    await git.run(['reset', '-q', '--hard'])
    await fs.writeFile('/w/a.txt', 'main\n')
    await git.stage(['a.txt'])
    await git.commit('Main')
    expect(await git.merge('side')).toEqual({ kind: 'conflicts', paths: ['a.txt'] })
    expect(await git.status()).toMatchObject({ operation: 'merge', changes: [{ path: 'a.txt', index: 'conflict' }] })
    await expect(git.merge('side')).rejects.toMatchObject({ code: 'git-failed' })
    await git.abortMerge()
    expect(await git.status()).toMatchObject({ operation: undefined, changes: [] })
    await expect(git.merge('nowhere')).rejects.toMatchObject({ details: { exitCode: 1 } })
  })

  it('tells of changes, whoever made them', async () => {
    await git.stage(['.'])
    await git.commit('First')
    const notices: GitNotice[] = []
    const end = await git.watch(notice => notices.push(notice))
    const next = async (): Promise<GitNotice> => {
      await expect.poll(() => notices.length).toBeGreaterThan(0)
      const found = notices.splice(0)
      return {
        workTree: found.some(({ workTree }) => workTree),
        index: found.some(({ index }) => index),
        references: found.some(({ references }) => references),
      }
    }
    await fs.writeFile('/w/a.txt', 'two\n')
    expect(await next()).toEqual({ workTree: true, index: false, references: false })
    await git.stage(['a.txt'])
    expect(await next()).toEqual({ workTree: false, index: true, references: false })
    await git.commit('Second')
    expect(await next()).toEqual({ workTree: false, index: true, references: true })
    await git.status()
    end()
    await fs.writeFile('/w/a.txt', 'three\n')
    expect(notices).toEqual([])
  })

  it('works over the wire', async () => {
    const workspace = await connectWorkerLike(createFakeWorker({}, buildWorkspace), { shell: 'none', fs: memory() })
    try {
      const far = openGit(workspace.fs, { dir: '/workspace', author })
      await far.run(['init', '-q', '-b', 'main'])
      await workspace.fs.writeFile('/workspace/a', 'one\n')
      let noticed = 0
      const end = await far.watch(() => noticed++)
      await far.stage(['a'])
      const id = await far.commit('First')
      expect((await far.log()).map(row => row.id)).toEqual([id])
      expect(await far.status()).toMatchObject({ branch: 'main', head: id, changes: [] })
      await expect.poll(() => noticed).toBeGreaterThan(0)
      end()
    } finally {
      await workspace.dispose()
    }
  })

  it('fails with the command, its exit code and the reason, and ends when it is aborted', async () => {
    await expect(git.switch('nowhere')).rejects.toMatchObject({
      code: 'git-failed',
      details: { exitCode: 128, stderr: 'fatal: invalid reference: nowhere\n' },
    })
    await expect(git.status({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    await expect(openGit(fs, { dir: '/' }).status()).rejects.toThrow('not a git repository')
  })
})
