// isomorphic-git on our filesystem: the commands of a typical working day, and the edits that a filesystem with coarse stats hides from it
// (docs/filesystem.md). It needs a global Buffer, which Node has; a page loads one with the git chunk.
import git from 'isomorphic-git'
import { describe, expect, test } from 'vitest'
import { createVfs } from '../../create-vfs.ts'
import { createTreeStore } from '../../tree/store.ts'
import { treeBackend } from '../../tree/tree-backend.ts'
import { type NodeFs, toNodeFs } from './index.ts'

const dir = '/repo'
// Seconds apart, because commits of the same second have no defined order.
let seconds = 1_700_000_000
const author = () => ({ name: 'A', email: 'a@example.org', timestamp: ++seconds, timezoneOffset: 0 })

function open(clock: () => number = Date.now): NodeFs {
  const store = createTreeStore(clock)
  return toNodeFs(createVfs(treeBackend(() => store)))
}

async function repository(fs: NodeFs, files: Readonly<Record<string, string>>): Promise<{ fs: NodeFs; dir: string }> {
  await fs.promises.mkdir(dir, { recursive: true })
  await git.init({ fs, dir, defaultBranch: 'main' })
  for (const [path, text] of Object.entries(files)) {
    await fs.promises.mkdir(`${dir}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true })
    await fs.promises.writeFile(`${dir}/${path}`, text)
  }
  await git.add({ fs, dir, filepath: '.' })
  await git.commit({ fs, dir, message: 'First', author: author() })
  return { fs, dir }
}

/** 'modified a.txt, absent b.txt': only the files that are not clean. */
async function status(repo: { fs: NodeFs; dir: string }): Promise<string> {
  const matrix = await git.statusMatrix({ ...repo, cache: {} })
  const names = ['absent', 'unmodified', 'modified'] as const
  return matrix
    .filter(([, head, workdir, stage]) => !(head === 1 && workdir === 1 && stage === 1))
    .map(([path, , workdir]) => `${names[workdir]} ${path}`)
    .join(', ')
}

test('init, add, commit, status, log, branch, checkout, merge', async () => {
  const repo = await repository(open(), { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' })
  const { fs } = repo
  expect(await status(repo)).toBe('')

  await git.branch({ ...repo, ref: 'topic', checkout: true })
  await fs.promises.writeFile(`${dir}/src/b.txt`, 'b2\n')
  await fs.promises.unlink(`${dir}/a.txt`)
  await fs.promises.writeFile(`${dir}/new.txt`, 'new\n')
  expect(await status(repo)).toBe('absent a.txt, modified new.txt, modified src/b.txt')
  await git.add({ ...repo, filepath: ['new.txt', 'src/b.txt'] })
  await git.remove({ ...repo, filepath: 'a.txt' })
  await git.commit({ ...repo, message: 'Topic', author: author() })
  expect(await status(repo)).toBe('')

  await git.checkout({ ...repo, ref: 'main' })
  expect([await fs.promises.readFile(`${dir}/src/b.txt`, 'utf8'), (await fs.promises.readdir(dir)).toSorted()]).toEqual([
    'b\n',
    ['.git', 'a.txt', 'src'],
  ])
  await fs.promises.writeFile(`${dir}/src/deep/c.txt`, 'c2\n')
  await git.add({ ...repo, filepath: 'src/deep/c.txt' })
  await git.commit({ ...repo, message: 'Main', author: author() })

  await git.merge({ ...repo, ours: 'main', theirs: 'topic', author: author() })
  await git.checkout({ ...repo, ref: 'main' })
  expect(await fs.promises.readFile(`${dir}/src/b.txt`, 'utf8')).toBe('b2\n')
  expect(await fs.promises.readFile(`${dir}/src/deep/c.txt`, 'utf8')).toBe('c2\n')
  expect(await status(repo)).toBe('')
  const log = await git.log(repo)
  expect(log.map(({ commit }) => commit.message.trim())).toEqual(["Merge branch 'topic' into main", 'Main', 'Topic', 'First'])
})

test('the bit of an executable, and a symlink, come back from a checkout', async () => {
  const fs = open()
  await fs.promises.mkdir(dir)
  await fs.promises.writeFile(`${dir}/run.sh`, 'true\n', { mode: 0o777 })
  await fs.promises.symlink('run.sh', `${dir}/link`)
  const repo = await repository(fs, {})
  await fs.promises.unlink(`${dir}/run.sh`)
  await fs.promises.unlink(`${dir}/link`)
  await git.checkout({ ...repo, ref: 'main', force: true })
  expect((await fs.promises.stat(`${dir}/run.sh`)).mode & 0o777).toBe(0o755)
  expect(await fs.promises.readlink(`${dir}/link`)).toBe('run.sh')
  expect(await status(repo)).toBe('')
})

describe('no edit is missed, whatever the clock does', () => {
  const clocks: readonly (readonly [how: string, clock: () => number])[] = [
    ['a clock that stands still', () => 1_700_000_000_000],
    ['a clock of whole seconds', () => Math.floor(Date.now() / 1000) * 1000],
    [
      'a clock that goes back',
      (() => {
        let now = 1_700_000_000_000
        return () => (now -= 1000)
      })(),
    ],
    ['the clock', Date.now],
  ]
  test.each(clocks)('same size, right after the commit: %s', async (_how, clock) => {
    const repo = await repository(open(clock), { 'a.txt': 'aaaa' })
    expect(await status(repo)).toBe('')
    await repo.fs.promises.writeFile(`${dir}/a.txt`, 'bbbb')
    expect(await git.status({ ...repo, filepath: 'a.txt' })).toBe('*modified')
    expect(await status(repo)).toBe('modified a.txt')
  })

  test.each(clocks)('replaced by a rename, with the old time put back: %s', async (_how, clock) => {
    const repo = await repository(open(clock), { 'a.txt': 'aaaa' })
    const { mtime } = await repo.fs.promises.stat(`${dir}/a.txt`)
    await repo.fs.promises.writeFile('/tmp', 'bbbb')
    await repo.fs.promises.rename('/tmp', `${dir}/a.txt`)
    await repo.fs.promises.utimes(`${dir}/a.txt`, mtime, mtime)
    expect(await status(repo)).toBe('modified a.txt')
  })
})
