// End to end, over the stand-in: a page that opens a container, a worker with the tools in it, and the container's processes.

import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { emptyContainer } from '../testing/webcontainer/contract-backend.ts'
import { useStandIn } from '../testing/webcontainer/page-twin.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { connectWorkspace, openContainer, type ClientWorkspaceOptions } from './client.ts'
import { patient } from '../testing/patient.ts'

useStandIn({ seed: 3, off: ['failing-boots'] })
const host = openContainer({ bootTimeoutMs: 300_000 })
const opened: Workspace[] = []

async function connect(options: ClientWorkspaceOptions): Promise<Workspace> {
  const worker = (): Worker => new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connectWorkspace(worker, { ...patient, ...options })
  opened.push(workspace)
  return workspace
}

async function call(workspace: Workspace, tool: string, args: unknown): Promise<string> {
  const tools = await workspace.toolset('atomic')
  const result = await tools.call(tool, args)
  return result.content.map(part => (part.type === 'text' ? part.text : '')).join('')
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.dispose().catch(() => {})
})

afterAll(async () => {
  ;(await host).teardown()
})

describe('files and shell of one container', () => {
  test('tools and processes see the same files', async () => {
    const container = await host
    await emptyContainer(container)
    const workspace = await connect({ fs: webcontainer(container), shell: webcontainerShell(container), root: '/' })
    await call(workspace, 'write', { path: 'src/a.txt', content: 'from a tool\n' })
    expect(await call(workspace, 'bash', { command: 'cat src/a.txt; echo from a process > b.txt' })).toContain('from a tool')
    expect(await workspace.fs.readText('/b.txt')).toBe('from a process\n')
    expect(await container.container.fs.readFile('src/a.txt', 'utf-8')).toBe('from a tool\n')
    expect((await workspace.fs.readdir('/')).map(({ name }) => name)).toEqual(['b.txt', 'src'])
  })

  test('the shell says what it lacks', async () => {
    const container = await host
    const workspace = await connect({ fs: webcontainer(container), shell: webcontainerShell(container), root: '/' })
    const tools = await workspace.toolset('atomic')
    const description = tools.tools.find(({ name }) => name === 'bash')?.description
    expect(description).toContain('here-documents')
    expect(description).toContain('grep')
  })
})

test('a workspace in memory is copied in and out', async () => {
  const container = await host
  await emptyContainer(container)
  const workspace = await connect({ fs: memory({ 'a.txt': 'a\n' }), shell: webcontainerShell(container) })
  expect(await call(workspace, 'bash', { command: 'cat a.txt; echo b > b.txt; rm a.txt' })).toContain('a\n')
  expect((await workspace.fs.readdir('/workspace')).map(({ name }) => name)).toEqual(['b.txt'])
})

test('a page has one container at a time', async () => {
  await host
  await expect(openContainer()).rejects.toMatchObject({ code: 'container-open' })
})
