// Forks as a host uses them, in this thread and across a worker, and commands that are reviewed afterwards.

import { describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { Actor } from '../core/actor.ts'
import type { ForkPlan } from '../history/files-fork.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../session/policy/approve.ts'
import { sample } from '../testing/depth.ts'
import { textOf } from '../testing/tool-session.ts'
import { overlay } from '../vfs/overlay.ts'
import { createWorkspace } from './create-workspace.ts'
import type { ForkVerdict } from './fork.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'
import { openHere, workspacePlaces } from '../testing/workspace-places.ts'

type Options = Pick<WorkspaceOptions, 'policy' | 'history'>

const files = { 'a.txt': 'one\ntwo\nthree\nfour\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' }
const helper: Actor = { kind: 'agent', name: 'helper' }

const at = (path: string): string => `/workspace/${path}`

/** `a>b` moves, `-a` removes, `a:one=1` writes the file with its text replaced. */
type Acts = readonly string[]

async function carryOut(fs: Workspace['fs'], acts: Acts): Promise<void> {
  for (const act of acts) {
    const [, from, to] = /^(.+)>(.+)$/.exec(act) ?? []
    const [, path, old, now] = /^(.+):(.+)=(.+)$/.exec(act) ?? []
    if (from !== undefined && to !== undefined) await fs.rename(at(from), at(to))
    else if (path !== undefined && old !== undefined && now !== undefined)
      await fs.writeFile(at(path), (await fs.readText(at(path))).replace(old, now))
    else await fs.rm(at(act.slice(1)))
  }
}

interface MovedRow {
  readonly name: string
  readonly forked: Acts
  readonly outside: Acts
  readonly again?: { readonly forked: Acts; readonly outside: Acts }
  /** The files that differ from the start. */
  readonly after: Readonly<Record<string, string>>
  readonly conflicts?: readonly string[]
}

const both = '1\ntwo\nthree\n4\n'
const movedOnOneSide: readonly MovedRow[] = [
  {
    name: 'a file moved in the fork and edited outside',
    forked: ['a.txt>b.txt'],
    outside: ['a.txt:four=4'],
    after: { 'b.txt': 'one\ntwo\nthree\n4\n' },
  },
  {
    name: 'a file moved outside and edited in the fork',
    forked: ['a.txt:one=1'],
    outside: ['a.txt>b.txt'],
    after: { 'b.txt': '1\ntwo\nthree\nfour\n' },
  },
  {
    name: 'a file moved and edited in the fork, and edited outside',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: ['a.txt:four=4'],
    after: { 'b.txt': both },
  },
  {
    name: 'a file moved and edited outside, and edited in the fork',
    forked: ['a.txt:one=1'],
    outside: ['a.txt:four=4', 'a.txt>b.txt'],
    after: { 'b.txt': both },
  },
  {
    name: 'a file moved to one place and edited on both sides',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: ['a.txt>b.txt', 'b.txt:four=4'],
    after: { 'b.txt': both },
  },
  {
    name: 'a file moved to two places and edited on both sides',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: ['a.txt>c.txt', 'c.txt:four=4'],
    after: { 'c.txt': 'one\ntwo\nthree\n4\n' },
    conflicts: ['c.txt'],
  },
  {
    name: 'a file moved and edited in the same line',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: ['a.txt:one=ONE'],
    after: { 'b.txt': 'ONE\ntwo\nthree\nfour\n' },
    conflicts: ['b.txt'],
  },
  {
    name: 'a file moved and edited in the fork, and removed outside',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: ['-a.txt'],
    after: {},
    conflicts: ['a.txt'],
  },
  {
    name: 'a file removed in the fork, and moved and edited outside',
    forked: ['-a.txt'],
    outside: ['a.txt>b.txt', 'b.txt:one=1'],
    after: { 'b.txt': '1\ntwo\nthree\nfour\n' },
    conflicts: ['b.txt'],
  },
  {
    name: 'a directory moved outside with a file that both edited',
    forked: ['src/b.txt:b=1'],
    outside: ['src>lib', 'lib/b.txt:b=2'],
    after: { 'a.txt': files['a.txt'], 'lib/b.txt': '2\n', 'lib/c.txt': 'c\n' },
    conflicts: ['lib/b.txt'],
  },
  {
    name: 'a file moved into a directory that was moved outside',
    forked: ['a.txt>src/a.txt', 'src/a.txt:one=1'],
    outside: ['src>lib', 'a.txt:four=4'],
    after: { 'lib/a.txt': both, 'lib/b.txt': 'b\n', 'lib/c.txt': 'c\n' },
  },
  {
    name: 'a file moved and edited again after a merge',
    forked: ['a.txt>b.txt', 'b.txt:one=1'],
    outside: [],
    again: { forked: ['b.txt:two=2'], outside: ['b.txt:four=4', 'b.txt>c.txt'] },
    after: { 'c.txt': '1\n2\nthree\n4\n' },
  },
  {
    name: 'a file moved outside before a merge, and edited on both sides after it',
    forked: ['a.txt:one=1'],
    outside: ['a.txt>b.txt'],
    again: { forked: ['a.txt:two=2'], outside: ['b.txt:four=4'] },
    after: { 'b.txt': '1\n2\nthree\n4\n' },
  },
]

// A workspace has at most a thousand forks at once.
test.each(sample(Object.entries(workspacePlaces), 2))('%s, a fork that was disposed of makes room', async (_place, make) => {
  const on = await make({ fs: memory(files) })
  for (let count = 0; count < 1_001; count++) await (await on.fork()).dispose()
})

describe.each(Object.entries(workspacePlaces))('%s', (_place, make) => {
  const open = async (options: Options = {}): Promise<Workspace> => await make({ fs: memory(files), ...options })

  test('work in a fork is seen outside when it is merged, with what was changed there', async () => {
    const on = await open({ history: true })
    const fork = await on.fork({ actor: helper })
    const tools = await fork.toolset('ah')
    await tools.call('read', { path: 'a.txt' })
    await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'ONE' })
    await tools.call('bash', { command: 'git mv src lib 2>/dev/null || mv src lib; rm lib/c.txt; echo new > new.txt' })
    expect([await on.fs.readText(at('a.txt')), await on.fs.exists(at('lib'))]).toEqual([files['a.txt'], false])
    await on.fs.writeFile(at('a.txt'), 'one\ntwo\nthree\nFOUR\n')
    await on.fs.writeFile(at('src/b.txt'), 'B\n')

    const { changes, diff } = await fork.diff()
    expect(changes.map(({ type, path }) => `${type} ${path}`)).toEqual(
      expect.arrayContaining(['modify /workspace/a.txt', 'move /workspace/lib', 'create /workspace/new.txt']),
    )
    expect(diff).toContain('-one\n+ONE')
    const plans: ForkPlan[] = []
    const result = await fork.merge({ review: plan => (plans.push(plan), 'allow') })
    expect(result).toMatchObject({ outcome: 'merged', merged: [at('a.txt')], conflicts: [] })
    expect(plans).toMatchObject([{ merged: [at('a.txt')] }])
    expect(await on.fs.readText(at('a.txt'))).toBe('ONE\ntwo\nthree\nFOUR\n')
    expect(await on.fs.readText(at('lib/b.txt'))).toBe('B\n')
    expect([await on.fs.exists(at('src')), await on.fs.exists(at('lib/c.txt'))]).toEqual([false, false])
    const { entries } = await on.history.list({ actor: helper })
    expect(entries.length).toBe(1)
    await fork.dispose()
    await on.history.undo({ actor: helper })
    expect(await on.fs.readText(at('a.txt'))).toBe('one\ntwo\nthree\nFOUR\n')
  })

  test.each(movedOnOneSide)('$name', async ({ forked, outside, again, after, conflicts = [] }) => {
    const on = await open()
    const fork = await on.fork()
    await carryOut(fork.fs, forked)
    await carryOut(on.fs, outside)
    let result = await fork.merge()
    if (again !== undefined) {
      expect(result).toMatchObject({ outcome: 'merged', conflicts: [] })
      await carryOut(fork.fs, again.forked)
      await carryOut(on.fs, again.outside)
      result = await fork.merge()
    }
    expect([result.outcome, result.conflicts.map(({ path }) => path)]).toEqual(['merged', conflicts.map(at)])
    const found: Record<string, string> = {}
    for await (const { path, kind } of on.fs.walk(on.root)) {
      if (kind === 'file') found[path.slice(on.root.length + 1)] = await on.fs.readText(path)
    }
    const { 'a.txt': _a, ...others } = files
    expect(found).toEqual({ ...(after['src/b.txt'] === undefined && 'lib/b.txt' in after ? {} : others), ...after })
    await fork.dispose()
  })

  test('what cannot be merged is left and named, or nothing is merged', async () => {
    const on = await open()
    const fork = await on.fork()
    await fork.fs.writeFile(at('a.txt'), 'fork\n')
    await fork.fs.writeFile(at('new.txt'), 'new\n')
    await on.fs.writeFile(at('a.txt'), 'main\n')
    expect(await fork.merge({ onConflict: 'refuse' })).toMatchObject({
      outcome: 'conflict',
      applied: [],
      conflicts: [{ path: at('a.txt') }],
    })
    expect(await on.fs.exists(at('new.txt'))).toBe(false)
    expect(await fork.merge()).toMatchObject({ outcome: 'merged', applied: [at('new.txt')], conflicts: [{ path: at('a.txt') }] })
    expect([await on.fs.readText(at('a.txt')), await on.fs.readText(at('new.txt'))]).toEqual(['main\n', 'new\n'])
    // Once the file is restored, the rest of the fork's change can be merged.
    await on.fs.writeFile(at('a.txt'), files['a.txt'])
    expect(await fork.merge()).toMatchObject({ applied: [at('a.txt')], conflicts: [] })
    expect(await on.fs.readText(at('a.txt'))).toBe('fork\n')
    await fork.fs.writeFile(at('a.txt'), 'again\n')
    expect(await fork.merge()).toMatchObject({ applied: [at('a.txt')] })
    await fork.dispose()
    await fork.dispose()
    expect(await on.fs.readText(at('a.txt'))).toBe('again\n')
  })

  test('a review that says no leaves all as it is, and one that is overtaken is asked again', async () => {
    const on = await open()
    const fork = await on.fork()
    await fork.fs.writeFile(at('a.txt'), 'ONE\ntwo\nthree\nfour\n')
    expect(await fork.merge({ review: () => ({ deny: 'not today' }) })).toMatchObject({ outcome: 'denied', reason: 'not today' })
    expect(await on.fs.readText(at('a.txt'))).toBe(files['a.txt'])
    let reviews = 0
    const result = await fork.merge({
      review: async (): Promise<ForkVerdict> => {
        if (++reviews === 1) await on.fs.writeFile(at('a.txt'), 'one\ntwo\nthree\nFOUR\n')
        return 'allow'
      },
    })
    expect([reviews, result.outcome, await on.fs.readText(at('a.txt'))]).toEqual([2, 'merged', 'ONE\ntwo\nthree\nFOUR\n'])
    await fork.dispose()
  })

  test('a fork that is disposed of leaves nothing, and the workspace works on', async () => {
    const on = await open()
    const fork = await on.fork({ actor: helper })
    await fork.fs.rm(at('src'), { recursive: true })
    await fork.dispose()
    expect(await on.fs.readText(at('src/b.txt'))).toBe('b\n')
    await expect(on.fork({ actor: { kind: 'ghost' } as unknown as Actor })).rejects.toMatchObject({ code: expect.any(String) })
  })

  const reviewed = async (answer: (request: ApprovalRequest) => Promise<ApprovalAnswer>): Promise<Workspace> =>
    await open({ policy: { bash: 'review', approve: answer }, history: true })

  test('a command is reviewed with what it changed, and allowed', async () => {
    const asked: ApprovalRequest[] = []
    const on = await reviewed(async request => {
      asked.push(request)
      await on.fs.writeFile(at('other.txt'), 'meanwhile\n')
      return 'allow'
    })
    const tools = await on.toolset('ah', { actor: helper })
    const result = await tools.call('bash', { command: 'sed -i s/two/2/ a.txt && rm -r src && cat a.txt' }, { turn: 't1' })
    expect([result.isError, textOf(result)]).toEqual([false, expect.stringContaining('one\n2\nthree')])
    expect(asked).toMatchObject([
      { tool: 'bash', actor: helper, turn: 't1', diff: expect.stringContaining('-two\n+2'), effect: { kind: 'write' } },
    ])
    expect([await on.fs.readText(at('a.txt')), await on.fs.exists(at('src'))]).toEqual(['one\n2\nthree\nfour\n', false])
    expect((await on.history.list({ turn: 't1' })).entries.length).toBe(1)
    const read = await tools.call('bash', { command: 'cat a.txt' })
    expect([asked.length, read.isError]).toEqual([1, false])
  })

  test('a command that is denied has changed nothing, and the reason reaches the model', async () => {
    const on = await reviewed(async () => ({ deny: 'keep src' }))
    const tools = await on.toolset('atomic')
    const result = await tools.call('bash', { command: 'rm -r src; echo removed it' })
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'approval-denied' } } })
    expect(textOf(result)).toContain('keep src')
    expect(textOf(result)).toContain('removed it')
    expect(await on.fs.readText(at('src/b.txt'))).toBe('b\n')
  })
})

