// Clone, fetch, pull and push with a real git server over HTTP.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { GitTwins, hasGit, wordsOf } from '../../testing/git-twins.ts'
import { ServedRepository } from '../../testing/served-repository.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { openGit } from '../api.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'
import { inDeepRun } from '../../testing/depth.ts'

describeUnless(whyNotInstalled(hasGit, 'git'), 'behind real git', () => {
  let twins: GitTwins
  let repository: ServedRepository
  let url = ''

  beforeEach(async () => {
    twins = new GitTwins()
    repository = await ServedRepository.start()
    url = repository.url
    twins.network = { remotes: [`${repository.origin}/*`], credentials: () => ({ username: 'user', password: 'secret' }) }
  })

  afterEach(async () => {
    await repository.stop()
    twins.dispose()
  })

  function sh(cwd: string, script: string): string {
    const env = { ...twins.environment(), PATH: process.env['PATH'] ?? '' }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env })
    if (status !== 0) throw new Error(`${script}: ${stderr.toString()}`)
    return stdout.toString().trim()
  }

  const served = (script: string): string => repository.run(script)
  const here = (script: string): string => sh(join(twins.root, 'ours', 'work'), script)
  const git = (line: string, cwd = '/work'): ReturnType<GitTwins['runOurs']> => twins.runOurs(wordsOf(line), cwd)

  async function clone(options = ''): Promise<void> {
    const result = await git(`clone ${options} ${url} work`, '/')
    expect(result).toMatchObject({ exitCode: 0 })
  }

  it('clones all branches and tags, and real git goes on', async () => {
    await clone()
    expect(here('git fsck --strict && git status --porcelain')).toBe('')
    expect(here('git for-each-ref --format="%(refname) %(objectname)"')).toContain(
      `refs/tags/v1 ${served('git -C x.git rev-parse v1')}`,
    )
    expect(here('git rev-parse HEAD origin/topic')).toBe(served('git -C x.git rev-parse main topic'))
    expect(here('git rev-parse --abbrev-ref main@{u} && cat .git/refs/remotes/origin/HEAD')).toBe(
      'origin/main\nref: refs/remotes/origin/main',
    )
    expect(here('git fetch --dry-run . main 2>&1; cat a | head -7 | tail -1')).toContain('seven')
  })

  inDeepRun(() =>
    it('clones one commit', async () => {
      await clone('--depth 1')
      expect(here('git log --oneline --all | wc -l')).toBe('1')
      await git('fetch --unshallow')
      expect(here('git log --oneline | wc -l')).toBe('2')
      expect(here('git fsck --strict && ls .git')).not.toContain('shallow')
    }),
  )

  inDeepRun(() =>
    it('brings what lies before the end of the history, and deepens it', async () => {
      await clone('--depth 1')
      served(
        'cd x.git && git update-ref refs/heads/early $(git -c user.name=A -c user.email=a@b commit-tree -p main~1 -m beside main~1^{tree})',
      )
      await git('fetch origin early:early')
      expect(here('git rev-list --count early && git rev-list --count HEAD && git fsck --strict')).toBe('2\n1')
      await git('fetch --deepen=1')
      expect(here('git rev-list --count HEAD && git fsck --strict')).toBe('2')
    }),
  )

  inDeepRun(() =>
    it('lists what a remote has', async () => {
      await clone()
      const { stdout } = await git('ls-remote --heads origin')
      expect(stdout.trim()).toBe(served('git -C x.git for-each-ref refs/heads --format="%(objectname)%09%(refname)"'))
    }),
  )

  it('fetches, pulls and prunes', async () => {
    await clone()
    served(
      'cd seed && git remote add x ../x.git 2>/dev/null; echo new > new && git add new && git commit -qm four && git push -q x main && git push -q x :topic',
    )
    const fetched = await git('fetch --prune')
    expect(fetched.stderr).toMatch(/From http:.*\n - \[deleted\] +\(none\) +-> origin\/topic/s)
    expect(fetched.stderr).toContain('main       -> origin/main')
    expect(await git('pull')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Fast-forward') })
    expect(here('git rev-parse HEAD')).toBe(served('git -C x.git rev-parse main'))
    expect(await git('pull')).toMatchObject({ exitCode: 0, stdout: 'Already up to date.\n' })
  })

  it('pushes, and is refused where work would be lost', async () => {
    await clone()
    here('echo mine >> a && git commit -qam mine')
    expect(await git('push')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^To http.*\n {3}\w+\.\.\w+ {2}main -> main\n$/),
    })
    expect(await git('push')).toMatchObject({ exitCode: 0, stderr: 'Everything up-to-date\n' })
    expect(served('git -C x.git fsck --strict && git -C x.git rev-parse main')).toBe(here('git rev-parse HEAD'))
    expect(await git('push -u origin HEAD:refs/heads/extra')).toMatchObject({ exitCode: 0 })
    expect(here('git config branch.main.merge')).toBe('refs/heads/extra')
    here('git branch -q -u origin/main')
    served(
      'cd seed && git pull -q ../x.git main && echo theirs > b && git add b && git commit -qm theirs && git push -q ../x.git main',
    )
    here('git commit -q --amend -m other')
    expect(await git('push')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('[rejected]        main -> main (fetch first)'),
    })
    expect(await git('push --force-with-lease')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(stale info)') })
    expect(await git('push --force')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('(forced update)') })
    expect(served('git -C x.git rev-parse main')).toBe(here('git rev-parse HEAD'))
    expect(await git('push origin --delete extra')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(' - [deleted]         extra'),
    })
    expect(here('git rev-parse origin/main')).toBe(here('git rev-parse HEAD'))
  })

  inDeepRun(() =>
    it('merges and rebases what it pulls', async () => {
      await clone()
      served('cd seed && echo theirs > theirs && git add . && git commit -qm theirs && git push -q ../x.git main')
      here('echo mine > mine && git add . && git commit -qm mine')
      expect(await git('pull')).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('divergent') })
      expect(await git('pull --rebase')).toMatchObject({ exitCode: 0 })
      expect(here('git log --format=%s -3')).toBe('mine\ntheirs\ntwo')
      here('git reset -q --hard HEAD~2 && echo mine > mine && git add . && git commit -qm mine')
      expect(await git('pull --no-rebase --no-edit')).toMatchObject({ exitCode: 0 })
      expect(here('git log --format=%s -1')).toBe(`Merge branch 'main' of ${url.replace('.git', '')}`)
    }),
  )

  it('gives hosts rows and tells how far it is', async () => {
    const fs = createVfs(memory({}))
    const network = { remotes: [`${repository.origin}/*`], credentials: () => ({ username: 'user', password: 'secret' }) }
    const host = openGit(fs, { dir: '/w', author: { name: 'A', email: 'a@example.org' }, ...network })
    const phases: string[] = []
    await host.clone(url, { onProgress: ({ phase }) => phases.push(phase) })
    expect([...new Set(phases)]).toEqual(['receive', 'unpack'])
    const before = await host.status()
    expect(before).toMatchObject({ branch: 'main', upstream: 'origin/main', changes: [] })
    served('cd seed && echo new > new && git add new && git commit -qm four && git push -q ../x.git main :topic')
    const theirs = served('git -C x.git rev-parse main')
    expect(await host.fetch({ prune: true })).toEqual([
      { name: 'refs/remotes/origin/main', before: before.head, after: theirs },
      { name: 'refs/remotes/origin/topic', before: expect.any(String), after: undefined },
    ])
    await fs.writeFile('/w/mine', 'm\n')
    await host.stage(['mine'])
    await host.commit('Mine')
    expect(await host.push()).toEqual([
      { kind: 'refused', from: 'refs/heads/main', to: 'refs/heads/main', reason: 'non-fast-forward' },
    ])
    expect(await host.merge('origin/main')).toMatchObject({ kind: 'merged' })
    const sent: string[] = []
    expect(await host.push({ onProgress: ({ phase }) => sent.push(phase) })).toMatchObject([{ kind: 'moved' }])
    expect(sent).toContain('send')
    expect(served('git -C x.git fsck --strict --no-dangling && git -C x.git rev-parse main')).toBe((await host.status()).head)
    expect(await host.push({ references: ['HEAD:refs/heads/more'], remote: 'origin', setUpstream: true })).toMatchObject([
      { kind: 'created', to: 'refs/heads/more' },
    ])
    const stop = new AbortController()
    const far = openGit(fs, { dir: '/far', ...network })
    await expect(far.clone(url, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
    expect(await fs.exists('/far')).toBe(false)
  })

  it('says nothing of a password, and needs one', async () => {
    twins.network = { remotes: [`${repository.origin}/*`], credentials: () => ({ username: 'user', password: 'wrong' }) }
    const wrong = await git(`ls-remote ${url}`, '/')
    expect(wrong.exitCode).toBe(128)
    expect(wrong.stderr).toContain('Authentication failed')
    expect(wrong.stderr).not.toMatch(/wrong|secret/)
    twins.network = { remotes: [`${repository.origin}/*`] }
    expect((await git(`clone ${url} work`, '/')).stderr).toContain('could not read Username')
    expect(await git('ls-remote https://user:pw@example.com/x', '/')).toMatchObject({ exitCode: 128 })
  })

  it('sends nothing to what the host did not allow', async () => {
    const before = repository.requests.length
    twins.network = { remotes: ['https://example.com/org/*'] }
    for (const address of [
      url,
      'https://example.com/other/x',
      'https://example.com/org/../other',
      'git@example.com:org/x',
      'file:///x',
      '/x',
    ]) {
      expect(await git(`clone ${address} work`, '/')).toMatchObject({ exitCode: 128 })
    }
    twins.network = { remotes: ['*'] }
    expect((await git(`clone ${url} work`, '/')).stderr).toContain('only https')
    twins.network = undefined
    expect((await git(`clone ${url} work`, '/')).stderr).toContain('the network is off')
    expect(repository.requests.length).toBe(before)
  })

  it('follows a redirect only to what is allowed', async () => {
    expect((await git(`clone ${repository.origin}/elsewhere/x.git work`, '/')).stderr).toContain('not among the remotes')
  })
})
