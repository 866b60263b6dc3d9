// The answers of every tool to invalid input, and the state after an abort: no partial change.

import { describe, expect, it, vi } from 'vitest'

import { openToolSession, tagIn, textOf } from '../../testing/tool-session.ts'

describe('arguments', () => {
  const rows: readonly (readonly [tool: string, args: unknown, code: string, says: string])[] = [
    ['reed', { path: 'a' }, 'unknown-tool', 'read, write, edit, bash, find, search'],
    ['constructor', {}, 'unknown-tool', 'read'],
    [undefined as never, {}, 'unknown-tool', 'read'],
    ['read', {}, 'invalid-arguments', 'path is required'],
    ['read', undefined, 'invalid-arguments', 'path is required'],
    ['read', ['a'], 'invalid-arguments', 'JSON object'],
    ['read', { path: { a: 1 } }, 'invalid-arguments', 'path'],
    ['write', { path: 'a' }, 'invalid-arguments', 'content is required'],
    ['edit', { input: '   ' }, 'edit-empty-input', '[path#TAG]'],
    ['bash', { command: '' }, 'invalid-arguments', 'empty'],
    ['bash', { command: 'true', env: { 'BAD-NAME': 'x' } }, 'invalid-arguments', 'BAD-NAME'],
    ['bash', { command: 'true' }, 'no-shell', 'read, write, edit'],
    ['find', { paths: 3 }, 'invalid-arguments', 'paths'],
    ['search', { pattern: 'a', i: 'maybe' }, 'invalid-arguments', 'i'],
  ]
  it.each(rows)('%s %j is %s', async (tool, args, code, says) => {
    const session = await openToolSession({ a: 'a' })
    expect(await session.failure(tool, args)).toMatchObject({ code, text: expect.stringContaining(says) })
  })

  it('that slipped are put right, and the result says so', async () => {
    const session = await openToolSession({ 'a.txt': 'a\n' })
    const result = await session.call('read', { file_path: 'a.txt', colour: 'red' })
    expect(result).toMatchObject({ isError: false, details: { argumentWarnings: [expect.any(String), expect.any(String)] } })
    expect(textOf(result)).toContain('Note: The argument "file_path" was read as "path".')
  })
})

describe('abort', () => {
  it('before a call rejects with its reason and does nothing', async () => {
    const session = await openToolSession({})
    const reason = new Error('enough')
    await expect(session.call('write', { path: 'a', content: 'a' }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(await session.fs.exists('/workspace/a')).toBe(false)
  })

  it('while a call waits rejects with its reason and writes nothing', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const tag = tagIn(await session.text('read', { path: 'f' }))
    const controller = new AbortController()
    const call = session.call('edit', { input: `[f#${tag}]\nreplace 1..1:\n+b` }, { signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
    expect(await session.file('f')).toBe('a\n')
  })

  it('at the very commit still writes nothing', async () => {
    const session = await openToolSession({ f: 'a\n' })
    const controller = new AbortController()
    session.between.batch = async () => controller.abort('late')
    await expect(session.call('write', { path: 'f', content: 'b\n' }, { signal: controller.signal })).rejects.toBe('late')
    expect(await session.file('f')).toBe('a\n')
  })

  it('reaches a long search between two files', async () => {
    const session = await openToolSession(
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`d${index}/f.txt`, 'x y z\n'.repeat(2000)])),
    )
    const controller = new AbortController()
    // A pause is due at each look at the clock, however fast the machine is.
    let looks = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      if (++looks === 200) controller.abort('enough')
      return looks * 60
    })
    try {
      await expect(session.call('search', { pattern: '(x|y) +q' }, { signal: controller.signal })).rejects.toBe('enough')
    } finally {
      clock.mockRestore()
    }
    expect(looks).toBeLessThan(400)
  })

  it('by closing the session ends what runs and what comes after', async () => {
    const session = await openToolSession({ f: 'a' })
    await session.tools.close()
    await session.tools.close()
    await expect(session.call('read', { path: 'f' })).rejects.toMatchObject({ code: 'session-closed' })
  })
})

describe('options', () => {
  it('choose and rename tools', async () => {
    const session = await openToolSession({ f: 'a\n' }, { toolset: { only: ['read', 'edit'], rename: { read: 'open_file' } } })
    expect(session.tools.tools.map(tool => tool.name)).toEqual(['open_file', 'edit'])
    expect(await session.text('open_file', { path: 'f' })).toContain('1:a')
    expect((await session.failure('write', { path: 'f', content: '' })).code).toBe('unknown-tool')
  })

  it.each([
    [{ only: ['reed'] }, 'reed'],
    [{ rename: { reed: 'x' } }, 'reed'],
    [{ rename: { read: 'Read File' } }, 'Read File'],
    [{ rename: { read: 'edit' } }, 'edit'],
  ])('%j is refused', async (toolset, name) => {
    await expect(openToolSession({}, { toolset })).rejects.toMatchObject({
      code: 'toolset-options',
      message: expect.stringContaining(name),
    })
  })

  it('that are not built yet are refused rather than ignored', async () => {
    await expect(openToolSession({}, { ids: () => '' } as object)).rejects.toMatchObject({
      code: 'workspace-options',
    })
    const session = await openToolSession({})
    await expect(session.workspace.toolset('nope' as 'atomic')).rejects.toMatchObject({ code: 'unknown-toolset' })
  })
})

it('definitions are plain data that a host can send', async () => {
  const { tools } = await openToolSession({})
  expect(structuredClone(tools.tools)).toEqual(tools.tools)
  for (const tool of tools.tools) {
    expect(tool).toMatchObject({
      name: expect.stringMatching(/^[a-z][a-z0-9_]{0,63}$/),
      inputSchema: { type: 'object', additionalProperties: false },
    })
    expect(tool.description.length).toBeGreaterThan(80)
  }
})
