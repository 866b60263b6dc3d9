// The same guarantees with a real Worker in real browsers, where a thread can really hang and end.

import { afterEach, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { connectWorkspace, type ClientWorkspaceOptions } from './client.ts'
import type { Replacement } from './supervisor.ts'
import { patient } from '../testing/patient.ts'

const opened: Workspace[] = []
const workers: Worker[] = []

function scripted(): Worker {
  const worker = new Worker(new URL('../testing/wire/scripted-worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  return worker
}

async function connect(worker: Worker | (() => Worker), options: ClientWorkspaceOptions = {}): Promise<Workspace> {
  const workspace = await connectWorkspace(worker, { ...patient, ...options })
  opened.push(workspace)
  return workspace
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.dispose().catch(() => {})
  for (const worker of workers.splice(0)) worker.terminate()
})

test('a call, its updates and its errors', async () => {
  const workspace = await connect(scripted())
  const tools = await workspace.toolset('atomic')
  const seen: unknown[] = []
  await tools.call('report', { count: 50 }, { onUpdate: update => seen.push(update.details['index']) })
  expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => index))
  await expect(tools.call('fail', { how: 'vfs' })).rejects.toMatchObject({ name: 'VfsError', code: 'ENOENT', path: '/a' })
  await expect(tools.call('fail', { how: 'abort' })).rejects.toMatchObject({ name: 'AbortError' })
  expect(await workspace.fs.readText('/a.txt')).toBe('hello\n')
})

test('an abort rejects at once, with its reason', async () => {
  const tools = await (await connect(scripted())).toolset('atomic')
  const controller = new AbortController()
  const call = tools.call('wait', {}, { signal: controller.signal })
  const reason = new Error('enough')
  setTimeout(() => controller.abort(reason), 50)
  await expect(call).rejects.toBe(reason)
  await expect(tools.call('wait', {}, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a worker whose thread hangs is replaced', async () => {
  const replaced: Replacement[] = []
  const workspace = await connect(scripted, {
    callTimeoutMs: 1_500,
    limits: { searchTimeoutMs: 50 },
    onReplaced: replacement => replaced.push(replacement),
  })
  const tools = await workspace.toolset('atomic')
  await expect(tools.call('block', { blockMs: 60_000 })).rejects.toMatchObject({
    code: 'worker-lost',
    details: { outstanding: ['block'] },
  })
  expect(await workspace.fs.readText('/a.txt')).toBe('hello\n')
  expect(replaced).toEqual([{ reason: expect.any(String), filesKept: false }])
  await expect(tools.call('echo', {})).rejects.toMatchObject({ code: 'session-lost' })
  expect(workers).toHaveLength(2)
})

test('an abort frees the caller of a thread that hangs, and the worker is replaced', async () => {
  const workspace = await connect(scripted, { callTimeoutMs: 1_500, limits: { searchTimeoutMs: 50 } })
  const tools = await workspace.toolset('atomic')
  await expect(tools.call('block', { blockMs: 60_000 }, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect.poll(() => workers.length).toBe(2)
  await (await workspace.toolset('atomic')).call('echo', {})
})

/** Shorter than the block, and long enough for the thread to answer on a busy machine. */
const leftAlone = { callTimeoutMs: 1_500, limits: { searchTimeoutMs: 50 } }

test('a thread that is busy within its own time-out is left alone', async () => {
  const workspace = await connect(scripted, leftAlone)
  const tools = await workspace.toolset('atomic')
  await tools.call('bounded', { timeout: 60, blockMs: 3_000 })
  expect(workers).toHaveLength(1)
})

test('an abort of a busy thread costs no files: it may run into its own time-out', async () => {
  const workspace = await connect(scripted, leftAlone)
  const tools = await workspace.toolset('atomic')
  await workspace.fs.writeFile('/kept.txt', 'kept')
  await expect(tools.call('bounded', { timeout: 60, blockMs: 3_000 }, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject(
    {
      name: 'TimeoutError',
    },
  )
  expect(await workspace.fs.readText('/kept.txt')).toBe('kept')
  expect(workers).toHaveLength(1)
})

test('a worker that dies in the middle of a call', async () => {
  const workspace = await connect(scripted, { callTimeoutMs: 2_000, limits: { searchTimeoutMs: 50 } })
  const tools = await workspace.toolset('atomic')
  const call = tools.call('wait', {})
  setTimeout(() => workers[0]?.terminate(), 50)
  await expect(call).rejects.toMatchObject({ code: 'worker-lost' })
  await (await workspace.toolset('atomic')).call('echo', {})
})

test('a script that does not load', async () => {
  const blob = URL.createObjectURL(new Blob(['throw new Error("broken script")'], { type: 'text/javascript' }))
  const connecting = connectWorkspace(new Worker(blob, { type: 'module' }), { connectTimeoutMs: 5_000 })
  await expect(connecting).rejects.toMatchObject({ code: 'worker-lost' })
})

test('bytes are transferred from the worker, and never taken from the page', async () => {
  const { fs } = await connect(scripted())
  const bytes = new Uint8Array(2_000_000).fill(3)
  await fs.writeFile('/big', bytes)
  expect(bytes.byteLength).toBe(2_000_000)
  for (let time = 0; time < 2; time += 1) {
    const back = await fs.readFile('/big')
    // Not toEqual, because comparing two million numbers that way takes seconds.
    expect([back.byteLength, back.buffer.byteLength, back.every(byte => byte === 3)]).toEqual([2_000_000, 2_000_000, true])
  }
})

test("the package's own worker builds from recipes", async () => {
  const own = (): Worker => new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
  const workspace = await connect(own, { fs: memory({ 'src/a.ts': 'export const a = 1\n' }), root: '/project', shell: 'none' })
  expect(workspace.root).toBe('/project')
  expect(await workspace.fs.readText('/project/src/a.ts')).toBe('export const a = 1\n')
  const tools = await workspace.toolset('atomic')
  const result = await tools.call('read', { path: 'src/a.ts' })
  expect(result.isError).toBe(false)
  await expect(connectWorkspace(own(), {})).rejects.toMatchObject({ code: 'no-filesystem' })
})
