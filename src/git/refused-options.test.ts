// Options that git acts on and this git does not: each is refused by its name, and never taken without effect.

import { expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { openGit } from './api.ts'

const rows: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['--namespace', ['--namespace=x', 'status']],
  ['--config-env', ['--config-env=a.b=C', 'status']],
  ['--textconv', ['-c', 'diff.x.textconv=cat', 'diff', '--textconv']],
  ['--ext-diff', ['-c', 'diff.external=cat', 'log', '--ext-diff']],
  ['--remove-empty', ['log', '--remove-empty']],
  ['--cc', ['diff-files', '--cc']],
  ['--color-moved', ['diff', '--color', '--color-moved']],
  ['--objects', ['rev-list', '--objects', 'HEAD', '--', '*.txt']],
  ['--objects', ['rev-list', '--objects', '--first-parent', 'HEAD', '^HEAD']],
  ['--objects-edge', ['rev-list', '--objects-edge', 'HEAD']],
  ['--shared', ['clone', '--shared', '.', 'x']],
]

it.each(rows)('%s is refused', async (name, args) => {
  const git = openGit(createVfs(memory({ '/w/a': 'a\n' })), { dir: '/w', author: { name: 'A', email: 'a@example.org' } })
  await git.run(['init', '-q', '-b', 'main'])
  await git.stage(['a'])
  await git.commit('one')
  const { exitCode, stderr } = await git.run(args)
  expect([exitCode, stderr]).toEqual([129, expect.stringContaining(name)])
})

it('a commit that is to be signed says that it is not', async () => {
  const git = openGit(createVfs(memory({ '/w/a': 'a\n' })), { dir: '/w', author: { name: 'A', email: 'a@example.org' } })
  await git.run(['init', '-q', '-b', 'main'])
  const { stderr } = await git.run(['-c', 'commit.gpgSign=true', 'commit', '--allow-empty', '-m', 'x'])
  expect(stderr).toContain('not signed')
})

it('a resolved conflict of a pick is not made again, and its file stays', async () => {
  const vfs = createVfs(memory({ '/w/a': 'a\n', '/w/b': 'b\n' }))
  const git = openGit(vfs, { dir: '/w', author: { name: 'A', email: 'a@example.org' } })
  const commit = async (text: string): Promise<void> => {
    await vfs.writeFile('/w/a', text)
    await git.stage(['a', 'b'])
    await git.commit(text)
  }
  await git.run(['init', '-q', '-b', 'main'])
  await commit('one\n')
  await git.run(['checkout', '-q', '-b', 'side'])
  await commit('side\n')
  await git.run(['checkout', '-q', 'main'])
  await commit('main\n')
  await git.run(['cherry-pick', 'side'])
  await vfs.writeFile('/w/a', 'both\n')
  await git.stage(['a'])
  await vfs.writeFile('/w/a', 'both, and more\n')
  const { exitCode, stderr } = await git.run(['checkout', '-m', '--', 'a'])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("path 'a' is resolved")])
  expect(await vfs.readText('/w/a')).toBe('both, and more\n')
})
