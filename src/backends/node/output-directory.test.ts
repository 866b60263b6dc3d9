import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from '../../testing/tool-session.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { node } from './index.ts'
import { openOutputDirectory } from './output-directory.ts'
import { nodeShell } from './shell/index.ts'

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

  it('that cannot be made is one typed error', async () => {
    await expect(openOutputDirectory(join(parent, 'missing'))).rejects.toMatchObject({ code: 'outputs-unavailable' })
  })
})

describe('100 MB of output', () => {
  it('of a command takes little memory, shows its ends, and can be read to the last byte', async () => {
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
    // The figure is printed, so that a change of it is seen; the bound leaves room for the collector.
    console.log(`100 MB of output: ${Math.round((mostBytes - beforeBytes) / 1e6)} MB of memory more at most`)
    expect(mostBytes - beforeBytes).toBeLessThan(200e6)

    const read = async (path: string): Promise<string> => textOf(await tools.call('read', { path }))
    for (const number of [1, 2, 123_456, 777_777, 999_999, 1_000_000]) {
      expect(await read(`artifact://1:${number}-${number}:raw`)).toBe(line(number))
    }
    let at = 0
    let pages = 0
    // By bytes, in the pages that the tool gives; all of it would be two thousand calls, so every fortieth.
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
