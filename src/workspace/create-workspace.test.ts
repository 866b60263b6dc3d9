import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { node } from '../backends/node/index.ts'
import type { Shell } from '../shell/shell.ts'
import { bareCapabilities } from '../testing/bare-shell.ts'
import type { VfsSync } from '../vfs/backend.ts'
import { textOf } from '../testing/tool-session.ts'
import { createWorkspace } from './create-workspace.ts'

const directories: string[] = []
afterAll(() => Promise.all(directories.map(directory => rm(directory, { recursive: true, force: true }))))

async function directoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'anchorage-root-'))
  directories.push(directory)
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

describe('the root', () => {
  it('is /workspace, is made, and is where relative files go', async () => {
    const workspace = await createWorkspace({ fs: memory({ 'src/a.ts': 'a', '/etc/b': 'b' }) })
    expect(workspace.root).toBe('/workspace')
    expect([await workspace.fs.readText('/workspace/src/a.ts'), await workspace.fs.readText('/etc/b')]).toEqual(['a', 'b'])
  })

  it('may be anywhere, also deep and also behind a link', async () => {
    const fs = memory({ 'a.ts': 'a' })
    expect((await createWorkspace({ fs, root: '/home/project/' })).root).toBe('/home/project')
    expect(await fs.list('/home/project' as Parameters<typeof fs.list>[0])).toEqual([{ name: 'a.ts', kind: 'file' }])

    const linked = memory({ '/real/a.ts': 'a' })
    await linked.symlink('/real', '/link' as Parameters<typeof linked.symlink>[1])
    const workspace = await createWorkspace({ fs: linked, root: '/link' })
    const tools = await workspace.toolset('atomic')
    expect(textOf(await tools.call('read', { path: 'a.ts' }))).toContain('1:a')
    expect(workspace.root).toBe('/real')
  })

  it('cannot move relative files once they lie somewhere', async () => {
    const fs = memory({ 'a.ts': 'a' })
    await createWorkspace({ fs })
    await expect(createWorkspace({ fs, root: '/elsewhere' })).rejects.toMatchObject({ code: 'files-placed' })
  })

  it.each([
    ['src', 'workspace-options'],
    ['', 'workspace-options'],
    ['/a\0', 'EINVAL'],
  ])('%j is refused', async (root, code) => {
    await expect(createWorkspace({ fs: memory(), root })).rejects.toMatchObject({ code })
  })

  it.each([
    ['a directory of the machine', async () => node(await directoryWith({ 'README.md': 'x' }))],
    ['memory with absolute paths', () => memory({ '/README.md': 'x' })],
  ])('is not made beside the files that are there, unless it is asked for: %s', async (_name, make) => {
    const fs = await make()
    await expect(createWorkspace({ fs })).rejects.toMatchObject({
      code: 'workspace-options',
      message: expect.stringMatching(/contains files \(README\.md\).*root: '\/'/),
    })
    const workspace = await createWorkspace({ fs, root: '/' })
    expect((await workspace.fs.readdir('/')).map(({ name }) => name)).not.toContain('workspace')
    await workspace.dispose()
  })

  it.each([
    ['what is empty', async () => node(await directoryWith({}))],
    ['a table of mounts', () => ({ '/': memory(), '/deps': memory({ '/lib.ts': 'x' }) })],
    ['memory with directories', () => memory({ '/etc/hosts': 'x' })],
  ])('is made in %s', async (_name, make) => {
    const workspace = await createWorkspace({ fs: await make() })
    expect(await workspace.fs.readdir('/workspace')).toEqual([])
    await workspace.dispose()
  })

  it('that is a file is refused', async () => {
    await expect(createWorkspace({ fs: memory({ '/workspace': 'a file' }) })).rejects.toMatchObject({ code: 'EEXIST' })
  })
})

describe('options are checked: ', () => {
  const fs = memory()
  const wrong: readonly (readonly [options: unknown, words: string])[] = [
    [undefined, 'needs an object of options'],
    [{}, 'needs the option fs'],
    [{ filesystem: fs }, 'no option filesystem. Options: fs, shell, root'],
    [{ fs: 'memory' }, 'fs must be a filesystem'],
    [{ fs: memory }, 'fs must be a filesystem'],
    [{ fs: Promise.resolve(fs) }, 'fs must be a filesystem'],
    [{ fs: {} }, 'mount table in `fs` is empty'],
    [{ fs: { 'src/a.ts': 'x' } }, 'write fs: memory({ "src/a.ts": … })'],
    [{ fs: { '/src/a.ts': 'x' } }, 'write fs: memory({ "/src/a.ts": … })'],
    [{ fs: { src: fs } }, 'fs["src"] is not a filesystem at an absolute path'],
    [{ fs, ids: () => 'x' }, 'no option ids'],
    [{ fs, polcy: {} }, 'no option polcy'],
    [{ fs, root: 3 }, 'root must be an absolute path'],
    [{ fs, shell: 'bash' }, "shell must be 'just-bash', 'none'"],
    [{ fs, router: () => 'x' }, 'router must be an object'],
    [{ fs, clock: 5 }, 'clock must be a function'],
    [{ fs, history: 'yes' }, 'history must be true, false'],
    [{ fs, history: { entries: 5 } }, 'no option history.entries. Options: maxEntries'],
    [{ fs, limits: { readLines: 3 } }, 'no option limits.readLines'],
    [{ fs, limits: { readMaxLines: '3' } }, 'limits.readMaxLines must be a number'],
    [{ fs, git: { remote: [] } }, 'no option git.remote.'],
    [{ fs, git: { remotes: 'https://example.org/*' } }, 'git.remotes must be a list of strings'],
    [{ fs, urls: { allow: 'example.org' } }, 'urls.allow must be a list of strings'],
  ]
  it('takes what a custom worker module passes on', async () => {
    const workspace = await createWorkspace({ fs: memory(), ...{ containers: {}, containerShell: undefined } })
    expect(workspace.root).toBe('/workspace')
    await workspace.dispose()
  })

  it.each(wrong)('%j', async (options, words) => {
    await expect(createWorkspace(options as never)).rejects.toMatchObject({
      code: 'workspace-options',
      message: expect.stringContaining(words),
    })
  })
})

