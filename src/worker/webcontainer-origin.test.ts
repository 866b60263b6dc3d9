// Who changed a file, as reported to a page: changes by tools and by the page, and changes by commands, for every shell and wherever the
// files are.

import { afterAll, beforeEach, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { emptyContainer } from '../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../testing/webcontainer/node-twin.ts'
import { createFakeWorker } from '../testing/wire/pair.ts'
import { buildWorkspace } from './build-workspace.ts'
import { connectWorkerLike, type ClientWorkspaceOptions } from './client.ts'
import { ContainerHost } from './webcontainer-host.ts'

const host = new ContainerHost(await (await nodeTwin({ seed: 67, off: ['failing-boots'] })).boot())

beforeEach(() => emptyContainer(host))
afterAll(() => host.teardown())

const rows: readonly (readonly [rule: string, options: () => ClientWorkspaceOptions])[] = [
  ['files in memory, commands of the default shell', () => ({ fs: memory() })],
  ['files in several filesystems', () => ({ fs: { '/': memory(), '/workspace': memory() } })],
  ['files behind a guard', () => ({ fs: memory(), policy: { protect: ['/workspace/protected'] } })],
  [
    'files behind rules about commands',
    () => ({ fs: memory(), policy: { rules: [{ tool: 'bash', path: 'secret', action: 'deny' }] } }),
  ],
  [
    'files of a container, which its own commands change',
    () => ({ fs: webcontainer(host), shell: webcontainerShell(host), root: '/' }),
  ],
  ['files of a container, changed by another shell', () => ({ fs: webcontainer(host), root: '/' })],
  ['files in memory, copied into a container and out', () => ({ fs: memory(), shell: webcontainerShell(host) })],
]

test.each(rows)('%s', async (_rule, options) => {
  const workspace = await connectWorkerLike(
    createFakeWorker({}, given => buildWorkspace(given)),
    options(),
  )
  const heard = new Set<string>()
  const unwatch = await workspace.fs.watch(workspace.root, ({ changes }) => {
    for (const { type, path, origin } of changes) heard.add(`${type} ${path.split('/').at(-1)} by ${origin ?? 'us'}`)
  })
  const tools = await workspace.toolset('atomic')
  await tools.call('write', { path: 'tool.txt', content: 'one\n' })
  await workspace.fs.writeFile(`${workspace.root === '/' ? '' : workspace.root}/page.txt`, 'one\n')
  const result = await tools.call('bash', { command: 'echo two > tool.txt; echo new > made.txt; rm page.txt' })
  expect(result.isError, JSON.stringify(result.content)).toBe(false)
  await tools.call('write', { path: 'after.txt', content: 'three\n' })
  await expect.poll(() => heard.has('create after.txt by us')).toBe(true)
  expect([...heard].toSorted()).toEqual(
    expect.arrayContaining([
      'create after.txt by us',
      'create made.txt by shell',
      'create page.txt by us',
      'create tool.txt by us',
      'delete page.txt by shell',
      'modify tool.txt by shell',
    ]),
  )
  expect([...heard].filter(change => /(?:after|page)\.txt by shell|made\.txt by us/.test(change))).toEqual([
    'delete page.txt by shell',
  ])
  unwatch()
  await workspace.dispose()
})
