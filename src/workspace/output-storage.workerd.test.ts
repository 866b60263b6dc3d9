import { expect, it } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { textOf } from '../testing/tool-session.ts'
import { createWorkspace } from './create-workspace.ts'
import { outputStorage } from './output-storage.ts'

it('has no place but memory here, and says what it has no room for', async () => {
  expect(outputStorage()).toBeUndefined()
  const workspace = await createWorkspace({ fs: memory(), limits: { outputMaxBytes: 1024 * 1024 } })
  const tools = await workspace.toolset('atomic')
  const result = await tools.call('bash', { command: 'seq 1 400000' })
  expect(textOf(result)).toMatch(
    /^1\n2\n[^]*\n400000\n\n\n\[Showing lines [^]*read artifact:\/\/1\. .* of it exceeded the storage limit and are lost\.\]$/,
  )
  expect(result.details['lostBytes']).toBeGreaterThan(1_000_000)
  expect(textOf(await tools.call('read', { path: 'artifact://1:1-2:raw' }))).toBe('1\n2\n')
  expect(textOf(await tools.call('read', { path: 'artifact://1:400000:raw' }))).toBe('400000\n')
  await workspace.dispose()
})
