// Not covered by the contract: the container's processes, its refusals and its end.

import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../core/deferred.ts'
import { parsePath } from '../../core/path.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { containerTree, emptyContainer } from '../../testing/webcontainer/contract-backend.ts'
import { nodeTwin } from '../../testing/webcontainer/node-twin.ts'
import { vfsContract, vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { emptyBackend } from '../../testing/webcontainer/contract-backend.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { ContainerHost } from '../../worker/webcontainer-host.ts'
import { webcontainer, type WebContainerOptions } from './index.ts'
import { webcontainerShell } from './shell.ts'
import type { ContainerSource } from './wire.ts'

const client = await nodeTwin({ seed: 21, off: ['failing-boots', 'restricted-shell'] })
const host = new ContainerHost(await client.boot())
const at = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (content: Uint8Array): string => new TextDecoder().decode(content)

const opened: VfsBackend[] = []

function open(options?: WebContainerOptions): { readonly fs: VfsBackend; readonly source: ContainerSource } {
  const source = { connect: () => host.connect() }
  const fs = webcontainer(source, options)
  opened.push(fs)
  return { fs, source }
}

/** Counts calls to the container from now on: whole trees and files. */
function counted(): () => readonly [exports: number, reads: number] {
  const exporting = vi.spyOn(host.container, 'export').mockClear()
  const reading = vi.spyOn(host.container.fs, 'readFile').mockClear()
  return () => [exporting.mock.calls.length, reading.mock.calls.length]
}

beforeEach(() => emptyContainer(host))
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  for (const fs of opened) await fs.close()
  host.teardown()
})

async function shellOver(fs: VfsBackend, source: ContainerSource): Promise<Shell> {
  return await webcontainerShell(source)({ fs: createVfs(fs), root: at('/') })
}

const run = (shell: Shell, script: string) =>
  runCommand(shell, { kind: 'script', script }, { maxCaptureBytes: 1024 * 1024, timeoutMs: 20_000 })

describe('what processes do', () => {
  test('is seen after them, and what they did not touch keeps its revision', async () => {
    const { fs, source } = open()
    await fs.write(at('/kept'), bytes('1'))
    await fs.write(at('/changed'), bytes('1'))
    const before = { kept: await fs.lookup(at('/kept')), changed: await fs.lookup(at('/changed')) }
    const shell = await shellOver(fs, source)
    await run(shell, 'echo 2 > changed; mkdir d; echo 3 > d/new')
    expect((await fs.lookup(at('/kept'))).rev).toBe(before.kept.rev)
    expect((await fs.lookup(at('/changed'))).rev).toBeGreaterThan(before.changed.rev)
    expect(text(await fs.read(at('/d/new')))).toBe('3\n')
    await shell.dispose()
  })

  test('makes a write on an old revision fail', async () => {
    const { fs, source } = open()
    const { rev } = await fs.write(at('/f'), bytes('1'))
    const shell = await shellOver(fs, source)
    await run(shell, 'echo theirs > f')
    await expect(fs.write(at('/f'), bytes('mine'), { ifRev: rev })).rejects.toMatchObject({ code: 'ESTALE' })
    expect(text(await host.container.fs.readFile('f'))).toBe('theirs\n')
    await shell.dispose()
  })

  test('in the middle of a batch makes it fail, and leaves theirs', async () => {
    const { fs, source } = open()
    await fs.write(at('/f'), bytes('1'))
    const shell = await shellOver(fs, source)
    const batch = fs.batch?.(async transaction => {
      transaction.write(at('/g'), bytes('mine'))
      transaction.write(at('/f'), bytes('mine'))
      await run(shell, 'echo theirs > f')
    })
    await expect(batch).rejects.toMatchObject({ code: 'ESTALE' })
    expect(await containerTree(host)).toEqual([`/f = ${bytes('theirs\n').join()}`])
    await shell.dispose()
  })

  test('is told to watchers, and as the changes of the command', async () => {
    const { fs, source } = open()
    await fs.write(at('/old'), bytes('1'))
    await fs.write(at('/d/x'), bytes('1'), { parents: true })
    const shell = await shellOver(fs, source)
    const told: string[] = []
    const unwatch = fs.watch?.(at('/'), ({ changes }) => told.push(...changes.map(({ type, path }) => `${type} ${path}`)))
    const process = await shell.start({ kind: 'script', script: 'rm -r d; echo 2 > old; echo 1 > new; echo 1 > gone; rm gone' })
    await process.exit
    expect(await process.changes?.()).toEqual({
      changes: [
        { type: 'delete', path: '/d', kind: 'directory' },
        { type: 'create', path: '/new', kind: 'file' },
        { type: 'modify', path: '/old', kind: 'file' },
      ],
      isCut: false,
    })
    expect(told).toEqual(expect.arrayContaining(['delete /d', 'create /new', 'modify /old']))
    unwatch?.()
    await shell.dispose()
  })

  test('is seen while they run, by small questions where nothing changed', async () => {
    const { fs, source } = open()
    await fs.write(at('/f'), bytes('1'))
    const shell = await shellOver(fs, source)
    const script = 'until [ -e go ]; do sleep 0.02; done; echo late > f; sleep 1000'
    const process = await shell.start({ kind: 'script', script })
    await fs.list(at('/'))
    const readFiveTimes = async (): Promise<readonly [string, number, number]> => {
      const count = counted()
      const found = new Set<string>()
      for (let turn = 0; turn < 5; turn++) found.add(text(await fs.read(at('/f'))))
      return [[...found].join(), ...count()]
    }
    // A late notice of the write above makes one of the reads fetch the content again.
    await expect.poll(readFiveTimes).toEqual(['1', 0, 5])
    // Written without notice, so only a question can detect it.
    await host.container.fs.writeFile('go', '')
    await expect.poll(async () => text(await fs.read(at('/f')))).toBe('late\n')
    await expect.poll(readFiveTimes).toEqual(['late\n', 0, 5])
    await process.kill('kill')
    await process.exit
    await shell.dispose()
  })
})

