// The workspace as the AI SDK's sandbox, held against what its interface says.

import type { Experimental_SandboxSession } from 'ai'
import { createWorkspace, type ApprovalAnswer } from 'anchorage'
import { sandbox } from 'anchorage/adapters/ai-sdk'
import { memory } from 'anchorage/fs/memory'
import { describe, expect, it } from 'vitest'

const bytes = new Uint8Array([0, 255, 10, 13, 128])

async function open(): Promise<Experimental_SandboxSession> {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\ntwo\r\nthree', 'directory/b.txt': 'b' }) })
  return sandbox(workspace)
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text()
}

describe('files', () => {
  it('are read and written as the bytes that they are', async () => {
    const session = await open()
    await session.writeBinaryFile({ path: 'new/deep/bytes', content: bytes })
    expect(await session.readBinaryFile({ path: '/workspace/new/deep/bytes' })).toEqual(bytes)
    await session.writeFile({ path: 'stream', content: new Blob([bytes]).stream() })
    expect(await session.readBinaryFile({ path: 'stream' })).toEqual(bytes)
    const stream = await session.readFile({ path: 'stream' })
    expect(stream && (await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())).toEqual(bytes.buffer)
  })

  it.each([
    [{}, 'one\ntwo\r\nthree'],
    [{ startLine: 2 }, 'two\r\nthree'],
    [{ startLine: 2, endLine: 2 }, 'two\r\n'],
    [{ endLine: 99 }, 'one\ntwo\r\nthree'],
    [{ startLine: 4 }, ''],
  ])('are read by lines: %o', async (range, expected) => {
    expect(await (await open()).readTextFile({ path: 'a.txt', ...range })).toBe(expected)
  })

  it('are null where they are missing, and an error where they are something else', async () => {
    const session = await open()
    expect(await session.readFile({ path: 'missing' })).toBeNull()
    expect(await session.readTextFile({ path: 'missing' })).toBeNull()
    expect(await session.stat({ path: 'missing' })).toBeNull()
    expect(await session.listDirectory({ path: 'missing' })).toBeNull()
    expect(await session.deleteFile({ path: 'missing' })).toBe(false)
    await expect(session.listDirectory({ path: 'a.txt' })).rejects.toThrow('ENOTDIR')
    await expect(session.deleteFile({ path: 'directory' })).rejects.toThrow('EISDIR')
    await expect(session.writeTextFile({ path: 'directory', content: '' })).rejects.toThrow('EISDIR')
    await expect(session.writeTextFile({ path: 'x', content: 'ä', encoding: 'latin1' })).rejects.toThrow('UTF-8')
    expect(await session.deleteFile({ path: 'a.txt' })).toBe(true)
    expect(await session.stat({ path: 'directory' })).toMatchObject({ type: 'directory' })
    expect(await session.listDirectory({ path: '.' })).toEqual([{ name: 'directory', type: 'directory' }])
  })
})

describe('commands', () => {
  it.each([
    ['echo out; echo err >&2; exit 3', { exitCode: 3, stdout: 'out\n', stderr: 'err\n' }],
    ['true', { exitCode: 0, stdout: '', stderr: '' }],
    ["printf 'it'\\''s %s' \"$HOME_OF\"", { exitCode: 0, stdout: "it's x", stderr: '' }],
    ['cat <<END\nhere\nEND', { exitCode: 0, stdout: 'here\n', stderr: '' }],
    ['cat b.txt', { exitCode: 0, stdout: 'b', stderr: '' }],
    ['seq 1 20000 | tail -1; seq 1 20000', { exitCode: 0 }],
  ])('%s', async (command, expected) => {
    const session = await open()
    const result = await session.run({ command, workingDirectory: 'directory', env: { HOME_OF: 'x' } })
    expect(result).toMatchObject(expected)
    if (command.startsWith('seq')) expect(result.stdout.trimEnd().split('\n')).toHaveLength(20_001)
  })

  it('that cannot be read answer as a shell does', async () => {
    const { exitCode, stderr } = await (await open()).run({ command: 'if true; then echo' })
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(/syntax|unexpected/i)
  })

  it('leave nothing in the project', async () => {
    const session = await open()
    await session.run({ command: 'echo x' })
    expect((await session.listDirectory({ path: '.' }))?.map(({ name }) => name)).toEqual(['a.txt', 'directory'])
  })

  it('that are spawned say what they say while they run, and are killed', async () => {
    const session = await open()
    const done = await session.spawn({ command: 'echo one; echo two >&2; exit 4' })
    expect(await textOf(done.stdout)).toBe('one\ntwo\n')
    expect(await textOf(done.stderr)).toBe('')
    expect(await done.wait()).toEqual({ exitCode: 4 })

    const endless = await session.spawn({ command: 'echo begun; while :; do sleep 0.1; done' })
    const reader = endless.stdout.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('begun\n')
    await endless.kill()
    expect(await endless.wait()).toEqual({ exitCode: 137 })
  })

  it('reject when they are aborted while they run, and then run no more', async () => {
    const workspace = await createWorkspace({ fs: memory({}) })
    const controller = new AbortController()
    const command = 'echo begun > begun; while :; do :; done'
    const running = sandbox(workspace).run({ command, abortSignal: controller.signal })
    const outcome = running.then(
      () => 'ended',
      (error: unknown) => error,
    )
    await expect.poll(() => workspace.fs.exists('/workspace/begun')).toBe(true)
    const reason = new Error('the person stopped it')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    await workspace.idle()
  })

  it('are bound by the policy, which says why', async () => {
    const approve = (): Promise<ApprovalAnswer> => Promise.resolve({ deny: 'the release is frozen' })
    const workspace = await createWorkspace({ fs: memory({}), policy: { level: 'ask', approve } })
    const { exitCode, stderr } = await sandbox(workspace).run({ command: 'echo x > new.txt' })
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain('the release is frozen')
    expect(await workspace.fs.exists('/workspace/new.txt')).toBe(false)
  })

  it('reject when they are aborted, and refuse a standard input before they start', async () => {
    const session = await open()
    await expect(session.run({ command: 'true', abortSignal: AbortSignal.abort() })).rejects.toThrow('aborted')
    await expect(session.spawn({ command: 'touch started', stdin: true })).rejects.toThrow('standard input')
    expect(await session.stat({ path: 'started' })).toBeNull()
  })
})
