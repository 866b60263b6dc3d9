// Cached knowledge of a work tree must never change a result: after any changes, a repository that was used before gives the same answers
// as one that is opened anew.

import { describe, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { collectOutput, inputOf } from '../../shell/commands.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { GitFiles } from '../files.ts'
import { runGit } from '../program.ts'
import { RepositoryCache } from '../repository-cache.ts'

const stepCount = 40
const directories = ['/', '/w']
const names = ['a', 'b.log', 'd/c', 'd/e/f', 'd/.gitignore', '.gitignore', 'x/y', 'x.log', 'link']

async function git(vfs: Vfs, root: string, cache: RepositoryCache, ...args: readonly string[]): Promise<string> {
  const stdout = collectOutput()
  const stderr = collectOutput()
  const env = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b.c',
    HOME: '/none',
  }
  const environment = {
    files: new GitFiles(vfs),
    cwd: root,
    env,
    clock: () => 1_600_000_000_000,
    signal: new AbortController().signal,
    settings: [],
    cache,
  }
  await runGit(args, environment, { stdin: inputOf(new Uint8Array()), stdout, stderr })
  return new TextDecoder().decode(stdout.bytes()) + new TextDecoder().decode(stderr.bytes())
}

async function edit(vfs: Vfs, root: string, random: Random): Promise<string> {
  const name = random.pick(names)
  const path = `${root === '/' ? '' : root}/${name}`
  const other = random.pick(names)
  const to = `${root === '/' ? '' : root}/${other}`
  const content = random.pick(['one\n', 'two\n', '*.log\n', 'd/\n', ''])
  const kind = random.pick(['write', 'write', 'write', 'remove', 'move', 'mode', 'link', 'hard link', 'directory', 'batch'])
  const steps: Record<string, () => Promise<unknown>> = {
    write: () => vfs.writeFile(path, content, { parents: true }),
    remove: () => vfs.rm(path, { recursive: true, force: true }),
    move: () => vfs.rename(path, to),
    mode: () => vfs.chmod(path, random.chance(0.5) ? 0o755 : 0o644),
    link: () => vfs.symlink(content || 'a', path),
    'hard link': () => vfs.link(path, to),
    directory: () => vfs.rename(path.replace(/\/[^/]*$/, '') || path, `${to}2`),
    batch: () =>
      vfs.batch(async fs => {
        await fs.writeFile(path, content, { parents: true })
        await fs.rm(to, { recursive: true, force: true })
      }),
  }
  const isDone = await (steps[kind] ?? steps['write'])?.().then(
    () => true,
    () => false,
  )
  return `${kind} ${name} ${other} ${JSON.stringify(content)}${isDone ? '' : ' (refused)'}`
}

describe('what is remembered of a work tree', () => {
  it('never shows', async () => {
    let count = 0
    await forSeeds(seeds({ quick: 1, deep: 400 }), async random => {
      const vfs = createVfs(memory())
      const root = random.pick(directories)
      await vfs.mkdir(root, { recursive: true })
      const cache = new RepositoryCache()
      await git(vfs, root, cache, 'init', '-q', '-b', 'main')
      for (const name of names) await vfs.writeFile(`${root}/${name}`, name === 'x/y' ? 'y\n' : 'two\n', { parents: true })
      await git(vfs, root, cache, 'add', '-A')
      await git(vfs, root, cache, 'commit', '-qm', 'first')
      const story: string[] = []
      for (let step = 0; step < stepCount; step++) {
        if (random.chance(0.6)) story.push(await edit(vfs, root, random))
        else {
          const args = random.pick([
            ['add', '-A'],
            ['add', 'd'],
            ['add', '-u'],
            ['add', '-A'],
            ['commit', '-qam', 'x'],
            ['commit', '-qam', 'x'],
            ['rm', '-rq', '--cached', 'd'],
            ['reset', '-q'],
            ['reset', '-q', '--hard'],
            ['checkout', '--', '.'],
            ['clean', '-fdq'],
            ['-c', 'core.filemode=false', 'status'],
            ['stash', '-q', '-u'],
            ['stash', 'pop', '-q'],
          ])
          story.push(`git ${args.join(' ')}`)
          await git(vfs, root, cache, ...args)
        }
        for (const args of [
          ['status', '--porcelain', '--ignored'],
          ['diff', '--stat', 'HEAD'],
        ]) {
          const known = await git(vfs, root, cache, ...args)
          expect(known, `git ${args.join(' ')} in ${root} after\n${story.join('\n')}`).toBe(
            await git(vfs, root, new RepositoryCache(), ...args),
          )
        }
        count++
      }
    })
    expect(count).toBeGreaterThan(0)
  }, 600_000)
})
