// A stash does not contain what replaced a tracked file, so `stash` refuses to remove it: real git loses it.

import { describe, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { openGit } from '../api.ts'

const rows: readonly { readonly title: string; readonly gone: string; readonly put: string; readonly told: string }[] = [
  {
    title: 'a directory for a file',
    gone: '/w/a.txt',
    put: '/w/a.txt/in',
    told: "'a.txt' is a directory in the place of a tracked file",
  },
  {
    title: 'a file for a directory',
    gone: '/w/d',
    put: '/w/d',
    told: "'d' is a file in the place of a directory with tracked files",
  },
]

describe('a stash is refused where it would lose', () => {
  it.each(rows)('$title', async ({ gone, put, told }) => {
    const vfs = createVfs(memory({ 'w/a.txt': 'one\n', 'w/d/b.txt': 'two\n' }))
    const git = openGit(vfs, { dir: '/w', author: { name: 'Ada', email: 'ada@example.org' } })
    await git.run(['init', '-b', 'main'])
    await git.stage(['.'])
    await git.commit('First')
    await vfs.rm(gone, { recursive: true })
    await vfs.mkdir(put.slice(0, put.lastIndexOf('/')), { recursive: true })
    await vfs.writeFile(put, 'mine\n')
    const { exitCode, stderr } = await git.run(['stash'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(told)
    expect(new TextDecoder().decode(await vfs.readFile(put))).toBe('mine\n')
  })
})
