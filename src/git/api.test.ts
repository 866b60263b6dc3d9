// What an IDE's panel for version control needs, played from an empty directory on.

import { beforeEach, describe, expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { type Git, openGit } from './api.ts'

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

  it('fails with the command, its exit code and the reason, and ends when it is aborted', async () => {
    await expect(git.switch('nowhere')).rejects.toMatchObject({
      code: 'git-failed',
      details: { exitCode: 128, stderr: 'fatal: invalid reference: nowhere\n' },
    })
    await expect(git.status({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    await expect(openGit(fs, { dir: '/' }).status()).rejects.toThrow('not a git repository')
  })
})
