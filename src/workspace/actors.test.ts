// Actors: changes, results and approvals contain the actor of the call, and each actor has separate rights. In the same thread
// and across a worker.

import { describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { Actor } from '../core/actor.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../session/policy/approve.ts'
import type { Policy } from '../session/policy/policy.ts'
import { textOf } from '../testing/tool-session.ts'
import type { Change } from '../vfs/backend.ts'
import { overlay } from '../vfs/overlay.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'
import { openAcross, openHere } from '../testing/workspace-places.ts'
import { isDeep } from '../testing/depth.ts'

type Options = Pick<WorkspaceOptions, 'policy'> & { readonly shell?: 'just-bash' | 'none' }

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }
const places: Readonly<Record<string, (options: Options) => Promise<Workspace>>> = {
  'in this thread': options => openHere({ fs: memory(files), shell: 'none', ...options }),
  ...(isDeep ? { 'over an overlay': options => openHere({ fs: overlay(memory(files)), shell: 'none', ...options }) } : {}),
  'across a worker': options => openAcross({ fs: memory(files), shell: 'none', ...options }),
}

const main: Actor = { kind: 'agent', name: 'main' }
const ada: Actor = { kind: 'person', name: 'Ada' }

async function listen(on: Workspace): Promise<readonly Change[]> {
  const changes: Change[] = []
  await on.fs.watch('/', batch => changes.push(...batch.changes))
  return changes
}

