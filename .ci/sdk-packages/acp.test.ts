// A workspace as the client of the Agent Client Protocol, with the SDK's own client and a scripted agent.

import { agent, client, methods, type ClientContext } from '@agentclientprotocol/sdk'
import { createWorkspace, type Policy, type Workspace } from 'anchorage'
import { acpClient, type AcpClientOptions } from 'anchorage/adapters/acp'
import { memory } from 'anchorage/fs/memory'
import { describe, expect, it } from 'vitest'

interface Asking {
  request(method: string, params: unknown, options?: unknown): Promise<unknown>
}

const sessionId = 's'

/** Runs `script` as the prompt of an agent that is connected to a workspace, and returns what it found. */
async function asAgent<T>(
  script: (agent: Asking) => Promise<T>,
  options: AcpClientOptions = {},
  files: Readonly<Record<string, string | Uint8Array>> = {},
  prepare: (workspace: Workspace) => Promise<void> = () => Promise.resolve(),
  policy: Policy = {},
): Promise<{ result: T; workspace: Workspace; updates: unknown[] }> {
  const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'one\ntwo\nthree\n', ...files }), policy })
  await prepare(workspace)
  const updates: unknown[] = []
  let result: T | undefined
  const scripted = agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, ({ params }) => ({
      protocolVersion: params.protocolVersion,
      agentCapabilities: {},
      _meta: { seen: params.clientCapabilities },
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId }))
    .onRequest(methods.agent.session.prompt, async ({ client: asked }) => {
      result = await script(asked as unknown as Asking)
      await asked.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
      })
      return { stopReason: 'end_turn' as const }
    })
  const acp = acpClient(workspace, { onUpdate: notification => void updates.push(notification), ...options })
  await acp.register(client({ name: 'page' })).connectWith(scripted, async (context: ClientContext) => {
    const answer = await context.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: acp.capabilities })
    expect(answer).toMatchObject({
      _meta: { seen: { fs: { readTextFile: true, writeTextFile: true }, terminal: options.terminal ?? true } },
    })
    await context.request(methods.agent.session.new, { cwd: '/workspace', mcpServers: [] })
    await context.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'Go' }] })
  })
  await acp.dispose()
  return { result: result as T, workspace, updates }
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    value => `no failure but ${JSON.stringify(value)}`,
    (error: unknown) => JSON.stringify({ ...(error as object), message: String(error) }),
  )

describe('files', () => {
  it.each([
    [{}, 'one\ntwo\nthree\n'],
    [{ line: 2 }, 'two\nthree\n'],
    [{ line: 2, limit: 1 }, 'two\n'],
    [{ line: 9 }, ''],
    [{ limit: null, line: null }, 'one\ntwo\nthree\n'],
  ])('are read by lines: %o', async (range, content) => {
    const { result } = await asAgent(asked =>
      asked.request('fs/read_text_file', { sessionId, path: '/workspace/a.txt', ...range }),
    )
    expect(result).toEqual({ content })
  })

  it('are read as an editor has them, and written', async () => {
    const { result, workspace, updates } = await asAgent(
      async asked => {
        await asked.request('fs/write_text_file', { sessionId, path: '/workspace/new/b.txt', content: 'ä\r\n' })
        return await asked.request('fs/read_text_file', { sessionId, path: '/workspace/a.txt' })
      },
      { unsavedText: path => (path === '/workspace/a.txt' ? 'not saved\n' : undefined) },
    )
    expect(result).toEqual({ content: 'not saved\n' })
    expect(await workspace.fs.readText('/workspace/new/b.txt')).toBe('ä\r\n')
    expect(updates).toMatchObject([{ update: { content: { text: 'Done.' } } }])
  })

  it.each([
    ['a.txt', 'not absolute'],
    ['/etc/passwd', 'outside /workspace'],
    ['/workspace/../etc/passwd', 'outside /workspace'],
    ['/workspace/bytes', 'not UTF-8 text'],
    ['/workspace/missing', 'ENOENT'],
  ])('%s is refused with a reason', async (path, reason) => {
    const { result } = await asAgent(
      asked => failure(asked.request('fs/read_text_file', { sessionId, path })),
      {},
      {
        bytes: new Uint8Array([0xff, 0]),
      },
    )
    expect(result).toContain(reason)
  })
})

