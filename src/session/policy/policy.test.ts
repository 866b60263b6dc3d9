import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf } from '../../testing/tool-session.ts'
import type { ApprovalRequest } from './approve.ts'
import { permissionFor, readPolicy, requiredLevel, type Permission, type PermissionLevel } from './policy.ts'

describe('levels', () => {
  const truth: readonly (readonly [PermissionLevel, reading: Permission, writing: Permission])[] = [
    ['none', 'denied', 'denied'],
    ['read', 'allowed', 'denied'],
    ['ask', 'allowed', 'ask'],
    ['write', 'allowed', 'allowed'],
  ]
  it.each(truth)('%s: reading is %s, writing is %s', (level, reading, writing) => {
    expect([permissionFor(level, 'read'), permissionFor(level, 'write')]).toEqual([reading, writing])
  })

  const calls: readonly (readonly [tool: string, args: unknown])[] = [
    ['read', { path: 'f' }],
    ['find', { paths: '*' }],
    ['search', { pattern: 'a' }],
    ['write', { path: 'g', content: 'g' }],
    ['edit', { input: '[f#0000]\nreplace 1..1:\n+b' }],
    ['bash', { command: 'echo b > f' }],
  ]
  it.each(truth)('%s holds for every tool of atomic', async level => {
    for (const [tool, args] of calls) {
      const session = await openToolSession({ f: 'a\n' }, { policy: { level }, shell: 'just-bash' })
      const definition = session.tools.tools.find(each => each.name === tool)
      if (definition === undefined) throw new Error(`no tool ${tool}`)
      const permission = permissionFor(level, requiredLevel(definition.annotations))
      const result = await session.call(tool, args)
      const error: unknown = result.details['error']
      const expected = { denied: 'permission-denied', ask: 'approval-unavailable', allowed: undefined }[permission]
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
      // An edit with a wrong tag is refused before the user is asked.
      if (tool === 'edit' && permission !== 'denied') expect(code).not.toBe('permission-denied')
      else expect({ tool, code }).toEqual({ tool, code: expected })
      if (permission !== 'allowed') expect(await session.file('f')).toBe('a\n')
      expect(await session.fs.exists('/workspace/g')).toBe(tool === 'write' && permission === 'allowed')
    }
  })

  it('tell the model what is needed', async () => {
    const session = await openToolSession({}, { policy: { level: 'read' } })
    expect((await session.failure('write', { path: 'a', content: 'a' })).text).toContain('`write`; the current level is `read`')
  })
})

describe('a policy that is wrong is refused', () => {
  it.each([
    [{ level: 'wirte' }, 'level'],
    [{ protcet: ['a'] }, 'protcet'],
    [{ protect: 'a' }, 'protect'],
    [{ protect: [''] }, 'protect'],
    [{ protect: ['a\0'] }, 'protect'],
    [{ approve: 'yes' }, 'approve'],
    [{ generatedGuard: 'no' }, 'generatedGuard'],
  ])('%j', (policy, name) => {
    expect(() => readPolicy(policy as object)).toThrow(expect.objectContaining({ code: 'workspace-options' }))
    expect(() => readPolicy(policy as object)).toThrow(name)
  })
})

describe('level ask', () => {
  const opened = async (
    answer: (request: ApprovalRequest) => Promise<'allow' | 'deny'>,
  ): Promise<{ session: Awaited<ReturnType<typeof openToolSession>>; requests: ApprovalRequest[] }> => {
    const requests: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest): Promise<'allow' | 'deny'> => {
      requests.push(request)
      return answer(request)
    }
    return {
      session: await openToolSession({ f: 'a\nb\n' }, { policy: { level: 'ask', approve }, shell: 'just-bash' }),
      requests,
    }
  }

  it('shows the diff and the base revision, and writes what was allowed', async () => {
    const { session, requests } = await opened(async () => 'allow')
    const { rev } = await session.fs.stat('/workspace/f')
    const tag = tagIn(await session.text('read', { path: 'f' }))
    await session.text('edit', { input: `[f#${tag}]\nreplace 1..1:\n+c` })
    expect(await session.file('f')).toBe('c\nb\n')
    expect(requests).toMatchObject([
      {
        tool: 'edit',
        effect: { kind: 'write', changes: [{ path: '/workspace/f', baseRev: rev, diff: expect.stringContaining('-a\n+c\n') }] },
      },
    ])
  })

  it('shows a new file with base revision 0', async () => {
    const { session, requests } = await opened(async () => 'allow')
    await session.text('write', { path: 'new', content: 'n\n' })
    expect(requests[0]?.effect).toMatchObject({ kind: 'write', changes: [{ baseRev: 0, diff: expect.stringContaining('+n') }] })
  })

  it('writes nothing after a no', async () => {
    const { session } = await opened(async () => 'deny')
    for (const [tool, args] of [
      ['write', { path: 'f', content: 'x' }],
      ['bash', { command: 'echo x > f' }],
    ] as const) {
      expect((await session.failure(tool, args)).code).toBe('approval-denied')
    }
    expect(await session.file('f')).toBe('a\nb\n')
  })

  it.each([
    [true, 'approve answered true, which is neither'],
    [undefined, 'approve answered undefined, which is neither'],
    [null, 'approve answered null, which is neither'],
    [{}, 'The user did not allow this call of write. Nothing was done.'],
    [{ deny: ' not now. ' }, 'The user did not allow this call of write: not now. Nothing was done.'],
  ])('takes the answer %o for a no, and says what is wrong with it', async (answer, told) => {
    const { session } = await opened(() => Promise.resolve(answer as 'deny'))
    expect(textOf(await session.call('write', { path: 'f', content: 'x' }))).toContain(told)
    expect(await session.file('f')).toBe('a\nb\n')
  })

  it('lapses when the file moved while the person thought', async () => {
    const { session } = await opened(async () => {
      await session.fs.writeFile('/workspace/f', 'theirs\n')
      return 'allow'
    })
    expect((await session.failure('write', { path: 'f', content: 'mine\n' })).code).toBe('file-changed')
    expect(await session.file('f')).toBe('theirs\n')
  })

  it('asks once for a command, and not for reading or for what fails anyway', async () => {
    const { session, requests } = await opened(async () => 'allow')
    await session.text('read', { path: 'f' })
    await session.failure('edit', { input: '[f#0000]\nreplace 1..1:\n+c' })
    expect(requests).toEqual([])
    expect(await session.text('bash', { command: 'cat f' })).toContain('a\nb')
    expect(requests).toMatchObject([{ tool: 'bash', arguments: { command: 'cat f' }, effect: { kind: 'command' } }])
  })

  it('does not hang when nobody answers', async () => {
    const { session } = await opened(() => new Promise(() => {}))
    const controller = new AbortController()
    const call = session.call('write', { path: 'f', content: 'x' }, { signal: controller.signal })
    setTimeout(() => controller.abort('enough'), 5)
    await expect(call).rejects.toBe('enough')
    expect(await session.file('f')).toBe('a\nb\n')
  })
})

it('generatedGuard: false lets write replace a generated file', async () => {
  const files = { g: '// @generated\n' }
  expect((await (await openToolSession(files)).failure('write', { path: 'g', content: 'x' })).code).toBe('generated-file')
  const open = await openToolSession(files, { policy: { generatedGuard: false } })
  expect(textOf(await open.call('write', { path: 'g', content: 'x' }))).toContain('Wrote g')
})
