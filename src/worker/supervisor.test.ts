import { afterEach, expect, test } from 'vitest'
import { connectPair, type Pair } from '../testing/wire/pair.ts'
import type { ClientWorkspaceOptions } from './client.ts'
import type { Replacement } from './supervisor.ts'

let pair: Pair

async function open(options: ClientWorkspaceOptions & { respawn?: boolean } = {}): Promise<Pair> {
  // The wire's time-out is short here; a search may still take its own limit, which is short too.
  pair = await connectPair({ callTimeoutMs: 60, limits: { searchTimeoutMs: 20 }, ...options })
  return pair
}

afterEach(async () => {
  await pair.close().catch(() => {})
})

test('a worker that no longer answers is replaced, and everyone is told', async () => {
  const replaced: Replacement[] = []
  const { workspace, workers } = await open({ respawn: true, onReplaced: replacement => replaced.push(replacement) })
  const tools = await workspace.toolset('atomic')
  await workspace.fs.writeFile('/workspace/b.txt', 'made since')
  const snapshot = await workspace.fs.snapshot()
  const overflows: boolean[] = []
  await workspace.fs.watch('/', batch => overflows.push(batch.overflow))
  workers[0]?.freeze()

  const calls = [tools.call('wait', {}), workspace.fs.readFile('/workspace/a.txt')]
  for (const call of calls) {
    await expect(call).rejects.toMatchObject({
      code: 'worker-lost',
      details: { outstanding: ['wait', 'readFile /workspace/a.txt'], filesKept: false, replaced: true },
      message: expect.stringContaining('ARE LOST'),
    })
  }
  expect(workers[0]?.isTerminated()).toBe(true)

  // New work waits for the new worker; objects of the old one report that they are lost.
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe('hello\n')
  expect(replaced).toEqual([{ reason: expect.stringContaining('did not answer'), filesKept: false }])
  expect(await workspace.fs.exists('/workspace/b.txt')).toBe(false)
  await expect(tools.call('echo', {})).rejects.toMatchObject({ code: 'session-lost' })
  await expect(snapshot.readText('/workspace/a.txt')).rejects.toMatchObject({ code: 'session-lost' })
  await tools.close()
  await snapshot.dispose()
  expect(overflows).toContain(true)
  const again = await workspace.toolset('atomic')
  await expect(again.call('echo', {})).resolves.toMatchObject({ isError: false })
  await workspace.fs.writeFile('/watched', '')
  await expect.poll(() => overflows).toContain(false)
  expect(workers).toHaveLength(2)
})

test('a batch in a lost worker is lost with it', async () => {
  const { workspace, workers } = await open({ respawn: true })
  const batch = workspace.fs.batch(async files => {
    await files.writeFile('/one', '1')
    workers[0]?.freeze()
    await files.writeFile('/two', '2')
  })
  await expect(batch).rejects.toMatchObject({ code: 'worker-lost' })
  expect(await workspace.fs.exists('/one')).toBe(false)
})

test('a single worker is not replaced: everything rejects from then on', async () => {
  const { workspace, workers } = await open()
  const tools = await workspace.toolset('atomic')
  workers[0]?.freeze()
  await expect(tools.call('wait', {})).rejects.toMatchObject({ code: 'worker-lost', details: { replaced: false } })
  for (const later of [
    tools.call('echo', {}),
    workspace.fs.stat('/'),
    workspace.toolset('atomic'),
    workspace.fs.batch(() => 1),
  ]) {
    await expect(later).rejects.toMatchObject({ code: 'worker-lost' })
  }
  await workspace.dispose()
})

test('a worker that is alive is kept, however long a call takes', async () => {
  const { workspace, workers } = await open({ respawn: true })
  const tools = await workspace.toolset('atomic')
  const controller = new AbortController()
  const call = tools.call('wait', {}, { signal: controller.signal })
  await new Promise(resolve => setTimeout(resolve, 400))
  expect(workers).toHaveLength(1)
  controller.abort('enough')
  await expect(call).rejects.toBe('enough')
})

test('an uncaught error in a worker that lives on costs nobody their files', async () => {
  const { workspace, workers } = await open({ respawn: true })
  await workspace.fs.writeFile('/kept', 'x')
  workers[0]?.fail('uncaught, somewhere')
  expect(await workspace.fs.readText('/kept')).toBe('x')
})

test('a new worker that fails as well ends it, with both reasons', async () => {
  const { workspace, workers } = await open({ respawn: true, connectTimeoutMs: 2_000 })
  let isBroken = false
  Object.defineProperty(workers, 'push', {
    value: (worker: Pair['workers'][number]) => {
      isBroken = true
      worker.freeze()
      return Array.prototype.push.call(workers, worker)
    },
  })
  workers[0]?.freeze()
  await expect(workspace.fs.stat('/')).rejects.toMatchObject({ code: 'worker-lost' })
  await expect(workspace.fs.stat('/')).rejects.toMatchObject({ code: 'worker-lost', cause: { code: 'connect-timeout' } })
  await expect(workspace.fs.stat('/')).rejects.toMatchObject({ code: 'worker-lost' })
  expect(isBroken).toBe(true)
  expect(workers).toHaveLength(2)
})
