// Jobs, long outputs and the interceptor's options, on the page's side of a worker.

import { expect, it } from 'vitest'

import { memory } from '../../../backends/memory/index.ts'
import { createFakeWorker } from '../../../testing/wire/pair.ts'
import { textOf } from '../../../testing/tool-session.ts'
import { buildWorkspace } from '../../../worker/build-workspace.ts'
import { connectWorkerLike } from '../../../worker/client.ts'

async function connect(): Promise<Awaited<ReturnType<typeof connectWorkerLike>>> {
  return connectWorkerLike(createFakeWorker({}, buildWorkspace), { fs: memory({ f: 'f\n' }), outputs: 'memory' })
}

it('starts, polls with progress and cancels a job, and reads a long output', async () => {
  const workspace = await connect()
  const tools = await workspace.toolset('atomic', { async: true })
  const started = await tools.call('bash', { command: 'seq 1 20000; sleep 30', async: true })
  const id = /"__atomic_bash_job (\S+)"/.exec(textOf(started))?.[1] ?? ''
  expect(started.details['async']).toMatchObject({ jobId: id, state: 'running' })
  await expect
    .poll(async () => (await tools.call('bash', { command: `__atomic_bash_job ${id}` })).details['fullOutputPath'])
    .toMatch(/^artifact:/)
  await tools.call('bash', { command: `__atomic_bash_job_cancel ${id}` })
  const ended = await tools.call('bash', { command: `__atomic_bash_job ${id}`, timeout: 20 })
  expect(ended.details['async']).toMatchObject({ state: 'cancelled' })
  const address = String(ended.details['fullOutputPath'])
  expect(textOf(await tools.call('read', { path: `${address}:19999-20000:raw` }))).toBe('19999\n20000\n')
  await workspace.dispose()
})

it('sends rules of an interceptor, and refuses a handler', async () => {
  const workspace = await connect()
  const rules = [{ pattern: '^ls', tool: 'find' }]
  const tools = await workspace.toolset('atomic', { bashInterceptor: { enabled: true, rules, scope: 'anywhere' } })
  expect((await tools.call('bash', { command: 'true && cat f' })).details['intercepted']).toMatchObject({ tool: 'read' })
  expect((await tools.call('bash', { command: 'ls' })).details['intercepted']).toMatchObject({ rule: '^ls' })
  const handler = (): undefined => undefined
  await expect(workspace.toolset('atomic', { bashInterceptor: { enabled: true, handler } })).rejects.toMatchObject({
    code: 'toolset-options',
  })
  await workspace.dispose()
})
