// A container can disappear while a workspace uses it. No call may wait for it, and all get the same error. On a separate page, because the
// client looks for its frame only once.

import { expect, test } from 'vitest'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { useStandIn } from '../testing/webcontainer/page-twin.ts'
import { connectWorkspace, openContainer } from './client.ts'
import { patient } from '../testing/patient.ts'

useStandIn({ seed: 4, off: ['failing-boots'] })

test('its frame is removed while a command runs', async () => {
  const container = await openContainer({ bootTimeoutMs: 300_000 })
  const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connectWorkspace(worker, {
    ...patient,
    fs: webcontainer(container),
    shell: webcontainerShell(container),
    root: '/',
  })
  await workspace.fs.writeFile('/a', '1')
  const tools = await workspace.toolset('atomic')
  const command = tools.call('bash', { command: 'sleep 30' }).catch((error: unknown) => error)
  const frames = [...document.querySelectorAll('iframe')]
  const frame = frames.find(({ src }) => new URL(src).pathname === '/headless')
  await new Promise(resolve => setTimeout(resolve, 300))
  frame?.remove()
  await expect(workspace.fs.writeFile('/b', '2')).rejects.toMatchObject({ code: 'container-lost' })
  await expect(workspace.fs.readText('/a')).rejects.toMatchObject({ code: 'container-lost' })
  expect(JSON.stringify(await command)).toContain('its frame was removed from the page')
  expect((await container.lost).code).toBe('container-lost')
  await workspace.dispose().catch(() => {})
})
