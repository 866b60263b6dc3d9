// In Firefox the page starts the workers of scripts: a worker that starts one there may wait for ever.
import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { connectWorkspace } from './client.ts'

test('scripts run in workers that the page starts in Firefox, and that the worker starts elsewhere', async () => {
  const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connectWorkspace(worker, { fs: memory(), root: '/' })
  const tools = await workspace.toolset('atomic')
  const looped = await tools.call('bash', { command: 'echo 1 > a; while :; do :; done', timeout: 1 })
  expect(looped.isError).toBe(true)
  const answered = await tools.call('bash', { command: 'cat a; printf "%s" "$(seq 3)" | wc -l' })
  expect(JSON.stringify(answered.content)).toMatch(/1\\n2/)
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const isFirefox = navigator.userAgent.includes('Gecko/')
  expect(loaded.some(name => name.includes('shell-worker'))).toBe(isFirefox)
  await workspace.dispose()
})
