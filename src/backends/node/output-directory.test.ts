import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeptPlace } from '../../core/output-storage.ts'
import type { SessionState } from '../../core/tool.ts'
import { textOf } from '../../testing/tool-session.ts'
import { createFakeWorker } from '../../testing/wire/pair.ts'
import { connectWorkerLike } from '../../worker/client.ts'
import type { ToolsetName } from '../../workspace/toolsets.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { memory } from '../memory/index.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { node } from './index.ts'
import { openOutputDirectory } from './output-directory.ts'
import { nodeShell } from './shell/index.ts'
import { inDeepRun } from '../../testing/depth.ts'

let parent = ''
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'outputs-test-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

describe('a directory of outputs', () => {
  it('gives back what it was given, is for its user only, and goes when it is closed', async () => {
    const storage = await openOutputDirectory(parent)
    const [name = ''] = await readdir(parent)
    expect((await stat(join(parent, name))).mode & 0o777).toBe(0o700)
    await storage.put(1, 0, Uint8Array.of(1, 2))
    await storage.put(1, 1, Uint8Array.of(3))
    await storage.put(11, 0, Uint8Array.of(4))
    expect([Array.from((await storage.get(1, 1)) ?? []), await storage.get(2, 0)]).toEqual([[3], undefined])
    await storage.remove(1, 2)
    expect([await storage.get(1, 0), Array.from((await storage.get(11, 0)) ?? [])]).toEqual([undefined, [4]])
    await storage.close()
    await storage.close()
    expect(await readdir(parent)).toEqual([])
  })

  it('clears away what dead processes left, and nothing else', async () => {
    const left = ['anchorage-outputs-2000000000-abc', `anchorage-outputs-${process.pid}-abc`, 'anchorage-outputs-x', 'other']
    for (const name of left) await mkdir(join(parent, name))
    await writeFile(join(parent, 'anchorage-outputs-2000000000-abc', '1-0'), 'x')
    const storage = await openOutputDirectory(parent)
    expect((await readdir(parent)).filter(name => left.includes(name)).toSorted()).toEqual(left.slice(1).toSorted())
    await storage.close()
  })

  const uuid = '01234567-89ab-4cde-8f01-23456789abcd'
  const mark = (sizeBytes: number, keptAtMs = Date.now()): string => JSON.stringify({ keptAtMs, sizeBytes })

  it('that is kept stays when it is closed, and is opened again by its name alone', async () => {
    const storage = await openOutputDirectory(parent)
    for (const id of [1, 2, 3]) await storage.put(id, 0, Uint8Array.of(id))
    const name = (await storage.keep?.(3)) ?? ''
    const kept = { name, nextOutputId: 3 }
    await expect(openOutputDirectory(parent, kept)).rejects.toMatchObject({ code: 'outputs-in-use' })
    await storage.close()
    // Opening another directory removes leftover ones, but not this one.
    await (await openOutputDirectory(parent)).close()
    const again = await openOutputDirectory(parent, kept)
    expect([Array.from((await again.get(2, 0)) ?? []), await again.get(3, 0)]).toEqual([[2], undefined])
    await expect(openOutputDirectory(parent, kept)).rejects.toMatchObject({ code: 'outputs-in-use' })
    await again.close()
    const last = await openOutputDirectory(parent, kept)
    await last.close({ forget: true })
    expect(await readdir(parent)).toEqual([])
    await expect(openOutputDirectory(parent, kept)).rejects.toMatchObject({ code: 'outputs-gone' })
  })

  it('of a process that died is taken over by one of those who ask, and by no other', async () => {
    const left = join(parent, `anchorage-outputs-2000000000-${uuid}`)
    await mkdir(left)
    await writeFile(join(left, 'kept'), mark(1))
    await writeFile(join(left, '1-0'), 'x')
    const asked = await Promise.allSettled([1, 2, 3].map(() => openOutputDirectory(parent, { name: uuid, nextOutputId: 2 })))
    const opened = asked.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(opened).toHaveLength(1)
    expect(Array.from((await opened[0]?.get(1, 0)) ?? [])).toEqual([120])
    await opened[0]?.close({ forget: true })
  })

  it('of a process with the same number is not taken over while this one may have it', async () => {
    const left = join(parent, `anchorage-outputs-${process.pid}-${uuid}`)
    await mkdir(left)
    await writeFile(join(left, 'kept'), mark(1))
    const kept = { name: uuid, nextOutputId: 2 }
    // It was created while this process was running.
    await expect(openOutputDirectory(parent, kept)).rejects.toMatchObject({ code: 'outputs-in-use' })
  })

  it.each([['..'], [`x/../${uuid}`], [''], ['other']])('with the name %j is none', async name => {
    await mkdir(join(parent, 'anchorage-outputs-0-other'))
    await writeFile(join(parent, 'anchorage-outputs-0-other', 'kept'), mark(1))
    await expect(openOutputDirectory(parent, { name, nextOutputId: 1 })).rejects.toMatchObject({ code: 'outputs-gone' })
  })

  it('that is a link is not followed', async () => {
    const elsewhere = join(parent, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'kept'), mark(2 ** 40))
    await symlink(elsewhere, join(parent, `anchorage-outputs-0-${uuid}`))
    await expect(openOutputDirectory(parent, { name: uuid, nextOutputId: 1 })).rejects.toMatchObject({ code: 'outputs-in-use' })
    await (await openOutputDirectory(parent)).close()
    expect(await readdir(elsewhere)).toEqual(['kept'])
  })

  it('makes room for others when there are too many', async () => {
    const now = Date.now()
    for (let index = 0; index < 20; index++) {
      const left = join(parent, `anchorage-outputs-${index % 2 === 0 ? 0 : 2000000000}-${uuid.slice(0, -2)}${10 + index}`)
      await mkdir(left)
      await writeFile(join(left, 'kept'), index === 19 ? 'damaged' : mark(1, now - index))
    }
    await (await openOutputDirectory(parent)).close()
    const left = (await readdir(parent)).map(name => Number(name.slice(-2)) - 10).toSorted((one, other) => one - other)
    expect(left).toEqual(Array.from({ length: 16 }, (_, index) => index))
  })

  it('that cannot be made is one typed error', async () => {
    await expect(openOutputDirectory(join(parent, 'missing'))).rejects.toMatchObject({ code: 'outputs-unavailable' })
  })
})

