// A policy that asks the page for approval while the tools run in the worker.

import { expect, test, vi } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import type { Toolset } from '../core/tool.ts'
import type { ApprovalRequest, Approve } from '../session/policy/approve.ts'
import type { PolicyRule } from '../session/policy/rule.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { deferred } from '../core/deferred.ts'
import { openAcross } from '../testing/workspace-places.ts'

const change = { path: 'f', content: 'mine\n' }

async function open(approve: Approve, rules: readonly PolicyRule[] = []): Promise<{ fs: Workspace['fs']; tools: Toolset }> {
  const policy = { level: 'ask', rules, approve } as const
  const workspace = await openAcross({ fs: memory({ f: 'a\n' }), shell: 'none', policy })
  return { fs: workspace.fs, tools: await workspace.toolset('atomic') }
}

test('the page is asked with the diff, and its yes is done', async () => {
  const asked: ApprovalRequest[] = []
  const { fs, tools } = await open(async request => {
    asked.push(request)
    return 'allow'
  })
  const result = await tools.call('write', change)
  expect([result.isError, await fs.readText('/workspace/f')]).toEqual([false, 'mine\n'])
  expect(asked).toMatchObject([
    { tool: 'write', arguments: change, effect: { kind: 'write', changes: [{ diff: expect.stringContaining('-a\n+mine') }] } },
  ])
  expect(asked[0]?.signal.aborted).toBe(false)
})

test.each([
  ['no', async () => 'deny' as const],
  ['something else', async () => 'yes' as never],
])('%s means no', async (_name, approve) => {
  const { fs, tools } = await open(approve)
  expect(await tools.call('write', change)).toMatchObject({ isError: true, details: { error: { code: 'approval-denied' } } })
  expect(await fs.readText('/workspace/f')).toBe('a\n')
})

test('one that throws means no, and is reported', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { fs, tools } = await open(() => Promise.reject(new Error('a bug of the host')))
  expect(await tools.call('write', change)).toMatchObject({ isError: true, details: { error: { code: 'approval-denied' } } })
  expect([await fs.readText('/workspace/f'), report.mock.calls.length]).toEqual(['a\n', 1])
  report.mockRestore()
})

test('an answer that nobody waits for is withdrawn', async () => {
  const controller = new AbortController()
  const { promise: withdrawn, resolve: told } = deferred<unknown>()
  const { fs, tools } = await open(
    ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => told(signal.reason))
        controller.abort('enough')
      }),
  )
  await expect(tools.call('write', change, { signal: controller.signal })).rejects.toBe('enough')
  expect(await withdrawn).toMatchObject({ code: 'approval-withdrawn' })
  expect(await fs.readText('/workspace/f')).toBe('a\n')
})

test('several are asked at once and each gets its own answer', async () => {
  const { fs, tools } = await open(async ({ effect }) =>
    effect.kind === 'write' && effect.changes[0]?.path === '/workspace/yes' ? 'allow' : 'deny',
  )
  const results = await Promise.all(['yes', 'no'].map(path => tools.call('write', { path, content: path })))
  expect(results.map(({ isError }) => isError)).toEqual([false, true])
  expect([await fs.exists('/workspace/yes'), await fs.exists('/workspace/no')]).toEqual([true, false])
})

test('rules cross the wire, and a reader is asked too', async () => {
  const kinds: string[] = []
  const { tools } = await open(
    async ({ effect }) => {
      kinds.push(effect.kind)
      return 'deny'
    },
    [{ tool: 'read', path: 'f', action: 'ask', reason: 'it is private' }],
  )
  expect(await tools.call('read', { path: 'f' })).toMatchObject({ isError: true })
  expect(kinds).toEqual(['read'])
  expect(tools.tools.find(({ name }) => name === 'read')?.description).toContain('f: the user is asked (it is private)')
})
