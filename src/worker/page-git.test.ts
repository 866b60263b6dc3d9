// The shell's git in a worker, with the page's credentials and the page's fetch, against a real git server.

import { afterAll, beforeAll, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import type { GitFetch, GitHostOptions } from '../git/network/options.ts'
import type { Policy } from '../session/policy/policy.ts'
import { hasGit } from '../testing/git-twins.ts'
import { ServedRepository } from '../testing/served-repository.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'
import { openAcross } from '../testing/workspace-places.ts'

describeUnless(whyNotInstalled(hasGit, 'git'), 'git in a worker', () => {
  let served: ServedRepository

  beforeAll(async () => {
    served = await ServedRepository.start()
  })
  afterAll(() => served.stop())

  const credentials = () => Promise.resolve({ username: 'user', password: 'secret' })
  const author = { name: 'A', email: 'a@example.org' }

  async function bash(git: GitHostOptions, command: string, policy?: Policy): Promise<string> {
    const workspace = await openAcross({ fs: memory(), git: { remotes: [`${served.origin}/*`], author, ...git }, policy })
    const { content } = await (await workspace.toolset('atomic')).call('bash', { command })
    return content.map(part => (part.type === 'text' ? part.text : part.type)).join('')
  }

  it('clones and pushes with the credentials that the page gives', async () => {
    const asked: string[] = []
    const script = `git clone -q ${served.url} work && cd work && echo mine > mine && git add mine && git commit -qm mine && git push -q && git log -1 --format=%s origin/main`
    const given: GitHostOptions = { credentials: url => (asked.push(url), credentials()) }
    expect(await bash(given, script)).toBe('mine\n')
    expect(new Set(asked)).toEqual(new Set([served.url]))
    expect(served.run('git -C x.git log -1 --format=%s main')).toBe('mine')
  })

  it('reaches the server through the fetch of the page', async () => {
    const methods: string[] = []
    const fetch: GitFetch = (url, init) => (methods.push(`${init.method} ${init.redirect}`), globalThis.fetch(url, init))
    expect(await bash({ credentials, fetch }, `git clone -q ${served.url} work && git -C work log -1 --format=%s v1`)).toBe(
      'one\n',
    )
    expect(new Set(methods)).toEqual(new Set(['GET manual', 'POST manual']))
  })

  it.each<[name: string, git: GitHostOptions, policy: Policy | undefined]>([
    ['the host turned it off', { push: false }, undefined],
    ['the command is reviewed after it has run', {}, { bash: 'review', approve: () => Promise.resolve('allow') }],
  ])('pushes nothing where %s', async (_why, git, policy) => {
    const before = served.run('git -C x.git for-each-ref')
    const text = await bash(
      { credentials, ...git },
      `git clone -q ${served.url} work && cd work && git push -q origin HEAD:refs/heads/sent; echo $?`,
      policy,
    )
    expect(text).toMatch(/may not push[^]*^128$/m)
    expect(served.run('git -C x.git for-each-ref')).toBe(before)
  })

  it.each<[name: string, git: GitHostOptions, says: string]>([
    ['no credentials', { credentials: () => undefined }, 'the host gave no credentials'],
    ['wrong credentials', { credentials: () => ({ username: 'user', password: 'wrong' }) }, 'Authentication failed'],
    ['credentials without a password', { credentials: () => ({ username: 'user' }) as never }, 'a username and a password'],
    ['a failing question', { credentials: () => Promise.reject(new Error('the vault is locked')) }, 'the vault is locked'],
    ['a failing fetch', { fetch: () => Promise.reject(new Error('offline')) }, "': offline"],
    ['an answer above the limit', { credentials, fetch: globalThis.fetch, maxBytes: 100 }, 'more than the limit of 100'],
  ])('%s: the command says so', async (_name, git, says) => {
    const text = await bash(git, `git clone -q ${served.url} work; echo $?; ls`)
    expect(text).toContain(says)
    expect(text).toMatch(/^128$/m)
    expect(text).not.toMatch(/secret|wrong'/)
  })

  it.each<[name: string, git: object]>([
    ['git.credentials', { credentials: 'token' }],
    ['git.fetch', { fetch: 'https://proxy' }],
  ])('a wrong %s is refused', async (name, git) => {
    await expect(openAcross({ fs: memory(), git: git as GitHostOptions })).rejects.toThrow(`${name} must be a function`)
  })
})
