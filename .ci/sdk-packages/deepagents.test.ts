// A workspace as deepagents' backend.

import { createWorkspace, type Policy, type Workspace, type WorkspaceOptions } from 'anchorage'
import { deepagentsBackend, type DeepagentsBackend } from 'anchorage/adapters/deepagents'
import { memory } from 'anchorage/fs/memory'
import { createDeepAgent, isSandboxBackend, type SandboxBackendProtocolV2 } from 'deepagents'
import { describe, expect, it } from 'vitest'
import { ScriptedModel } from './drivers-langchain.ts'

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'src/b.ts': 'const two = 2\n',
  'src/deep/c.ts': 'two\r\n',
  bytes: new Uint8Array([1, 0, 255]),
}

const outside = expect.stringContaining('outside the workspace')

/** With links that lead out of it. */
async function openWorkspace(options: Partial<WorkspaceOptions> = {}): Promise<Workspace> {
  const workspace = await createWorkspace({ fs: memory(files), ...options })
  const { fs } = workspace
  await fs.mkdir('/secret')
  await fs.writeFile('/secret/key', 'secret')
  await fs.symlink('/secret', '/workspace/out')
  await fs.symlink('/secret/missing', '/workspace/nowhere')
  return workspace
}

async function open(): Promise<DeepagentsBackend> {
  return deepagentsBackend(await openWorkspace())
}

it('is what the SDK asks for', async () => {
  const backend: SandboxBackendProtocolV2 = await open()
  expect(isSandboxBackend(backend)).toBe(true)
})

describe('each method', () => {
  it.each<[what: string, ask: (backend: DeepagentsBackend) => Promise<unknown>, answer: unknown]>([
    [
      'ls',
      backend => backend.ls('/workspace'),
      {
        files: [
          expect.objectContaining({ path: '/workspace/a.txt', is_dir: false, size: 14 }),
          expect.objectContaining({ path: '/workspace/bytes' }),
          expect.objectContaining({ path: '/workspace/nowhere', is_dir: false }),
          expect.objectContaining({ path: '/workspace/out', is_dir: false }),
          expect.objectContaining({ path: '/workspace/src/', is_dir: true }),
        ],
      },
    ],
    ['ls of a file', backend => backend.ls('/workspace/a.txt'), { error: expect.stringContaining('ENOTDIR') }],
    ['a path outside', backend => backend.read('/etc/passwd'), { error: outside }],
    ['a path outside by ..', backend => backend.read('/workspace/../secret/key'), { error: outside }],
    ['a path outside by a link', backend => backend.read('/workspace/out/key'), { error: outside }],
    ['a write through a link', backend => backend.write('/workspace/out/new', 'x'), { error: outside }],
    ['a write through a link to nothing', backend => backend.write('/workspace/nowhere', 'x'), { error: outside }],
    ['a delete outside', backend => backend.delete('/secret'), { error: outside }],
    ['a delete by ..', backend => backend.delete('/workspace/src/../..'), { error: outside }],
    ['a delete of the root', backend => backend.delete('/workspace'), { error: outside }],
    [
      'a delete of a link that leads outside',
      backend => backend.delete('/workspace/out'),
      { path: '/workspace/out', filesUpdate: null },
    ],
    [
      'read of a page',
      backend => backend.read('/workspace/a.txt', 1, 1),
      { content: 'two\n', mimeType: 'text/plain', totalLines: 3, startLine: 2, endLine: 2, nextOffset: 2 },
    ],
    ['read behind the end', backend => backend.read('/workspace/a.txt', 9), { error: expect.stringContaining('3 lines') }],
    [
      'read of bytes',
      backend => backend.read('/workspace/bytes'),
      { content: new Uint8Array([1, 0, 255]), mimeType: 'application/octet-stream' },
    ],
    ['read of nothing', backend => backend.read('/workspace/no'), { error: expect.stringContaining('ENOENT') }],
    [
      'edit that is ambiguous',
      backend => backend.edit('/workspace/a.txt', 't', 'T'),
      { error: expect.stringContaining('occurs 2 times') },
    ],
    [
      'edit of all',
      backend => backend.edit('/workspace/a.txt', 't', 'T', true),
      { path: '/workspace/a.txt', filesUpdate: null, occurrences: 2 },
    ],
    [
      'edit of what is not there',
      backend => backend.edit('/workspace/a.txt', 'x', 'y'),
      { error: expect.stringContaining('not in') },
    ],
    [
      'grep is literal',
      backend => backend.grep('two', '/', '*.ts'),
      {
        matches: [
          { path: '/workspace/src/b.ts', line: 1, text: 'const two = 2' },
          { path: '/workspace/src/deep/c.ts', line: 1, text: 'two' },
        ],
      },
    ],
    [
      'grep with a limit',
      backend => backend.grep('two', null, null, 1),
      { truncated: true, matches: [{ path: '/workspace/a.txt', line: 2, text: 'two' }] },
    ],
    [
      'glob',
      backend => backend.glob('src/**/*.ts'),
      {
        files: [
          expect.objectContaining({ path: '/workspace/src/b.ts' }),
          expect.objectContaining({ path: '/workspace/src/deep/c.ts' }),
        ],
      },
    ],
    [
      'execute',
      backend => backend.execute('cat a.txt; echo e >&2; exit 2'),
      { output: 'one\ntwo\nthree\ne\n', exitCode: 2, truncated: false },
    ],
    [
      'uploadFiles',
      backend =>
        backend.uploadFiles([
          ['/workspace/x/y', new Uint8Array([7])],
          ['/tmp/z', new Uint8Array()],
        ]),
      [
        { path: '/workspace/x/y', error: null },
        { path: '/tmp/z', error: 'invalid_path' },
      ],
    ],
    [
      'downloadFiles',
      backend => backend.downloadFiles(['/workspace/bytes', '/workspace/no', '/workspace/src']),
      [
        { path: '/workspace/bytes', content: new Uint8Array([1, 0, 255]), error: null },
        { path: '/workspace/no', content: null, error: 'file_not_found' },
        { path: '/workspace/src', content: null, error: 'is_directory' },
      ],
    ],
  ])('%s', async (_what, ask, answer) => {
    expect(await ask(await open())).toEqual(answer)
  })

  it('write, then delete', async () => {
    const backend = await open()
    expect(await backend.write('/workspace/new/f', 'ä\n')).toEqual({ path: '/workspace/new/f', filesUpdate: null })
    expect(await backend.readRaw('/workspace/new/f')).toMatchObject({ data: { content: 'ä\n', mimeType: 'text/plain' } })
    expect(await backend.delete('/workspace/new')).toMatchObject({ path: '/workspace/new' })
    expect(await backend.read('/workspace/new/f')).toMatchObject({ error: expect.stringContaining('ENOENT') })
  })
})

