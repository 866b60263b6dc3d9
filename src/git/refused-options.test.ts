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
