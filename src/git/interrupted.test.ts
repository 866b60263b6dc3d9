// A command that is aborted, killed or out of space at any of its steps leaves the repository as it was before, or as after, never between.

import { describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { isDeep, seeds } from '../testing/depth.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { VfsError } from '../vfs/error.ts'
import type { BatchFs, Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import { type Git, type GitOutcome, openGit } from './api.ts'

const dir = '/w'
const author = { name: 'A', email: 'a@example.org' }
const open = (fs: Vfs): Git => openGit(fs, { dir, author, clock: () => 1_600_000_000_000 })

/** Each starts with a branch `side` that conflicts in `a`, a stash, staged and other changes. */
const commands: readonly (readonly string[])[] = [
  ['add', '-A'],
  ['commit', '-m', 'next'],
  ['commit', '-am', 'all'],
  ['reset', '--hard', 'HEAD~1'],
  ['stash', '-u'],
  ['checkout', '-f', 'side'],
  ['checkout', '-q', '-b', 'topic'],
  ['branch', '-m', 'main', 'other'],
  ['rm', '-rfq', 'd'],
]
/** These start without local changes. */
const cleanCommands: readonly (readonly string[])[] = [
  ['merge', 'side'],
  ['merge', '--no-edit', 'apart'],
  ['rebase', 'apart'],
  ['cherry-pick', 'apart'],
  ['revert', '--no-edit', 'HEAD'],
  ['stash', 'pop'],
]

const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('')

async function run(git: Git, ...args: readonly string[]): Promise<void> {
  const outcome = await git.run(args)
  if (outcome.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`)
}

/** Every file of the prepared repository. */
async function prepared(isClean: boolean): Promise<Readonly<Record<string, Uint8Array>>> {
  const fs = createVfs(memory({ '/w/a': lines, '/w/b': 'b\n', '/w/d/c': 'c\n' }))
  const git = open(fs)
  const commit = async (message: string, path: string, text: string): Promise<void> => {
    await fs.writeFile(`${dir}/${path}`, text)
    await run(git, 'add', '-A')
    await run(git, 'commit', '-qm', message)
  }
  await run(git, 'init', '-q', '-b', 'main')
  await commit('base', 'e', 'e\n')
  await run(git, 'branch', 'apart')
  await run(git, 'checkout', '-q', '-b', 'side')
  await commit('side', 'a', `side\n${lines}`)
  await run(git, 'checkout', '-q', 'apart')
  await commit('apart', 'd/new', 'new\n')
  await run(git, 'checkout', '-q', 'main')
  await commit('main', 'a', `main\n${lines}`)
  await fs.writeFile(`${dir}/b`, 'stashed\n')
  await run(git, 'stash', '-q')
  if (!isClean) {
    await fs.writeFile(`${dir}/b`, 'staged\n')
    await run(git, 'add', 'b')
    await fs.writeFile(`${dir}/a`, `local\n${lines}`)
    await fs.writeFile(`${dir}/untracked`, 'u\n')
  }
  const files: Record<string, Uint8Array> = {}
  for await (const { path, kind } of fs.walk(dir)) if (kind === 'file') files[path] = await fs.readFile(path)
  return files
}

/** What matters to a person: references, index, files, and whether every object is there. */
async function stateOf(fs: Vfs): Promise<string> {
  const git = open(fs)
  const said: string[] = []
  for (const args of [
    ['for-each-ref'],
    ['rev-parse', 'HEAD'],
    ['symbolic-ref', '-q', 'HEAD'],
    ['ls-files', '-s'],
    ['status', '--porcelain', '-uall'],
    ['stash', 'list'],
    ['log', '--all', '-p', '-m', '--format=%H %P'],
    ['reflog'],
  ]) {
    const { exitCode, stdout, stderr } = await git.run(args)
    said.push(`${args.join(' ')}: ${exitCode}\n${stdout}${stderr}`)
  }
  for await (const { path, kind } of fs.walk(dir)) {
    if (kind === 'file' && !path.startsWith(`${dir}/.git/`)) said.push(`${path}: ${await fs.readText(path)}`)
    if (/\/(?:MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|git-rebase-todo)$/.test(path)) said.push(path)
  }
  return said.join('\n')
}

interface Fault {
  /** The number of filesystem calls before the fault. */
  readonly after: number
  readonly happen: () => void
}

/** A filesystem that counts its calls and applies `fault` from one of them on. */
function faulty(vfs: Vfs, { after, happen }: Fault): { readonly vfs: Vfs; readonly count: () => number } {
  let count = 0
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(own, name) {
        // Without the fast path each step is a call that can fail.
        if (name === 'sync') return undefined
        const value: unknown = Reflect.get(own, name)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]): unknown => {
          if (count++ >= after) happen()
          const [first, ...rest] = args
          const inside =
            name === 'batch' && typeof first === 'function'
              ? (fs: BatchFs): unknown => Reflect.apply(first, undefined, [counted(fs)])
              : first
          return Reflect.apply(value, own, [inside, ...rest])
        }
      },
    })
  return { vfs: counted(vfs), count: () => count }
}

interface Interruption {
  readonly name: string
  readonly fault: (after: number, stop: AbortController) => Fault
}

const interruptions: readonly Interruption[] = [
  { name: 'aborted', fault: (after, stop) => ({ after, happen: () => stop.abort(new Error('enough')) }) },
  {
    name: 'killed',
    fault: after => ({
      after,
      happen: () => {
        throw new Error('the process is gone')
      },
    }),
  },
]
const positions = seeds({ quick: 3, deep: 400 })

describe.each([
  ['with local changes', commands, false],
  ['without local changes', cleanCommands, true],
] as const)('a command %s', (_what, list, isClean) => {
  const chosen = list.filter((_args, index) => isDeep || index % 5 === 1)
  it.each(chosen.map(args => [args.join(' '), args] as const))('%s leaves all or nothing', async (_name, args) => {
    const files = await prepared(isClean)
    const fresh = (): Vfs => createVfs(memory(files))
    const untouched = fresh()
    const before = await stateOf(untouched)
    const whole = faulty(untouched, { after: Number.POSITIVE_INFINITY, happen: () => undefined })
    await open(whole.vfs).run(args)
    const after = await stateOf(untouched)
    expect(after).not.toBe(before)
    const total = whole.count()
    const step = Math.max(1, Math.floor(total / positions))
    const seen = new Set<string>()
    for (const { name, fault } of interruptions) {
      for (
        let position = name === 'killed' ? total - 1 : 0;
        position >= 0 && position < total;
        position += name === 'killed' ? -step : step
      ) {
        const vfs = fresh()
        const stop = new AbortController()
        await open(faulty(vfs, fault(position, stop)).vfs)
          .run(args, { signal: stop.signal })
          .catch((error: unknown) => {
            expect(String(error)).toMatch(/enough|the process is gone/)
          })
        const found = await stateOf(vfs)
        expect([before, after], `${name} at call ${position} of ${total}`).toContain(found)
        seen.add(found === before ? 'before' : 'after')
      }
    }
    expect(seen).toContain('before')
  })
})

describe('a refusal', () => {
  it('of space leaves all as it was, and says so', async () => {
    const vfs = createVfs(memory(await prepared(false)))
    const before = await stateOf(vfs)
    let isFull = false
    const full = new Proxy(vfs, {
      get(own, name) {
        const value: unknown = Reflect.get(own, name)
        if (name !== 'batch' || typeof value !== 'function') return typeof value === 'function' ? value.bind(own) : value
        return (): never => {
          isFull = true
          throw new VfsError('ENOSPC', 'write', { path: '/w/.git/index' })
        }
      },
    })
    const outcome: GitOutcome = await open(full).run(['commit', '-m', 'x'])
    expect(isFull).toBe(true)
    expect(outcome).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('No space left on device') })
    expect(await stateOf(vfs)).toBe(before)
  })

  it('by a policy that protects .git is that of a read-only disk', async () => {
    const workspace = await createWorkspace({
      fs: memory({ 'a.txt': 'one\n' }),
      policy: { protect: ['.git'] },
      git: { author },
    })
    await open(workspace.fs).run(['init', '-q', '-b', 'main', '/workspace'])
    const shell = await workspace.shell.open({ actor: { kind: 'person', name: 'Ada' } })
    for (const command of [
      'git add a.txt',
      'git commit --allow-empty -m x',
      'git symbolic-ref HEAD refs/heads/x',
      'git config a.b c',
    ]) {
      const { exitCode, output } = await shell.run(command)
      expect([command, exitCode, output]).toEqual([command, 128, expect.stringMatching(/fatal: .*Read-only file system/)])
    }
    expect((await shell.run('git status --short')).output).toBe('?? a.txt\n')
    await workspace.dispose()
  })

  it('to run a hook is said', async () => {
    const fs = createVfs(memory({ '/w/a': 'a\n' }))
    const git = open(fs)
    await git.run(['init', '-q', '-b', 'main'])
    await fs.writeFile(`${dir}/.git/hooks/pre-commit`, '#!/bin/sh\nexit 1\n', { mode: 0o755, parents: true })
    await git.stage(['a'])
    const { exitCode, stderr } = await git.run(['commit', '-m', 'x'])
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/warning: .*pre-commit/)])
    expect((await git.run(['commit', '--allow-empty', '--no-verify', '-m', 'x'])).stderr).toBe('')
  })
})