test('files that cannot be forked get an overlay', async () => {
  const on = await openHere({ fs: overlay(memory(files)) })
  const fork = await on.fork({ actor: helper })
  const tools = await fork.toolset('ah')
  await tools.call('bash', { command: 'echo made > made.txt; mv src lib' })
  expect([await on.fs.exists(at('made.txt')), await on.fs.exists(at('lib'))]).toEqual([false, false])
  expect(await fork.merge()).toMatchObject({ outcome: 'merged', conflicts: [] })
  expect([await on.fs.readText(at('made.txt')), await on.fs.readText(at('lib/b.txt'))]).toEqual(['made\n', 'b\n'])
  await fork.fs.writeFile(at('a.txt'), 'fork\n')
  await on.fs.writeFile(at('a.txt'), 'main\n')
  expect(await fork.merge()).toMatchObject({ outcome: 'merged', applied: [], conflicts: [{ path: at('a.txt') }] })
  await fork.dispose()
  expect(await on.fs.readText(at('a.txt'))).toBe('main\n')
})

test('a shell that cannot work in a fork is refused together with a review', async () => {
  const shell = { capabilities: { notes: [] }, start: () => Promise.reject(new Error('never')), dispose: () => Promise.resolve() }
  const options = {
    fs: memory(),
    shell: shell as unknown as Exclude<WorkspaceOptions['shell'], undefined>,
    policy: { bash: 'review' } as const,
  }
  await expect(createWorkspace(options)).rejects.toMatchObject({ code: 'workspace-options' })
})
