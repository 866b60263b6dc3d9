// The history of files in a container records only changes that pass through the workspace, says so, and leaves changes by the
// container's own commands alone.

import { afterAll, beforeEach, expect, test } from 'vitest'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { emptyContainer } from '../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../testing/webcontainer/node-twin.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildWorkspace } from './build-workspace.ts'
import { connectWorkerLike } from './client.ts'
import { ContainerHost } from './webcontainer-host.ts'

const host = new ContainerHost(await (await nodeTwin({ seed: 71, off: ['failing-boots'] })).boot())
const agent = { kind: 'agent', name: 'main' } as const

beforeEach(() => emptyContainer(host))
afterAll(() => host.teardown())

async function open(): Promise<Workspace> {
  const fs = webcontainer(host)
  return await connectWorkerLike(createFakeWorker({}, buildWorkspace), {
    ...{ fs, shell: webcontainerShell(host), root: '/', history: true },
  })
}

test('says that it has only what passes through the workspace', async () => {
  const workspace = await open()
  expect(await workspace.history.caps()).toMatchObject({
    ...{ records: 'own', kept: 'session' },
    notice: expect.stringContaining('Only changes that are made through the workspace'),
  })
  await workspace.dispose()
})

test('a turn is undone, and what a command of the container changed stays', async () => {
  const workspace = await open()
  const { fs, history } = workspace
  await fs.writeFile('/a.txt', 'one\ntwo\nthree\nfour\nfive\n')
  await fs.writeFile('/src/b.txt', 'b\n', { parents: true })
  const tools = await workspace.toolset('ah', { actor: agent })
  await tools.call('read', { path: '/a.txt' }, { turn: 't1' })
  await tools.call('edit', { path: '/a.txt', old_string: 'one', new_string: 'ONE' }, { turn: 't1' })
  await workspace.as(agent).fs.rm('/src', { recursive: true })
  const ran = await tools.call('bash', { command: 'echo six >> a.txt; echo made > made.txt' }, { turn: 't1' })
  expect(ran.isError, JSON.stringify(ran.content)).toBe(false)
  const { conflicts } = await history.undo({ actor: agent })
  expect(conflicts).toEqual([])
  expect(await fs.readText('/a.txt')).toBe('one\ntwo\nthree\nfour\nfive\nsix\n')
  expect([await fs.readText('/src/b.txt'), await fs.readText('/made.txt')]).toEqual(['b\n', 'made\n'])
  await workspace.dispose()
})
