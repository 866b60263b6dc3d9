// Clone, fetch, pull and push from a page to a real git server of another origin, with Basic auth and CORS. Files are in memory.

import { afterEach, beforeEach, expect, it } from 'vitest'
import { commands } from 'vitest/browser'

import { connectWorkspace } from '../../worker/client.ts'
import { patient } from '../../testing/patient.ts'
import { memory } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'
import { openGit } from '../api.ts'
import type { GitNetworkOptions } from './options.ts'

let url = ''
let fs: Vfs

const served = (script: string): Promise<string> => commands.runServed(url, script)

function network(password = 'secret'): GitNetworkOptions {
  return { remotes: [`${new URL(url).origin}/*`], credentials: () => ({ username: 'user', password }) }
}

function open(options: GitNetworkOptions = network(), dir = '/work'): ReturnType<typeof openGit> {
  return openGit(fs, { dir, author: { name: 'A', email: 'a@example.org' }, ...options })
}

async function git(line: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return open().run(line.split(' '))
}

async function clone(): Promise<void> {
  await open().clone(url)
}

async function commitFile(path: string, text: string): Promise<void> {
  await fs.writeFile(`/work/${path}`, text)
  await open().stage([path])
  await open().commit(`mine: ${path}`)
}

describeUnless(whyNotInstalled(await commands.hasGit(), 'git'), 'behind real git', () => {
  beforeEach(async () => {
    url = await commands.serveRepository()
    fs = createVfs(memory())
  })

  afterEach(async () => {
    await commands.stopServing(url)
  })

  it('clones all branches and tags', async () => {
    await clone()
    expect((await git('fsck --strict')).exitCode).toBe(0)
    expect((await git('status --porcelain')).stdout).toBe('')
    expect((await git('rev-parse HEAD origin/topic v1')).stdout.trim()).toBe(await served('git -C x.git rev-parse main topic v1'))
    expect((await git('rev-parse --abbrev-ref main@{u}')).stdout).toBe('origin/main\n')
    expect(new TextDecoder().decode(await fs.readFile('/work/a')).split('\n')[6]).toBe('seven')
  })

  it('clones one commit, and the rest later', async () => {
    const parent = openGit(fs, { dir: '/', ...network() })
    expect(await parent.run(['clone', '--depth', '1', url, 'work'])).toMatchObject({ exitCode: 0 })
    expect((await git('rev-list --count --all')).stdout).toBe('1\n')
    expect(await git('fetch --unshallow')).toMatchObject({ exitCode: 0 })
    expect((await git('rev-list --count HEAD')).stdout).toBe('2\n')
  })

  it('lists what a remote has', async () => {
    await clone()
    expect((await git('ls-remote --heads origin')).stdout.trim()).toBe(
      await served('git -C x.git for-each-ref refs/heads --format="%(objectname)%09%(refname)"'),
    )
  })

  it('fetches, pulls and prunes', async () => {
    await clone()
    await served('cd seed && echo new > new && git add new && git commit -qm four && git push -q ../x.git main :topic')
    const fetched = await git('fetch --prune')
    expect(fetched.stderr).toMatch(/From http:.*\n - \[deleted\] +\(none\) +-> origin\/topic/s)
    expect(await git('pull')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Fast-forward') })
    expect((await git('rev-parse HEAD')).stdout.trim()).toBe(await served('git -C x.git rev-parse main'))
    expect(await git('pull')).toMatchObject({ exitCode: 0, stdout: 'Already up to date.\n' })
  })

  it('pushes, and is refused where work would be lost', async () => {
    await clone()
    await commitFile('mine', 'm\n')
    expect(await git('push')).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/ main -> main\n$/) })
    expect(await served('git -C x.git fsck --strict && git -C x.git rev-parse main')).toBe(
      (await git('rev-parse HEAD')).stdout.trim(),
    )
    await served(
      'cd seed && git pull -q ../x.git main && echo theirs > b && git add b && git commit -qm theirs && git push -q ../x.git main',
    )
    await git('commit -q --amend -m other')
    expect(await git('push')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(fetch first)') })
    expect(await git('push --force-with-lease')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('(stale info)') })
    expect(await git('push --force')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('(forced update)') })
    expect(await git('push -u origin HEAD:refs/heads/extra')).toMatchObject({ exitCode: 0 })
    expect(await git('push origin --delete extra')).toMatchObject({ exitCode: 0 })
    expect(await served('git -C x.git for-each-ref --format="%(refname)" refs/heads')).toBe('refs/heads/main\nrefs/heads/topic')
  })

  it('merges and rebases what it pulls', async () => {
    await clone()
    await served('cd seed && echo theirs > theirs && git add . && git commit -qm theirs && git push -q ../x.git main')
    await commitFile('mine', 'm\n')
    expect(await git('pull')).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('divergent') })
    expect(await git('pull --rebase')).toMatchObject({ exitCode: 0 })
    expect((await git('log --format=%s -3')).stdout).toBe('mine: mine\ntheirs\ntwo\n')
  })

  it('tells of progress, and ends when it is told to', async () => {
    const phases: string[] = []
    await open().clone(url, { onProgress: ({ phase }) => phases.push(phase) })
    expect([...new Set(phases)]).toEqual(['receive', 'unpack'])
    const stop = new AbortController()
    const far = open(network(), '/far')
    await expect(far.clone(url, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
    expect(await fs.exists('/far')).toBe(false)
  })

  it('says nothing of a password, and needs one', async () => {
    await clone()
    const wrong = await open(network('wrong')).run(['fetch'])
    expect(wrong).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('Authentication failed') })
    expect(wrong.stderr).not.toMatch(/wrong|secret/)
    const { remotes } = network()
    expect((await open({ remotes }).run(['fetch'])).stderr).toContain('could not read Username')
  })

  it('clones and pushes from the shell of a workspace in a worker', async () => {
    const worker = new Worker(new URL('../../worker/entry.ts', import.meta.url), { type: 'module' })
    const author = { name: 'A', email: 'a@example.org' }
    const workspace = await connectWorkspace(worker, { ...patient, fs: memory(), git: { author, ...network() } })
    const { content } = await (
      await workspace.toolset('atomic')
    ).call('bash', {
      command: `git clone -q ${url} work && cd work && echo mine > mine && git add mine && git commit -qm mine && git push -q && git log -1 --format=%s origin/main`,
    })
    expect(content).toMatchObject([{ text: expect.stringMatching(/^mine\n/) }])
    expect(await served('git -C x.git log -1 --format=%s main')).toBe('mine')
    await workspace.dispose()
    worker.terminate()
  })

  it('sends nothing to what the host did not allow, and follows no redirect', async () => {
    const parent = (options: GitNetworkOptions) => openGit(fs, { dir: '/', ...options })
    const elsewhere = await parent({ remotes: ['https://example.com/org/*'] }).run(['clone', url, 'work'])
    expect(elsewhere).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('not among the remotes') })
    const moved = await parent(network()).run(['clone', url.replace('/x.git', '/moved/x.git'), 'work'])
    expect(moved).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('redirects cannot be checked here') })
    expect(await fs.exists('/work')).toBe(false)
  })
})