describe('a conversation that goes on in another process', () => {
  const text = Array.from({ length: 4000 }, (_, index) => `line ${index + 1} ${'.'.repeat(30)}\n`).join('')
  const reads: readonly [name: ToolsetName, write: readonly [string, object], read: readonly [string, object]][] = [
    ['atomic', ['bash', { command: 'cat f' }], ['read', { path: 'artifact://1:2000-2001:raw' }]],
    ['ah', ['read', { path: 'f' }], ['read', { path: 'artifact://1', offset: 2000, limit: 2 }]],
    ['ecs', ['bash', { command: 'cat f' }], ['read_file', { path: 'artifact://1', offset: 2000, limit: 2 }]],
    ['rye', ['write', { file_path: 'f', content: 'x\n' }], ['read', { file_path: 'artifact://1', offset: 2000, limit: 2 }]],
  ]
  it.each(reads)('%s reads what was cut, by its number', async (name, write, read) => {
    const options = { fs: memory({ f: text }), outputs: (kept?: KeptPlace) => openOutputDirectory(parent, kept) }
    const first = await createWorkspace(options)
    const tools = await first.toolset(name)
    expect(textOf(await tools.call(...write))).toContain('artifact://1')
    const state = JSON.parse(JSON.stringify(await tools.state())) as SessionState
    const shown = textOf(await tools.call(...read))
    expect(shown).toMatch(/line (?:1997|2000) /)
    await tools.close()
    const later = await (await createWorkspace(options)).toolset(name, { state })
    expect(textOf(await later.call(...read))).toBe(shown)
    await later.close({ forget: true })
    expect(await readdir(parent)).toEqual([])
    // The session knows the outputs' numbers, and why their contents are missing.
    const last = await (await createWorkspace(options)).toolset(name, { state })
    const result = await last.call(...read)
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('cannot be read any more')])
  })

  it('in memory: the output went with the page, and this is said', async () => {
    const options = { fs: memory({ f: text }), outputs: 'memory' } as const
    const tools = await (await createWorkspace(options)).toolset('atomic')
    await tools.call('bash', { command: 'cat f' })
    const later = await (await createWorkspace(options)).toolset('atomic', { state: await tools.state() })
    const { isError, content } = await later.call('read', { path: 'artifact://1' })
    expect({ isError, content }).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'artifact-unknown: artifact://1 cannot be read any more. It was kept in memory, and was lost with that page or process.\nRun the command again if its output is still needed.',
        },
      ],
    })
    expect(textOf(await later.call('bash', { command: 'cat f' }))).toContain('artifact://2')
  })

  it('crosses the wire, also what is to be forgotten', async () => {
    const build = (): Promise<Workspace> =>
      createWorkspace({ fs: memory({ f: text }), outputs: kept => openOutputDirectory(parent, kept) })
    const connect = (): Promise<Workspace> => connectWorkerLike(createFakeWorker({}, build), { fs: memory() })
    const first = await connect()
    const tools = await first.toolset('atomic')
    await tools.call('bash', { command: 'cat f' })
    const state = await tools.state()
    await first.dispose()
    const second = await connect()
    const later = await second.toolset('atomic', { state })
    expect(textOf(await later.call('read', { path: 'artifact://1:7-7:raw' }))).toBe(`line 7 ${'.'.repeat(30)}\n`)
    await later.close({ forget: true })
    expect(await readdir(parent)).toEqual([])
    await second.dispose()
  })
})

