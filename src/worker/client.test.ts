import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { ToolResult, Toolset, ToolUpdate } from '../core/tool.ts'
import { failures } from '../testing/wire/failures.ts'
import { connectPair, createFakeWorker, type Pair } from '../testing/wire/pair.ts'
import type { BatchFs } from '../vfs/vfs.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { createWorkspace } from '../workspace/create-workspace.ts'
import { connectWorkerLike, memory, type ClientWorkspaceOptions, type connectWorkspace } from './client.ts'
import type { HostOptions } from './hosted.ts'

let pair: Pair | undefined

async function open(
  options?: ClientWorkspaceOptions & { respawn?: boolean; host?: HostOptions },
): Promise<Pair & { tools: Toolset }> {
  pair = await connectPair(options)
  return { ...pair, tools: await pair.workspace.toolset('atomic') }
}

afterEach(async () => {
  await pair?.close().catch(() => {})
  pair = undefined
})

const events = (at: Pair, index = 0): readonly string[] => at.workers[index]?.workspace.events ?? []

test('the page gets the workspace that createWorkspace gives, without its fast path', () => {
  expectTypeOf<Awaited<ReturnType<typeof connectWorkspace>>>().toEqualTypeOf<Workspace>()
  expectTypeOf<ReturnType<typeof createWorkspace>>().toEqualTypeOf<ReturnType<typeof connectWorkspace>>()
})

test.each(['ids', 'clock'])('an unknown option, %s, is refused before a worker is started', async name => {
  const start = vi.fn<() => never>()
  await expect(connectWorkerLike(start, { [name]: () => 'x' })).rejects.toMatchObject({ code: 'workspace-options' })
  expect(start).not.toHaveBeenCalled()
})

describe('a call', () => {
  test('brings arguments, id and result across', async () => {
    const { tools } = await open()
    const result = await tools.call('echo', { list: [1, null, 'ü'] }, { callId: 'c1' })
    expect(result).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'done' }],
      details: { args: { list: [1, null, 'ü'] }, callId: 'c1', hasSignal: false, hasUpdate: false },
    } satisfies ToolResult)
  })

  test('lists the definitions', async () => {
    const { tools } = await open()
    expect(tools.tools.map(tool => tool.name)).toContain('echo')
  })

  test('reports every update, in order and before the result', async () => {
    const { tools } = await open()
    const seen: unknown[] = []
    await tools.call('report', { count: 200 }, { onUpdate: (update: ToolUpdate) => seen.push(update.details['index']) })
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => index))
  })

  test('survives a callback that throws', async () => {
    const { tools } = await open()
    const faults = vi.spyOn(console, 'error').mockImplementation(() => {})
    const onUpdate = (): void => {
      throw new Error('the page is broken')
    }
    await expect(tools.call('report', { count: 3 }, { onUpdate })).resolves.toMatchObject({ details: { count: 3 } })
    expect(faults).toHaveBeenCalledTimes(3)
    faults.mockRestore()
    await tools.call('echo', {})
  })

  test.each(Object.keys(failures).filter(name => name !== 'function' && name !== 'live'))(
    'rejects as in the worker: %s',
    async how => {
      const { tools } = await open()
      const error = await tools.call('fail', { how }).then(
        () => 'resolved',
        (thrown: unknown) => thrown,
      )
      const original = failures[how]
      expect(String(error)).toBe(String(original))
      expect(Object.getPrototypeOf(Object(error))).toBe(Object.getPrototypeOf(Object(original)))
      for (const field of ['name', 'message', 'code', 'details', 'list']) {
        expect(Reflect.get(Object(error), field)).toEqual(Reflect.get(Object(original), field))
      }
    },
  )
})