describe('what crosses', () => {
  test('nothing, for what is known', async () => {
    const { fs } = open()
    await Promise.all(Array.from({ length: 50 }, (_, index) => fs.write(at(`/f${index}`), bytes(`${index}`))))
    const readAll = async (): Promise<unknown> => {
      const count = counted()
      await Promise.all(Array.from({ length: 50 }, (_, index) => fs.read(at(`/f${index}`))))
      return count()
    }
    // While notices of the writes still arrive, a read asks whether the file is the same.
    await expect.poll(readAll).toEqual([0, 0])
  })

  test('the page tells what it wrote itself', async () => {
    const { fs } = open()
    expect(await fs.list(at('/'))).toEqual([])
    await host.container.fs.writeFile('by-the-page', 'x')
    host.changed()
    await expect.poll(() => fs.list(at('/'))).toEqual([{ name: 'by-the-page', kind: 'file' }])
  })

  test('two workspaces see each other', async () => {
    const [one, two] = [open().fs, open().fs]
    await one.list(at('/'))
    await two.write(at('/f'), bytes('2'))
    await expect.poll(async () => text(await one.read(at('/f')))).toBe('2')
  })

  test('five hundred writes at once', async () => {
    const { fs } = open()
    await Promise.all(Array.from({ length: 500 }, (_, index) => fs.write(at(`/f${index}`), bytes(`${index}`))))
    expect((await containerTree(host)).length).toBe(500)
  })

  test('a script is written in place, which keeps it executable', async () => {
    const { fs } = open()
    await fs.write(at('/run.sh'), bytes('#!/bin/sh\n'))
    const rename = vi.spyOn(host.container.fs, 'rename')
    await fs.write(at('/run.sh'), bytes('#!/bin/sh\necho\n'))
    expect(rename).not.toHaveBeenCalled()
    await fs.write(at('/other'), bytes('x'))
    expect(rename).toHaveBeenCalledOnce()
  })
})

test('the folder of our own is made again when a process cleaned it away', async () => {
  const { fs, source } = open()
  await fs.write(at('/a'), bytes('1'))
  const shell = await shellOver(fs, source)
  await host.container.fs.rm('.anchorage-runtime', { recursive: true })
  await fs.write(at('/b'), bytes('2'))
  expect(text(await host.container.fs.readFile('b'))).toBe('2')
  await host.container.fs.rm('.anchorage-runtime', { recursive: true })
  expect((await run(shell, 'cat a')).output).toBe('1')
  await shell.dispose()
})