describe('a mount table', () => {
  it('joins filesystems, and tools see one tree', async () => {
    const workspace = await createWorkspace({
      fs: { '/workspace': memory({ 'a.ts': 'a' }), '/workspace/vendor': memory({ '/lib.ts': 'needle' }) },
    })
    const tools = await workspace.toolset('atomic')
    expect(textOf(await tools.call('search', { pattern: 'needle' }))).toContain('[vendor/lib.ts#')
    expect((await tools.call('find', { paths: ['*.ts'] })).details['files']).toEqual(
      expect.arrayContaining(['a.ts', 'vendor/lib.ts']),
    )
    await tools.call('write', { path: 'vendor/new.ts', content: 'new' })
    expect(await workspace.fs.readText('/workspace/vendor/new.ts')).toBe('new')
  })
})

describe('a shell', () => {
  const silent: Shell = {
    capabilities: { ...bareCapabilities, notes: ['This shell only says what it was asked.'] },
    start: command =>
      Promise.resolve({
        output: [
          {
            channel: 'merged' as const,
            bytes: new TextEncoder().encode(command.kind === 'script' ? command.script : command.file),
          },
        ],
        exit: Promise.resolve({ kind: 'exited' as const, code: 0 }),
        write: () => Promise.resolve(),
        kill: () => Promise.resolve('unsupported' as const),
      }).then(process => ({ ...process, output: asynchronous(process.output) })),
    dispose: () => Promise.resolve(),
  }

  it('can be brought along, and what it can do is told to the model', async () => {
    for (const shell of [silent, () => Promise.resolve(silent)]) {
      const workspace = await createWorkspace({ fs: memory(), shell })
      const tools = await workspace.toolset('atomic')
      expect(tools.tools.find(tool => tool.name === 'bash')?.description).toContain('only says what it was asked')
      expect(textOf(await tools.call('bash', { command: 'hello' }))).toBe('hello')
      await workspace.dispose()
    }
  })
})

async function* asynchronous<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}

it('dispose stops indexing at once', async () => {
  const { sync, ...backend } = memory(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 'hay'])))
  if (sync === undefined) throw new Error('memory has it')
  let reads = 0
  const read = (...args: Parameters<VfsSync['read']>): Uint8Array => {
    reads++
    return sync.read(...args)
  }
  const workspace = await createWorkspace({ fs: { ...backend, sync: { ...sync, read } }, shell: 'none' })
  const tools = await workspace.toolset('atomic')
  await tools.call('search', { pattern: 'needle' })
  const ofSearch = reads
  await workspace.dispose()
  // Timers come in their order, so a slice that was still due would come first.
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(reads).toBe(ofSearch)
})

it('dispose ends sessions, and may be called again', async () => {
  const workspace = await createWorkspace({ fs: memory({ f: 'f' }) })
  const tools = await workspace.toolset('atomic')
  await workspace.dispose()
  await workspace.dispose()
  await expect(tools.call('read', { path: 'f' })).rejects.toMatchObject({ code: 'session-closed' })
  await expect(workspace.toolset('atomic')).rejects.toMatchObject({ code: 'workspace-disposed' })
  await expect(workspace.buffers.open('a')).rejects.toMatchObject({ code: 'workspace-disposed' })
})

it('two sessions work on the same files and do not share tags', async () => {
  const workspace = await createWorkspace({ fs: memory({ f: 'a\n' }) })
  const [one, two] = [await workspace.toolset('atomic'), await workspace.toolset('atomic')]
  const tag = /#([0-9A-F]{4})/.exec(textOf(await one.call('read', { path: 'f' })))?.[1]
  const input = `[f#${tag}]\nreplace 1..1:\n+b`
  expect((await two.call('edit', { input })).isError).toBe(true)
  expect((await one.call('edit', { input })).isError).toBe(false)
  expect(textOf(await two.call('read', { path: 'f' }))).toContain('1:b')
})

describe('idle', () => {
  it('waits for every call, also for those that begin meanwhile, and then for the files', async () => {
    const events: string[] = []
    const files = memory({ 'a.txt': 'a\n' })
    const flush = async (): Promise<void> => void events.push('flushed')
    const workspace = await createWorkspace({ fs: { ...files, flush }, shell: 'none' })
    const tools = await workspace.toolset('atomic')
    const first = tools.call('read', { path: 'a.txt' }).then(async () => {
      events.push('first')
      await tools.call('read', { path: 'a.txt' })
      events.push('second')
    })
    // It begins before the first call has ended, so `idle` waits for the second one too.
    const second = tools.call('find', { paths: '.' }).then(() => events.push('find'))
    await workspace.idle()
    expect(events).toContain('find')
    await Promise.all([first, second])
    await workspace.idle()
    expect(events.slice(-1)).toEqual(['flushed'])
    expect(events).toContain('second')
  })

  it('is at once where nothing is under way, and a call that fails ends too', async () => {
    const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
    await workspace.idle()
    const tools = await workspace.toolset('atomic')
    const failed = tools.call('read', {}, { signal: AbortSignal.abort('no') })
    await expect(failed).rejects.toBe('no')
    await workspace.idle()
  })
})