describe('an abort', () => {
  const reasons: readonly [string, unknown][] = [
    ['the default', undefined],
    ['text', 'enough'],
    ['an object', { code: 3 }],
    ['something that cannot be sent', () => 1],
  ]
  test.each(reasons)('during a call rejects at once with its reason and reaches the worker: %s', async (_name, reason) => {
    const at = await open()
    const controller = new AbortController()
    const call = at.tools.call('wait', {}, { signal: controller.signal })
    await expect.poll(() => events(at)).toContain('waiting')
    controller.abort(reason)
    await expect(call).rejects.toBe(controller.signal.reason)
    await expect.poll(() => events(at).some(event => event.startsWith('aborted'))).toBe(true)
  })

  test('before a call does not touch the worker', async () => {
    const at = await open()
    const [worker = createFakeWorker()] = at.workers
    const sent = vi.spyOn(worker, 'postMessage')
    await expect(at.tools.call('wait', {}, { signal: AbortSignal.abort('never') })).rejects.toBe('never')
    expect(sent).not.toHaveBeenCalled()
  })

  test('rejects at once when the worker hears nothing', async () => {
    const at = await open({ callTimeoutMs: 100, limits: { searchTimeoutMs: 50 } })
    const controller = new AbortController()
    const call = at.tools.call('wait', {}, { signal: controller.signal })
    await expect.poll(() => events(at)).toContain('waiting')
    at.workers[0]?.freeze()
    controller.abort('stop')
    await expect(call).rejects.toBe('stop')
    // Its files are in memory, so it had another 50 ms to recover; now it is ended.
    await expect.poll(() => at.workers[0]?.isTerminated()).toBe(true)
  })

  test('leaves no listener behind', async () => {
    const { tools } = await open()
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    await tools.call('echo', {}, { signal })
    expect(add.mock.calls.length).toBeGreaterThan(0)
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
      expect.arrayContaining(add.mock.calls.map(([, listener]) => listener)),
    )
  })
})

