// Nothing in a protected directory can be changed: not by a tool, not by a command, not with another spelling of its path.

import { describe, expect, it } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { createWorkspace } from '../../workspace/create-workspace.ts'
import { parsePath } from '../../core/path.ts'
import type { Shell } from '../../shell/shell.ts'
import { openToolSession, tagIn, type ToolSession } from '../../testing/tool-session.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { toNodeFs } from '../../vfs/facades/node/index.ts'
import { protectedBackend } from './protect.ts'

const files = { 'protected/a.txt': 'keep\n', 'protected/deep/b.txt': 'keep\n', 'protected2/x': 'x\n', 'src/a.ts': 'a\n' }

async function open(protect: readonly string[] = ['protected']): Promise<ToolSession> {
  const session = await openToolSession(files, { policy: { protect }, shell: 'just-bash' })
  await session.fs.symlink('/workspace/protected', '/workspace/link')
  await session.fs.symlink('link', '/workspace/chain')
  await session.fs.symlink('protected/missing.txt', '/workspace/dangling')
  await session.fs.symlink('/workspace/protected/a.txt', '/workspace/src/direct')
  return session
}

/** Everything below `path`, so that any kind of difference is detected. */
async function stateOf(session: ToolSession, path = '/workspace/protected'): Promise<unknown[]> {
  const { fs } = session.workspace
  const found: unknown[] = []
  for await (const entry of fs.walk(path)) {
    const { kind, mode, mtimeMs, rev, nlink } = await fs.lstat(entry.path)
    found.push([entry.path, kind, mode, mtimeMs, rev, nlink, kind === 'file' ? await fs.readText(entry.path) : ''])
  }
  return found
}

const spellings = [
  'protected/x',
  './protected/x',
  'src/../protected/x',
  'protected//x',
  '/workspace/protected/x',
  'protected/deep/../x',
  'link/x',
  'chain/x',
  'chain/../protected/x',
  'dangling',
  'protected/a.txt',
  'src/direct',
  'protected/new/dir/x',
]

describe('write', () => {
  it.each(spellings)('%s is refused', async path => {
    const session = await open()
    const before = await stateOf(session)
    expect((await session.failure('write', { path, content: '1' })).text).toContain('protected directory')
    expect(await stateOf(session)).toEqual(before)
  })

  it.each(['protected2/x', 'protected.txt', 'src/protected/x'])('%s is allowed', async path => {
    const session = await open()
    await session.text('write', { path, content: '1' })
    expect(await session.file(path)).toBe('1')
  })

  it.each([[['protected/']], [['./protected']], [['src/../protected']], [['/workspace/protected']], [['link']], [['chain']]])(
    'is refused for the entry %j',
    async protect => {
      const session = await open(protect)
      expect((await session.failure('write', { path: 'protected/x', content: '1' })).code).toBe('EACCES')
    },
  )

  it('is refused for an entry that does not exist yet', async () => {
    const session = await open(['a', 'later'])
    expect((await session.failure('write', { path: 'later/x', content: '1' })).code).toBe('EACCES')
    expect((await session.failure('write', { path: 'later', content: '1' })).code).toBe('EACCES')
    expect(await session.fs.exists('/workspace/later')).toBe(false)
  })
})

it('edit is refused, reading is not', async () => {
  const session = await open()
  const tag = tagIn(await session.text('read', { path: 'protected/a.txt' }))
  const edited = await session.failure('edit', { input: `[protected/a.txt#${tag}]\nreplace 1..1:\n+gone` })
  expect(edited.code).toBe('EACCES')
  expect(await session.file('protected/a.txt')).toBe('keep\n')
})