describe.each(Object.entries(places))('%s', (_place, make) => {
  const open = async (options: Options = {}): Promise<Workspace> => await make(options)

  test('a change says who made it, in which session, turn and call', async () => {
    const on = await open()
    const changes = await listen(on)
    const tools = await on.toolset('atomic', { actor: main })
    const result = await tools.call('write', { path: 'new.txt', content: 'x\n' }, { callId: 'c7', turn: 't1' })
    await on.as(ada).fs.writeFile('/workspace/a.txt', 'typed\n')
    await on.fs.writeFile('/workspace/b.txt', 'host\n')
    await expect.poll(() => changes.length).toBe(3)
    const by = { actor: main, session: 's1', turn: 't1', callId: 'c7' }
    expect(changes.map(change => [change.path, change.by, change.origin])).toEqual([
      ['/workspace/new.txt', by, undefined],
      ['/workspace/a.txt', { actor: ada }, undefined],
      ['/workspace/b.txt', undefined, undefined],
    ])
    expect(result.details['by']).toEqual(by)
    expect(result.details['revisions']).toEqual({ 'new.txt': (await on.fs.stat('/workspace/new.txt')).rev })
  })

  test('calls without an id get one, and sessions differ', async () => {
    const on = await open()
    const [one, two] = [await on.toolset('atomic'), await on.toolset('ah', { actor: main })]
    const by = async (tools: typeof one): Promise<unknown> => (await tools.call('read', { path: 'a.txt' })).details['by']
    expect([await by(one), await by(one), await by(two)]).toEqual([
      { actor: { kind: 'agent' }, session: 's1', callId: 's1-1' },
      { actor: { kind: 'agent' }, session: 's1', callId: 's1-2' },
      { actor: main, session: 's2', callId: 's2-1' },
    ])
  })

  test('a batch and a directory tree of one actor are theirs', async () => {
    const on = await open()
    const changes = await listen(on)
    await on.as(ada).fs.batch(async fs => {
      await fs.mkdir('/workspace/d/e', { recursive: true })
      await fs.rename('/workspace/a.txt', '/workspace/d/e/a.txt')
    })
    await expect.poll(() => changes.length).toBe(3)
    expect(changes.map(({ by }) => by)).toEqual([{ actor: ada }, { actor: ada }, { actor: ada }])
  })

  test('what is not an actor is refused', async () => {
    const on = await open()
    for (const actor of [{ kind: 'robot' }, { kind: 'agent', name: '' }, 'agent', null] as unknown as readonly Actor[]) {
      expect(() => on.as(actor)).toThrow(expect.objectContaining({ code: 'workspace-options' }))
    }
    const wrong = { kind: 'robot' } as unknown as Actor
    await expect(on.toolset('atomic', { actor: wrong })).rejects.toMatchObject({ code: 'toolset-options' })
  })

  describe('a policy of one actor', () => {
    test('goes before that of the workspace', async () => {
      const on = await open({ policy: { level: 'read' } })
      const reader = await on.toolset('atomic', { actor: main })
      const writer = await on.toolset('atomic', { actor: { kind: 'agent', name: 'writer' }, policy: { level: 'write' } })
      const write = { path: 'new.txt', content: 'x\n' }
      expect((await reader.call('write', write)).details['error']).toMatchObject({ code: 'permission-denied' })
      expect((await writer.call('write', write)).isError).toBe(false)
    })

    test('has rules of its own', async () => {
      const on = await open()
      const rules: Policy['rules'] = [{ tool: 'write', path: 'a.txt', action: 'deny' }]
      const held = await on.toolset('atomic', { policy: { rules } })
      const free = await on.toolset('atomic')
      const write = { path: 'a.txt', content: 'x\n' }
      expect((await held.call('write', write)).details['error']).toMatchObject({ code: 'permission-denied' })
      expect((await free.call('write', write)).isError).toBe(false)
    })

    test('leaves what the workspace protects protected, and cannot protect by itself', async () => {
      const on = await open({ policy: { protect: ['a.txt'] } })
      const tools = await on.toolset('atomic', { policy: { level: 'write' } })
      expect((await tools.call('write', { path: 'a.txt', content: 'x' })).isError).toBe(true)
      for (const policy of [{ protect: ['b.txt'] }, { rules: [{ tool: 'bash', path: 'b.txt', action: 'deny' }] }] as Policy[]) {
        await expect(on.toolset('atomic', { policy })).rejects.toMatchObject({ code: 'toolset-options' })
      }
    })
  })

  describe('an approval', () => {
    const asking = async (answers: (ApprovalAnswer | Error)[]): Promise<[Workspace, ApprovalRequest[]]> => {
      const asked: ApprovalRequest[] = []
      const approve = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
        asked.push(request)
        const answer = answers.shift() ?? 'deny'
        if (answer instanceof Error) throw answer
        return answer
      }
      return [await open({ policy: { level: 'ask', approve } }), asked]
    }

    test('says who asks, about which files, with the patch', async () => {
      const [on, asked] = await asking(['allow', 'allow'])
      const tools = await on.toolset('atomic', { actor: main })
      await tools.call('write', { path: 'a.txt', content: 'changed\n' }, { callId: 'c1', turn: 't1' })
      expect(asked).toMatchObject([
        {
          ...{ actor: main, session: 's1', turn: 't1', callId: 'c1' },
          arguments: { path: 'a.txt', content: 'changed\n' },
          effect: { kind: 'write' },
          toolset: 'atomic',
          tool: 'write',
          files: ['/workspace/a.txt'],
        },
      ])
      expect(asked[0]?.diff).toContain('-one\n+changed')
      expect(asked[0]?.signal.aborted).toBe(false)
      // A call without an ID of the host gets one, which its result has too.
      const result = await tools.call('write', { path: 'a.txt', content: 'again\n' })
      expect(result.details['by']).toMatchObject({ callId: asked[1]?.callId })
      expect(asked[1]?.callId).toMatch(/^s1-/)
    })

    test('that is denied with a reason tells the model', async () => {
      const [on] = await asking([{ deny: 'not on a Friday.' }, 'deny'])
      const tools = await on.toolset('atomic')
      const write = { path: 'a.txt', content: 'x\n' }
      expect(textOf(await tools.call('write', write))).toContain(
        'did not allow this call of write: not on a Friday. Nothing was done.',
      )
      expect(textOf(await tools.call('write', write))).toContain('did not allow this call of write. Nothing was done.')
      expect(await on.fs.readText('/workspace/a.txt')).toBe('one\n')
    })

    test('that fails is denied, and says with what', async () => {
      const [on] = await asking([new Error('the dialog broke')])
      const tools = await on.toolset('atomic')
      const result = await tools.call('write', { path: 'a.txt', content: 'x\n' })
      expect(result.details['error']).toMatchObject({ code: 'approval-denied' })
      expect(textOf(result)).toContain('the dialog broke')
    })

    test.each([
      ['the call', { allow: 'call' }, 3],
      ['the tool for the session', { allow: 'session' }, 1],
      ['what a rule fits', { allow: { tool: 'write', path: 'a.txt' } }, 2],
    ] as const)('can allow %s', async (_what, answer, questions) => {
      const [on, asked] = await asking([answer, 'allow', 'allow'])
      const tools = await on.toolset('atomic')
      for (const [path, content] of [
        ['a.txt', '1\n'],
        ['a.txt', '2\n'],
        ['b.txt', '3\n'],
      ]) {
        expect((await tools.call('write', { path, content })).isError).toBe(false)
      }
      expect(asked).toHaveLength(questions)
      // Another session has no earlier approvals, so it asks again.
      const other = await on.toolset('atomic')
      await other.call('write', { path: 'a.txt', content: '4\n' })
      expect(asked).toHaveLength(questions + 1)
    })
  })
})