it('edits of one file at once are all made, or told of', async () => {
  const workspace = await openWorkspace()
  const backend = deepagentsBackend(workspace)
  const edits = ['one', 'two', 'three', 'two'].map(word => backend.edit('/workspace/a.txt', word, word.toUpperCase()))
  const answers = await Promise.all(edits)
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([{ error: expect.stringContaining('not in') }])
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe('ONE\nTWO\nTHREE\n')
})

it('a command that is denied says why', async () => {
  const policy: Policy = { level: 'ask', approve: () => Promise.resolve({ deny: 'the release is frozen' }) }
  const workspace = await openWorkspace({ policy })
  const { output, exitCode } = await deepagentsBackend(workspace).execute('echo x > new.txt')
  expect(exitCode).not.toBe(0)
  expect(output).toContain('the release is frozen')
  expect(await workspace.fs.exists('/workspace/new.txt')).toBe(false)
})

it("an agent's own tools work on the workspace", async () => {
  const workspace = await openWorkspace()
  const turns = [
    { name: 'read_file', args: { file_path: '/workspace/a.txt' } },
    { name: 'edit_file', args: { file_path: '/workspace/a.txt', old_string: 'two', new_string: 'TWO' } },
    { name: 'write_file', args: { file_path: '/workspace/new/c.txt', content: 'three\n' } },
    { name: 'execute', args: { command: 'cat a.txt new/c.txt; exit 3' } },
    { name: 'grep', args: { pattern: 'TWO', path: '/workspace' } },
    { name: 'glob', args: { pattern: '**/*.ts', path: '/workspace' } },
    { name: 'ls', args: { path: '/workspace' } },
    { name: 'read_file', args: { file_path: '/workspace/missing' } },
  ]
  const model = new ScriptedModel(told => turns.slice(told.length, told.length + 1))
  const agent = createDeepAgent({ model, backend: deepagentsBackend(workspace) })
  await agent.invoke({ messages: [{ role: 'user', content: 'Go' }] }, { recursionLimit: 100 })
  const [read, edited, written, executed, found, globbed, listed, missing] = model.told.map(({ text }) => text)
  expect(read).toMatch(/one\n.*two\n.*three/)
  expect(edited).toContain('/workspace/a.txt')
  expect(written).toContain('/workspace/new/c.txt')
  expect(executed).toMatch(/one\nTWO\nthree\nthree\n[^]*exit code 3/)
  expect(found).toContain('a.txt')
  expect(globbed).toMatch(/b\.ts[^]*c\.ts/)
  expect(listed).toContain('a.txt')
  expect(missing).toContain('ENOENT')
  expect(await workspace.fs.readText('/workspace/a.txt')).toBe('one\nTWO\nthree\n')
  await workspace.dispose()
})