describe('bash', () => {
  it.each([
    'echo 1 > protected/x',
    'echo 1 >> protected/a.txt',
    'echo 1 > link/x',
    'echo 1 > dangling',
    'echo 1 > src/direct',
    'cd chain && echo 1 > x',
    'touch protected/x',
    'touch protected/a.txt',
    'rm protected/a.txt',
    'rm -rf protected',
    'rm -rf /workspace',
    'rm -rf link/*',
    'mv protected moved',
    'mv protected/a.txt a.txt',
    'mv src protected/src',
    'mv -f src/a.ts protected/a.txt',
    'cp src/a.ts protected/a.txt',
    'cp -r src protected/',
    'mkdir protected/new',
    'mkdir -p protected/new/er',
    'rmdir protected/deep',
    'ln -s /workspace/src protected/l',
    'ln protected/a.txt hard && echo 1 > hard',
    'chmod 000 protected/a.txt',
    'chmod -R 777 protected',
    'sed -i s/keep/gone/ protected/a.txt',
    'echo 1 | tee protected/a.txt',
    'find protected -name "*.txt" -delete',
    'ln -s protected/deep d; echo 1 > d/b.txt',
    'ln -s . s; echo 1 > s/s/s/protected/a.txt',
  ])('%s changes nothing', async command => {
    const session = await open()
    const before = await stateOf(session)
    await session.call('bash', { command })
    expect(await stateOf(session)).toEqual(before)
    expect((await session.fs.lstat('/workspace/protected')).kind).toBe('directory')
  })

  it('works everywhere else', async () => {
    const session = await open()
    await session.text('bash', {
      command: 'mkdir -p out/deep && cp protected/a.txt out/deep/ && mv out/deep/a.txt out/b && rm -r out/deep',
    })
    expect(await session.file('out/b')).toBe('keep\n')
  })

  it('cannot move the name of a protected directory off', async () => {
    const session = await openToolSession({ 'real/b/f': 'keep' }, { policy: { protect: ['a/b'] }, shell: 'just-bash' })
    await session.fs.symlink('real', '/workspace/a')
    for (const command of ['rm a', 'mv a z', 'mv real z', 'rm -rf real', 'echo 1 > real/b/f']) {
      await session.call('bash', { command })
      expect([command, await session.fs.readText('/workspace/a/b/f')]).toEqual([command, 'keep'])
    }
  })
})

it('the host keeps the whole', async () => {
  const session = await open()
  await session.fs.writeFile('/workspace/protected/a.txt', 'host\n')
  expect(await session.file('protected/a.txt')).toBe('host\n')
})

it('a shell that was made elsewhere cannot be held back, so it is refused', async () => {
  const shell: Shell = { capabilities: { notes: [] } as never, start: () => Promise.reject(new Error()), dispose: async () => {} }
  await expect(createWorkspace({ fs: memory(), shell, policy: { protect: ['a'] } })).rejects.toMatchObject({
    code: 'workspace-options',
  })
})

describe('a backend that answers by waiting, or takes two spellings for one name', () => {
  it('is guarded the same', async () => {
    const inner = memory({ '/p/f': 'keep', '/q': 'q' })
    const { sync: _sync, batch: _batch, ...waiting } = inner
    const guarded = protectedBackend({ ...waiting, caps: { ...inner.caps, sync: false, transactions: false } }, [parsePath('/p')])
    const bytes = new Uint8Array([1])
    await expect(guarded.write(parsePath('/p/f'), bytes)).rejects.toMatchObject({ code: 'EACCES' })
    await expect(guarded.rename(parsePath('/p'), parsePath('/r'))).rejects.toMatchObject({ code: 'EACCES' })
    await guarded.write(parsePath('/q'), bytes)
    expect(new TextDecoder().decode(await inner.read(parsePath('/p/f')))).toBe('keep')
  })

  it('folds case where the filesystem does', async () => {
    const inner = memory({ '/p/f': 'keep' })
    const guarded = protectedBackend({ ...inner, caps: { ...inner.caps, caseSensitive: false } }, [parsePath('/p')])
    await expect(guarded.write(parsePath('/P/f'), new Uint8Array())).rejects.toMatchObject({ code: 'EACCES' })
  })
})

describe('a write at a position of an open file', () => {
  const inner = memory(files)
  const written: (readonly [string, number])[] = []
  const { sync } = inner
  if (sync === undefined) throw new Error('memory answers at once')
  const write = sync.write.bind(sync)
  const counted = Object.assign(sync, {
    write: (...args: Parameters<typeof write>) => {
      written.push([args[0], args[1].length])
      return write(...args)
    },
  })
  const fs = toNodeFs(createVfs(protectedBackend({ ...inner, sync: counted }, [parsePath('/protected')])))

  it('sends only the part that is written', async () => {
    await fs.promises.writeFile('/src/big', new Uint8Array(200_000))
    const handle = await fs.promises.open('/src/big', 'r+')
    written.length = 0
    await handle.write('abc', 100_000)
    await handle.close()
    expect(written).toEqual([['/src/big', 3]])
    expect((await fs.promises.readFile('/src/big')).slice(99_999, 100_004)).toEqual(Buffer.from('\0abc\0'))
  })

  it('is refused in a protected directory', async () => {
    const handle = await fs.promises.open('/protected/a.txt', 'r+')
    await expect(handle.write('abc', 1)).rejects.toMatchObject({ code: 'EACCES' })
    await handle.close()
    expect(await fs.promises.readFile('/protected/a.txt', 'utf8')).toBe('keep\n')
  })
})
