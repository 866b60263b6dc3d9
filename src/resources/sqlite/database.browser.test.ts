// The engine in a page: its WebAssembly module comes inside of the script, so nothing has to be found beside it.

import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { expect, it } from 'vitest'

import { bytesOfBase64, tinyDatabase } from './tiny-database.ts'

it('opens a database in a page', async () => {
  const workspace = await createWorkspace({ fs: memory({ 'd.db': bytesOfBase64(tinyDatabase) }) })
  const tools = await workspace.toolset('atomic')
  const rows = await tools.call('read', { path: 'd.db?q=select id, name from users where id > 1' })
  expect(rows.content).toMatchObject([{ type: 'text', text: '{"id":2,"name":"Bob"}' }])
  await workspace.dispose()
})