inDeepRun(() => {
  it('100 MB of output of a command takes little memory, shows its ends, and can be read to the last byte', async () => {
    const directory = join(parent, 'files')
    await mkdir(directory)
    const workspace = await createWorkspace({
      fs: node(directory),
      shell: nodeShell({ directory }),
      outputs: () => openOutputDirectory(parent),
      limits: { outputMaxBytes: 8 * 1024 * 1024 },
    })
    const tools = await workspace.toolset('atomic')
    const lineCount = 1_000_000
    const line = (number: number): string => `${String(number).padStart(9, '0')} ${'é'.repeat(44)}.\n`
    const script = `awk 'BEGIN { for (i = 1; i <= ${lineCount}; i++) printf "%09d ${'é'.repeat(44)}.\\n", i }'`
    globalThis.gc?.()
    const beforeBytes = process.memoryUsage().rss
    let mostBytes = 0
    const watch = setInterval(() => {
      mostBytes = Math.max(mostBytes, process.memoryUsage().rss)
    }, 20)
    const result = await tools.call('bash', { command: script })
    clearInterval(watch)
    const text = textOf(result)
    expect(text.startsWith(line(1))).toBe(true)
    expect(text).toContain(`\n${line(lineCount)}`)
    expect(text).toMatch(/of 1000000 \(50\.0KB limit\)\. Whole output: read artifact:\/\/1\.\]/)
    // The figure is printed so that changes are visible; the limit leaves room for the garbage collector.
    console.log(`100 MB of output: ${Math.round((mostBytes - beforeBytes) / 1e6)} MB of memory more at most`)
    expect(mostBytes - beforeBytes).toBeLessThan(200e6)

    const read = async (path: string): Promise<string> => textOf(await tools.call('read', { path }))
    for (const number of [1, 2, 123_456, 777_777, 999_999, 1_000_000]) {
      expect(await read(`artifact://1:${number}-${number}:raw`)).toBe(line(number))
    }
    let at = 0
    let pages = 0
    // By bytes, in the pages of the tool. All of it would be two thousand calls, so every fortieth page.
    while (at < lineCount * 100) {
      const page = await tools.call('read', { path: `artifact://1?bytes=${at}-${lineCount * 100}` })
      const [block] = page.content
      const end = Number(page.details['endByte'])
      const firstLine = Math.floor(at / 100) + 1
      const expected = Array.from({ length: Math.ceil((end - at) / 100) + 2 }, (_, index) => line(firstLine + index)).join('')
      const bytes = new TextEncoder().encode(expected).subarray(at % 100, (at % 100) + end - at)
      expect(block).toEqual({ type: 'text', text: new TextDecoder().decode(bytes) })
      at = end + 40 * 51_200
      pages += 1
    }
    expect(pages).toBeGreaterThan(40)
    await workspace.dispose()
    expect((await readdir(parent)).filter(name => name.startsWith('anchorage-outputs-'))).toEqual([])
  })
})