describe.each([
  ['in this thread', () => openHere({ fs: memory(files) })],
  ['across a worker', () => openAcross({ fs: memory(files) })],
] as const)('a command, %s', (_place, make) => {
  test('that is cancelled says which files it changed', async () => {
    const workspace = await make()
    const tools = await workspace.toolset('ah')
    // Loads the shell.
    await tools.call('bash', { command: ':' })
    const changes = await listen(workspace)
    const updates: unknown[] = []
    const controller = new AbortController()
    const command = 'echo 1 > made.txt; rm b.txt; while :; do :; done'
    const call = tools.call('bash', { command }, { signal: controller.signal, onUpdate: update => updates.push(update) })
    await expect.poll(() => changes.some(({ path, type }) => path === '/workspace/b.txt' && type === 'delete')).toBe(true)
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await expect
      .poll(() => updates.at(-1))
      .toMatchObject({
        content: [{ text: 'The command was cancelled after it changed made.txt, b.txt.' }],
        details: { changed: { created: ['made.txt'], deleted: ['b.txt'] } },
      })
  })

  // Only one of them keeps a core busy.
  test.each([
    ['ah', 5_000, 'while :; do :; done'],
    ['atomic', 5, 'sleep infinity'],
    ['ecs', 5, 'sleep infinity'],
  ] as const)('of %s that is timed out says which files it changed', async (name, timeout, endless) => {
    const workspace = await make()
    const tools = await workspace.toolset(name)
    // Loads the shell, so that the time-out is of the script.
    await tools.call('bash', { command: ':' })
    const result = await tools.call('bash', { command: `echo 1 > made.txt; rm b.txt; ${endless}`, timeout })
    expect(textOf(result)).toContain('timed out')
    expect(textOf(result)).toContain('It changed made.txt, b.txt before')
    expect(result.details['changed']).toMatchObject({ created: ['made.txt'], deleted: ['b.txt'] })
  })

  test('says the revisions that it wrote, and one write is one change', async () => {
    const workspace = await make()
    const tools = await workspace.toolset('ah')
    const changes = await listen(workspace)
    const { details } = await tools.call('bash', {
      command: 'echo 1 > made.txt; echo 2 >> a.txt; rm b.txt; mkdir d; mv a.txt d/a.txt; mv d e',
    })
    const rev = async (name: string): Promise<number> => ((await workspace?.fs.stat(`/workspace/${name}`)) ?? { rev: 0 }).rev
    expect(details['revisions']).toEqual({ 'made.txt': await rev('made.txt'), 'e/a.txt': await rev('e/a.txt') })
    await expect.poll(() => changes.length).toBeGreaterThan(5)
    expect(changes.map(({ type, path }) => [type, path.replace('/workspace/', '')])).toEqual([
      ['create', 'made.txt'],
      ['modify', 'a.txt'],
      ['delete', 'b.txt'],
      ['create', 'd'],
      ['move', 'd/a.txt'],
      ['move', 'e'],
    ])
  })
})

describe('a command', () => {
  test('is told as what its caller did through a shell', async () => {
    const on = await openHere({ fs: memory(files) })
    const changes = await listen(on)
    const tools = await on.toolset('atomic', { actor: main })
    await tools.call('bash', { command: 'echo x > new.txt' }, { callId: 'c1' })
    await expect.poll(() => changes.length).toBeGreaterThan(0)
    for (const { by, origin } of changes) {
      expect([by, origin]).toEqual([{ actor: main, session: 's1', callId: 'c1' }, 'shell'])
    }
  })
})