describe('what the container refuses', () => {
  test('leaves nothing of a batch', async () => {
    const { fs } = open()
    await fs.write(at('/a'), bytes('old'))
    await fs.mkdir(at('/d'))
    await fs.write(at('/d/inner'), bytes('inner'))
    const before = await containerTree(host)
    const batch = fs.batch?.(transaction => {
      transaction.write(at('/a'), bytes('new'))
      transaction.write(at('/b'), bytes('new'))
      transaction.rename(at('/d'), at('/e'))
      transaction.remove(at('/e/inner'), 'file')
      transaction.mkdir(at('/.anchorage-runtime'))
    })
    await expect(batch).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await containerTree(host)).toEqual(before)
    expect(text(await fs.read(at('/a')))).toBe('old')
    expect(text(await fs.read(at('/d/inner')))).toBe('inner')
    await expect(fs.lookup(at('/b'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a directory with something in it that is not shown', async () => {
    const { fs } = open()
    await host.container.fs.mkdir('d/node_modules', { recursive: true })
    await host.container.fs.writeFile('d/node_modules/precious', 'x')
    host.changed()
    await expect.poll(async () => (await fs.list(at('/'))).map(({ name }) => name)).toEqual(['d'])
    await expect(fs.remove(at('/d'), 'directory')).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    expect(text(await host.container.fs.readFile('d/node_modules/precious'))).toBe('x')
    expect((await fs.lookup(at('/d'))).kind).toBe('directory')
  })
})

describe('what stays in the container', () => {
  test('is in no listing, and whoever asks is told where it is', async () => {
    const { fs } = open()
    await host.container.fs.mkdir('node_modules/x', { recursive: true })
    await host.container.fs.writeFile('node_modules/x/index.js', '1')
    await fs.write(at('/a'), bytes('1'))
    expect(await fs.list(at('/'))).toEqual([{ name: 'a', kind: 'file' }])
    const inside = at('/node_modules/x/index.js')
    await expect(fs.read(inside)).rejects.toMatchObject({ code: 'ENOENT', hint: expect.stringContaining('with a command') })
    await expect(fs.write(inside, bytes('2'))).rejects.toMatchObject({ code: 'EACCES' })
    await expect(fs.batch?.(transaction => transaction.rename(at('/a'), inside))).rejects.toMatchObject({ code: 'EACCES' })
    expect(text(await host.container.fs.readFile('node_modules/x/index.js'))).toBe('1')
  })

  test('unless everything is asked for', async () => {
    await host.container.fs.mkdir('node_modules/x', { recursive: true })
    const { fs } = open({ exclude: [] })
    expect(await fs.list(at('/node_modules'))).toEqual([{ name: 'x', kind: 'directory' }])
  })
})

describe('where rename does not replace', () => {
  const twin = nodeTwin({ seed: 22, off: ['failing-boots'], on: ['rename-refuses-existing'] })
  const refusing = twin.then(async twinClient => new ContainerHost(await twinClient.boot()))
  const cases = vfsContract.filter(({ id }) => id.startsWith('rename') || id.startsWith('write'))
  for (const row of vfsContractRows(() => emptyBackend(() => refusing), { cases })) test.skipIf(row.isSkipped)(row.name, row.run)

  test('it is not called atomic', async () => {
    const ready = await refusing
    const real = webcontainer({ connect: () => ready.connect() })
    await real.list(at('/'))
    expect(real.caps.atomicWrite).toBe(false)
    const { fs: other } = open()
    await other.list(at('/'))
    expect(other.caps.atomicWrite).toBe(true)
  })
})

describe('when the container goes', () => {
  test('everything that waits and comes later hears the same', async () => {
    const leaving = new ContainerHost(await (await nodeTwin({ seed: 23, off: ['failing-boots'] })).boot())
    const fs = webcontainer({ connect: () => leaving.connect() })
    await fs.write(at('/f'), bytes('1'))
    const waiting = Array.from({ length: 20 }, (_, index) => fs.write(at(`/g${index}`), bytes('1')))
    leaving.teardown()
    const results = await Promise.allSettled(waiting)
    const codes = results.map(result => (result.status === 'rejected' ? (result.reason as { code?: string }).code : 'done'))
    expect(new Set(codes)).toEqual(new Set(['container-lost']))
    await expect(fs.read(at('/f'))).rejects.toMatchObject({ code: 'container-lost' })
    await expect(fs.batch?.(() => 1)).rejects.toMatchObject({ code: 'container-lost' })
    expect((await leaving.lost).message).toContain('torn down')
    leaving.teardown()
  })

  test('one that falls silent is given up', async () => {
    const container = await (await nodeTwin({ seed: 24, off: ['failing-boots'] })).boot()
    const silent = new ContainerHost(container, { silenceMs: 1_500 })
    const fs = webcontainer({ connect: () => silent.connect() })
    await fs.list(at('/'))
    const never = (): Promise<never> => new Promise(() => {})
    Object.assign(container.fs, { writeFile: never, readdir: never })
    await expect(fs.write(at('/f'), bytes('1'))).rejects.toMatchObject({ code: 'container-lost' })
  })

  test('one that is slow and answers is not', async () => {
    const container = await (await nodeTwin({ seed: 25, off: ['failing-boots'] })).boot()
    const slow = new ContainerHost(container, { silenceMs: 2_000 })
    const fs = webcontainer({ connect: () => slow.connect() })
    await fs.list(at('/'))
    const [writeFile, readdir] = [container.fs.writeFile.bind(container.fs), container.fs.readdir.bind(container.fs)]
    const answered = deferred<void>()
    Object.assign(container.fs, {
      async writeFile(path: string, data: Uint8Array) {
        await answered.promise
        await writeFile(path, data)
      },
      async readdir(path: string) {
        const names = await readdir(path)
        // The host's question whether the container is alive.
        if (path === '.') answered.resolve()
        return names
      },
    })
    await fs.write(at('/f'), bytes('1'))
    expect((await fs.lookup(at('/f'))).sizeBytes).toBe(1)
    slow.teardown()
  })
})