describe('files', () => {
  test('every verb', async () => {
    const { fs } = (await open()).workspace
    await fs.mkdir('/d/e', { recursive: true })
    const stat = await fs.writeFile('/d/e/f', 'text', { mode: 0o600 })
    expect(await fs.stat('/d/e/f')).toEqual(stat)
    expect(await fs.readText('/d/e/f')).toBe('text')
    expect(await fs.readFile('/d/e/f', { start: 1, end: 3 })).toEqual(new TextEncoder().encode('ex'))
    await fs.symlink('e/f', '/d/link')
    expect(await fs.readlink('/d/link')).toBe('e/f')
    expect(await fs.realpath('/d/link')).toBe('/d/e/f')
    expect((await fs.lstat('/d/link')).kind).toBe('symlink')
    await fs.link('/d/e/f', '/d/hard')
    await fs.chmod('/d/hard', 0o755)
    await fs.utimes('/d/hard', 1_000)
    expect(await fs.stat('/d/e/f')).toMatchObject({ mode: 0o755, mtimeMs: 1_000 })
    await fs.copy('/d', '/copy', { recursive: true })
    await fs.rename('/copy/hard', '/copy/moved')
    expect((await fs.readdir('/copy')).map(entry => entry.name)).toEqual(['e', 'link', 'moved'])
    await fs.rm('/copy', { recursive: true })
    expect(await fs.exists('/copy')).toBe(false)
    expect((await fs.caps()).sync).toBe(true)
    expect((await fs.usage()).nodes).toBeGreaterThan(0)
    await fs.flush()
    expect(fs.sync).toBeUndefined()
  })

  test('errors keep their code and path', async () => {
    const { fs } = (await open()).workspace
    await expect(fs.readFile('/none')).rejects.toMatchObject({ name: 'VfsError', code: 'ENOENT', path: '/none' })
  })

  test.each([0, 1, 65_535, 65_536, 5_000_000])("%i bytes go there and back, and stay the page's own", async sizeBytes => {
    const { fs } = (await open()).workspace
    const buffer = new ArrayBuffer(sizeBytes + 20)
    const bytes = new Uint8Array(buffer, 10, sizeBytes).fill(7)
    await fs.writeFile('/whole', new Uint8Array(bytes))
    await fs.writeFile('/view', bytes)
    expect(buffer.byteLength).toBe(sizeBytes + 20)
    for (const path of ['/whole', '/view']) {
      const back = await fs.readFile(path)
      expect(back.byteLength).toBe(sizeBytes)
      // Only the view is sent, however large its buffer is.
      expect(back.buffer.byteLength).toBe(sizeBytes)
      expect(back.every(byte => byte === 7)).toBe(true)
      // Reading again gives the same bytes: the worker still has them.
      expect((await fs.readFile(path)).byteLength).toBe(sizeBytes)
    }
  })

  test.each([1, 65_536])('%i bytes that are given away are gone on the page', async sizeBytes => {
    const { fs } = (await open()).workspace
    const bytes = new Uint8Array(sizeBytes).fill(7)
    await fs.writeFile('/f', bytes, { transfer: true })
    expect(bytes.byteLength).toBe(0)
    const back = await fs.readFile('/f')
    expect(back.byteLength === sizeBytes && back.every(byte => byte === 7)).toBe(true)
  })

  test('hashes of files, and one that is aborted', async () => {
    const { fs } = (await open()).workspace
    await fs.writeFile('/f', 'abc')
    expect(await fs.hash('/f', 'xxh128')).toBe('06b05ab6733a618578af5f94892f3950')
    expect(await fs.hash('/f', 'sha256')).toMatch(/^ba7816bf.{48}f20015ad$/)
    await expect(fs.hash('/f', 'sha256', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    await expect(fs.hash('/none', 'sha256')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('both times of a file', async () => {
    const { fs } = (await open()).workspace
    await fs.writeFile('/f', '')
    await fs.utimes('/f', 5000, 3000.5)
    expect(await fs.stat('/f')).toMatchObject({ mtimeMs: 5000, atimeMs: 3000.5 })
    await fs.utimes('/f', 6000)
    expect(await fs.stat('/f')).toMatchObject({ mtimeMs: 6000, atimeMs: 3000.5 })
  })

  test('changes through `as` are reported with the name', async () => {
    const { fs } = (await open()).workspace
    const seen: unknown[] = []
    await fs.watch('/', ({ changes }) => seen.push(...changes.map(change => change.by?.actor)))
    await fs.as('importer').writeFile('/f', '1')
    await fs.as('person').writeFile('/f', '2')
    await fs
      .as('importer')
      .as({ kind: 'agent', name: 'a' })
      .batch(files => files.writeFile('/f', '3'))
    await fs.writeFile('/f', '4')
    const actors = [{ kind: 'host', name: 'importer' }, { kind: 'person' }, { kind: 'agent', name: 'a' }, undefined]
    await expect.poll(() => seen).toEqual(actors)
  })

  test('a walk crosses in chunks, whole and in order', async () => {
    const { fs } = (await open()).workspace
    await fs.mkdir('/many')
    await fs.batch(async files => {
      await Promise.all(Array.from({ length: 600 }, (_, index) => files.writeFile(`/many/${String(index).padStart(4, '0')}`, '')))
    })
    const names: string[] = []
    for await (const entry of fs.walk('/many')) names.push(entry.name)
    expect(names).toEqual(Array.from({ length: 600 }, (_, index) => String(index).padStart(4, '0')))
  })

  test('a walk left early, aborted or over its bound', async () => {
    const at = await open()
    const { fs } = at.workspace
    for (const name of ['/w/a', '/w/b', '/w/c']) await fs.writeFile(name, '', { parents: true })
    for await (const entry of fs.walk('/w')) {
      expect(entry.name).toBe('a')
      break
    }
    const controller = new AbortController()
    const walked = (async () => {
      for await (const _ of fs.walk('/w', { signal: controller.signal })) controller.abort('enough')
    })()
    await expect(walked).rejects.toBe('enough')
    const bounded = (async () => {
      for await (const _ of fs.walk('/', { maxEntries: 2 })) continue
    })()
    await expect(bounded).rejects.toMatchObject({ code: 'walk-limit' })
    await expect(fs.walk('/none')[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a watch hears of changes until it is ended', async () => {
    const { fs } = (await open()).workspace
    const heard: string[] = []
    const stop = await fs.watch('/', batch => heard.push(...batch.changes.map(change => `${change.type} ${change.path}`)))
    await fs.writeFile('/new', 'x')
    await expect.poll(() => heard).toContain('create /new')
    stop()
    stop()
    await fs.writeFile('/later', 'x')
    await fs.flush()
    expect(heard.join()).not.toContain('/later')
  })

  test('a snapshot does not see what comes later', async () => {
    const { fs } = (await open()).workspace
    const before = await fs.snapshot()
    await fs.writeFile('/workspace/a.txt', 'changed')
    expect(await before.readText('/workspace/a.txt')).toBe('hello\n')
    expect(before.seq).toBeGreaterThan(0)
    await before.dispose()
    await before.dispose()
    await expect(before.readText('/workspace/a.txt')).rejects.toMatchObject({ code: 'not-open' })
  })
})

test('what changed between two snapshots, and since one, crosses the wire', async () => {
  const { fs } = (await open()).workspace
  await fs.symlink('/workspace/a.txt', '/link')
  const before = await fs.snapshot()
  await fs.rename('/workspace/a.txt', '/workspace/b.txt')
  const after = await fs.snapshot()
  await fs.rm('/workspace/b.txt')
  const moved = { type: 'move', path: '/workspace/b.txt', oldPath: '/workspace/a.txt', kind: 'file' }
  expect(await before.diff(after)).toMatchObject([moved])
  expect(await before.diff()).toMatchObject([{ type: 'delete', path: '/workspace/a.txt' }])
  expect(await before.readlink('/link')).toBe('/workspace/a.txt')
  await after.dispose()
  await expect(before.diff(after)).rejects.toMatchObject({ code: 'EINVAL' })
})

test('a text comes with the revision that a later write can insist on', async () => {
  const { fs } = (await open()).workspace
  const { text, rev } = await fs.read('/workspace/a.txt')
  expect(text).toBe('hello\n')
  await fs.writeFile('/workspace/a.txt', 'changed', { ifRev: rev })
  await expect(fs.writeFile('/workspace/a.txt', 'lost', { ifRev: rev })).rejects.toMatchObject({ code: 'ESTALE' })
})

describe('a batch', () => {
  test('commits all at once', async () => {
    const { fs } = (await open()).workspace
    const result = await fs.batch(async files => {
      await files.writeFile('/one', '1')
      expect(await files.readText('/one')).toBe('1')
      expect(await fs.exists('/one')).toBe(false)
      // Not awaited, but still part of the batch.
      void files.writeFile('/two', '2')
      return 'done'
    })
    expect(result).toBe('done')
    expect(await fs.readText('/one')).toBe('1')
    expect(await fs.readText('/two')).toBe('2')
  })

  test('that throws changes nothing, and rejects with what was thrown', async () => {
    const { fs } = (await open()).workspace
    const mine = new Error('mine')
    await expect(
      fs.batch(async files => {
        await files.writeFile('/one', '1')
        throw mine
      }),
    ).rejects.toBe(mine)
    expect(await fs.exists('/one')).toBe(false)
  })

  test('whose expectation no longer holds is ESTALE', async () => {
    const { fs } = (await open()).workspace
    const { rev } = await fs.stat('/workspace/a.txt')
    await fs.writeFile('/workspace/a.txt', 'theirs')
    const work = vi.fn<(files: BatchFs) => Promise<unknown>>(files => files.writeFile('/workspace/a.txt', 'ours'))
    await expect(fs.batch(work, { expect: { '/workspace/a.txt': rev } })).rejects.toMatchObject({ code: 'ESTALE' })
    expect(await fs.readText('/workspace/a.txt')).toBe('theirs')
  })

  test('overtaken by another write is ESTALE at the commit', async () => {
    const { fs } = (await open()).workspace
    const { rev } = await fs.stat('/workspace/a.txt')
    const batch = fs.batch(
      async files => {
        await files.writeFile('/workspace/a.txt', 'ours')
        await fs.writeFile('/workspace/a.txt', 'theirs')
      },
      { expect: { '/workspace/a.txt': rev } },
    )
    await expect(batch).rejects.toMatchObject({ code: 'ESTALE' })
    expect(await fs.readText('/workspace/a.txt')).toBe('theirs')
  })

  test('left alone too long is rolled back, and says so', async () => {
    const { fs } = (await open({ host: { batchIdleMs: 30 } })).workspace
    const batch = fs.batch(async files => {
      await files.writeFile('/one', '1')
      await new Promise(resolve => setTimeout(resolve, 120))
      await files.writeFile('/two', '2')
    })
    await expect(batch).rejects.toMatchObject({ code: 'batch-expired' })
    expect(await fs.exists('/one')).toBe(false)
  })

  test('is closed after its end', async () => {
    const { fs } = (await open()).workspace
    const files = await fs.batch(inner => inner)
    await expect(files.readText('/workspace/a.txt')).rejects.toMatchObject({ code: 'not-open' })
  })
})

describe('the end', () => {
  test("dispose closes the worker's workspace, then the worker; twice is fine", async () => {
    const at = await open()
    const waiting = at.tools.call('wait', {})
    waiting.catch(() => {})
    await at.workspace.dispose()
    await at.workspace.dispose()
    expect(events(at)).toEqual(expect.arrayContaining(['closed', 'disposed']))
    expect(at.workers[0]?.isTerminated()).toBe(true)
    await expect(waiting).rejects.toMatchObject({ code: 'workspace-disposed' })
    await expect(at.tools.call('echo', {})).rejects.toMatchObject({ code: 'workspace-disposed' })
    await expect(at.workspace.fs.stat('/')).rejects.toMatchObject({ code: 'workspace-disposed' })
    await expect(at.workspace.toolset('atomic')).rejects.toMatchObject({ code: 'workspace-disposed' })
    await at.tools.close()
  })

  test('closing a toolset closes its session', async () => {
    const at = await open()
    await at.tools.close()
    await at.tools.close()
    expect(events(at)).toContain('closed')
    await expect(at.tools.call('echo', {})).rejects.toMatchObject({ code: 'not-open' })
  })
})

test('a call refuses a context that is no object of its options', async () => {
  const { tools } = await open()
  const { signal } = new AbortController()
  for (const wrong of [signal, { onupdate: () => {} }])
    await expect(tools.call('echo', {}, wrong as object)).rejects.toMatchObject({ code: 'wrong-argument' })
})

describe('connecting', () => {
  test('a backend without a recipe names the way out', async () => {
    const backend = { lookup: () => {} } as never
    await expect(connectWorkerLike(createFakeWorker(), { fs: backend })).rejects.toMatchObject({
      code: 'no-recipe',
      message: expect.stringContaining('serveWorkspace'),
    })
  })

  test('to a worker that never answers ends', async () => {
    const worker = createFakeWorker()
    worker.freeze()
    await expect(connectWorkerLike(worker, { connectTimeoutMs: 50 })).rejects.toMatchObject({ code: 'connect-timeout' })
    expect(worker.isTerminated()).toBe(true)
  })

  // With more options than `fs` their check is loaded first; the worker may fail meanwhile.
  test.each([{ fs: memory() }, {}, { fs: memory(), root: '/a' }])('to a script that fails says why, with %j', async options => {
    const worker = createFakeWorker()
    worker.freeze()
    const connecting = connectWorkerLike(worker, options)
    worker.fail('SyntaxError: nope')
    await expect(connecting).rejects.toMatchObject({ code: 'worker-lost', message: expect.stringContaining('SyntaxError: nope') })
  })
})
