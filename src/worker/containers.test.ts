// A page's container in a worker's workspace: one port for all its users, a new one for each worker, and nothing left of the previous one.

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { webcontainer } from '../backends/webcontainer/index.ts'
import { webcontainerShell } from '../backends/webcontainer/shell.ts'
import { emptyContainer } from '../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../testing/webcontainer/node-twin.ts'
import { createFakeWorker, type FakeWorker } from '../testing/wire/pair.ts'
import { buildWorkspace } from './build-workspace.ts'
import { connectWorkerLike, type ClientWorkspaceOptions } from './client.ts'
import { sendContainers } from './containers.ts'
import { asWorkspaceOptions } from './options.ts'
import { ContainerHost } from './webcontainer-host.ts'

const host = new ContainerHost(await (await nodeTwin({ seed: 61, off: ['failing-boots'] })).boot())

beforeEach(() => emptyContainer(host))
afterAll(() => host.teardown())

function optionsFor(more: ClientWorkspaceOptions = {}): ClientWorkspaceOptions {
  return { fs: webcontainer(host), shell: webcontainerShell(host), root: '/', ...more }
}

describe('a worker that is replaced', () => {
  test('finds the files again, and leaves no process behind', async () => {
    const workers: FakeWorker[] = []
    const replaced: boolean[] = []
    const spawn = (): FakeWorker => {
      const worker = createFakeWorker({}, options => buildWorkspace(options))
      workers.push(worker)
      return worker
    }
    const workspace = await connectWorkerLike(
      spawn,
      optionsFor({
        callTimeoutMs: 500,
        limits: { searchTimeoutMs: 50 },
        onReplaced: ({ filesKept }) => replaced.push(filesKept),
      }),
    )
    await workspace.fs.writeFile('/kept', 'x')
    const tools = await workspace.toolset('atomic')
    const lost = tools.call('bash', { command: 'sleep 30', timeout: 1 }).catch((error: unknown) => error)
    await expect.poll(() => host.generation.runningProcesses).toBe(1)
    workers[0]?.freeze()
    expect(await lost).toMatchObject({ code: 'worker-lost' })
    expect(await workspace.fs.readText('/kept')).toBe('x')
    expect(replaced).toEqual([true])
    await expect.poll(() => host.generation.runningProcesses).toBe(0)
    const again = await workspace.toolset('atomic')
    expect(JSON.stringify(await again.call('bash', { command: 'cat kept' }))).toContain('x')
    await workspace.dispose()
  })
})

describe('on the wire', () => {
  test('a filesystem and a shell share a port', () => {
    const shell = webcontainerShell(host, { env: { A: 'b' } })
    const { container, options } = shell.recipe
    const { recipe } = webcontainer(host, { exclude: ['dist'] })
    const sent = sendContainers(
      { fs: { kind: 'mounts', mounts: [['/w', recipe ?? { kind: '' }]] }, containerShell: { container, options } },
      {},
    )
    expect(sent.ports.length).toBe(1)
    const { fs, containerShell, containers } = sent.workspace
    expect({ fs, containerShell }).toEqual({
      fs: { kind: 'mounts', mounts: [['/w', { kind: 'webcontainer', container: 0, exclude: ['dist'] }]] },
      containerShell: { container: 0, options: { env: { A: 'b' } } },
    })
    const received = asWorkspaceOptions({ fs, containerShell, containers })
    expect(received.fs).toMatchObject({ mounts: [['/w', { container: received.containerShell?.container }]] })
    for (const port of sent.ports) port.close()
  })

  test.each([
    [
      'a container that did not come along',
      { fs: { kind: 'one', recipe: { kind: 'webcontainer', container: 3 } }, containers: [] },
    ],
    ['a container that is no number', { fs: { kind: 'one', recipe: { kind: 'webcontainer', container: {} } }, containers: [] }],
    ['a port that is none', { containers: ['x'] }],
    ['a shell with an unknown option', { containerShell: { container: 0, options: { files: 'stolen' } } }],
  ])('%s is refused', (_name, options) => {
    expect(() => asWorkspaceOptions(options)).toThrow(expect.objectContaining({ code: 'wire-refused' }))
  })

  test('a recipe without its container is refused when it is built', async () => {
    const options = asWorkspaceOptions({ fs: { kind: 'one', recipe: { kind: 'webcontainer' } } })
    await expect(buildWorkspace(options)).rejects.toMatchObject({ code: 'bad-recipe' })
  })
})
