// Cloudflare Workers compile no WebAssembly at run time: the refusal says so, and what to do.

import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { expect, it } from 'vitest'

import { bytesOfBase64, tinyDatabase } from './tiny-database.ts'

it('refuses a database by name where WebAssembly cannot be compiled', async () => {
  const workspace = await createWorkspace({ fs: memory({ 'd.db': bytesOfBase64(tinyDatabase) }) })
  const tools = await workspace.toolset('atomic')
  const result = await tools.call('read', { path: 'd.db:users' })
  expect(result).toMatchObject({ isError: true, details: { error: { code: 'sqlite-unsupported' } } })
  expect(JSON.stringify(result.content)).toContain('WebAssembly')
  await workspace.dispose()
})