it.each(['/secret/key', '/workspace/out/key', '/workspace/../secret/key', '/workspace/nowhere'])(
  'a write to %s is refused',
  async path => {
    const { result, workspace } = await asAgent(
      asked => failure(asked.request('fs/write_text_file', { sessionId, path, content: 'x' })),
      {},
      {},
      async ({ fs }) => {
        await fs.mkdir('/secret')
        await fs.writeFile('/secret/key', 'secret')
        await fs.symlink('/secret', '/workspace/out')
        await fs.symlink('/secret/missing', '/workspace/nowhere')
      },
    )
    expect(result).toContain('outside /workspace')
    expect((await workspace.fs.readdir('/secret')).map(({ name }) => name)).toEqual(['key'])
    expect(await workspace.fs.readText('/secret/key')).toBe('secret')
  },
)

describe('terminals', () => {
  const create = async (asked: Asking, params: object): Promise<{ sessionId: string; terminalId: string }> => {
    const { terminalId } = (await asked.request('terminal/create', { sessionId, ...params })) as { terminalId: string }
    return { sessionId, terminalId }
  }

  it.each([
    [{ command: 'echo out; echo err >&2; exit 3' }, 'out\nerr\n', 3],
    [{ command: 'printf', args: ['%s-', "it's", 'a b'] }, "it's-a b-", 0],
    [{ command: 'echo $NAME; pwd', env: [{ name: 'NAME', value: 'x y' }], cwd: '/workspace' }, 'x y\n/workspace\n', 0],
  ])('%o', async (params, output, exitCode) => {
    const { result } = await asAgent(async asked => {
      const terminal = await create(asked, params)
      const exit = await asked.request('terminal/wait_for_exit', terminal)
      const shown = await asked.request('terminal/output', terminal)
      await asked.request('terminal/release', terminal)
      return { exit, shown, after: await failure(asked.request('terminal/output', terminal)) }
    })
    expect(result).toEqual({
      exit: { exitCode, signal: null },
      shown: { output, truncated: false, exitStatus: { exitCode, signal: null } },
      after: expect.stringContaining('There is no terminal'),
    })
  })

  it('keep the end of a long output, and are killed', async () => {
    const { result } = await asAgent(async asked => {
      const long = await create(asked, { command: 'seq 1 1000', outputByteLimit: 10 })
      await asked.request('terminal/wait_for_exit', long)
      const endless = await create(asked, { command: 'while :; do :; done' })
      const waiting = asked.request('terminal/wait_for_exit', endless)
      await asked.request('terminal/kill', endless)
      return [await asked.request('terminal/output', long), await waiting]
    })
    expect(result).toMatchObject([
      { output: '\n999\n1000\n', truncated: true },
      { exitCode: null, signal: 'SIGKILL' },
    ])
  })

  it('are bound by the policy, which says why', async () => {
    const { result, workspace } = await asAgent(
      async asked => {
        const terminal = await create(asked, { command: 'echo x > new.txt' })
        await asked.request('terminal/wait_for_exit', terminal)
        return await asked.request('terminal/output', terminal)
      },
      {},
      {},
      undefined,
      { level: 'ask', approve: () => Promise.resolve({ deny: 'the release is frozen' }) },
    )
    expect(JSON.stringify(result)).toContain('the release is frozen')
    expect(await workspace.fs.exists('/workspace/new.txt')).toBe(false)
  })

  it('are not offered where the host wants none', async () => {
    const { result } = await asAgent(asked => failure(asked.request('terminal/create', { sessionId, command: 'ls' })), {
      terminal: false,
    })
    expect(result).toContain('-32601')
  })
})

describe('permission', () => {
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ]
  it.each<[string, AcpClientOptions['approve'], object]>([
    ['no answer of the host rejects', undefined, { outcome: 'selected', optionId: 'no' }],
    ['allow_once', async () => 'allow_once', { outcome: 'selected', optionId: 'yes' }],
    ['allow_always without such an option', async () => 'allow_always', { outcome: 'selected', optionId: 'yes' }],
    ['an ID', async () => ({ optionId: 'no' }), { outcome: 'selected', optionId: 'no' }],
    ['an unknown ID', async () => ({ optionId: 'other' }), { outcome: 'cancelled' }],
    ['cancelled', async () => 'cancelled', { outcome: 'cancelled' }],
  ])('%s', async (_name, approve, outcome) => {
    const { result } = await asAgent(
      asked => asked.request('session/request_permission', { sessionId, toolCall: { toolCallId: 't', title: 'rm' }, options }),
      approve === undefined ? {} : { approve },
    )
    expect(result).toEqual({ outcome })
  })
})
