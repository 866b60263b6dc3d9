import { describe, expect, it } from 'vitest'

import type { ToolResult, ToolUpdate } from '../../../core/tool.ts'
import { openToolSession, textOf, type ToolSession } from '../../../testing/tool-session.ts'

function open(options: Parameters<typeof openToolSession>[1] = {}): Promise<ToolSession> {
  return openToolSession({ f: 'file\n' }, { shell: 'just-bash', ...options })
}

async function start(session: ToolSession, args: object): Promise<string> {
  const result = await session.call('bash', { async: true, ...args })
  const job = result.details['async']
  if (typeof job !== 'object' || job === null || !('jobId' in job)) throw new Error(`no job: ${textOf(result)}`)
  return String(job.jobId)
}

const poll = (session: ToolSession, id: string, timeout?: number): Promise<ToolResult> =>
  session.call('bash', { command: `__atomic_bash_job ${id}`, ...(timeout === undefined ? {} : { timeout }) })

describe('a background command', () => {
  it('answers at once with its ID and how to ask', async () => {
    const session = await open()
    const result = await session.call('bash', { command: 'sleep 30', async: true, timeout: 9999 })
    const jobId = expect.stringMatching(/^bash-[0-9a-z]+-[0-9a-z]{6}$/)
    expect(result).toMatchObject({
      isError: false,
      details: {
        async: { jobId, type: 'bash', state: 'running', status: 'running', command: 'sleep 30' },
        timeoutSeconds: 3600,
        requestedTimeoutSeconds: 9999,
      },
    })
    expect(textOf(result)).toMatch(
      /^Started bash job (\S+): sleep 30\n[^]*"__atomic_bash_job \1"[^]*"__atomic_bash_job_cancel \1"/,
    )
    await session.workspace.dispose()
  })

  it.each([
    ['cat f; echo e >&2', 'completed', false, 'file\ne\n', { exitCode: 0 }],
    ['echo a; exit 3', 'failed', true, 'a\n', { exitCode: 3, error: { code: 'exit-code' } }],
    ['true', 'completed', false, '', { exitCode: 0 }],
    ["printf '\\033[31m 1%%\\r100%%\\n'", 'completed', false, '100%\n', {}],
  ])('%s: %s', async (command, state, isError, output, details) => {
    const session = await open()
    const id = await start(session, { command })
    const result = await poll(session, id, 20)
    expect(result).toMatchObject({ isError, details: { async: { jobId: id, state }, timeoutSeconds: 300, ...details } })
    expect(textOf(result)).toBe(`Job ${id}: ${state}\nCommand: ${command}${output === '' ? '' : `\n${output}`}`)
  })

  it('that runs too long says so', async () => {
    const session = await open()
    // What the shell loads must not take of the second.
    await session.text('bash', { command: 'true' })
    const result = await poll(session, await start(session, { command: 'echo a; sleep 30', timeout: 1 }), 20)
    expect(result).toMatchObject({ isError: true, details: { async: { state: 'failed' }, timedOut: true } })
    expect(textOf(result)).toMatch(/: failed\n.*\nError: Command timed out after 1 seconds[^]*\na\n$/)
  })

  it('can be asked while it runs, which waits only when told to', async () => {
    const session = await open()
    const id = await start(session, { command: 'echo early; sleep 30' })
    await expect
      .poll(async () => textOf(await poll(session, id)))
      .toBe(`Job ${id}: running\nCommand: echo early; sleep 30\nearly\n`)
    const updates: ToolUpdate[] = []
    const waiting = session.call(
      'bash',
      { command: `__atomic_bash_job ${id}`, timeout: 0.2 },
      { onUpdate: update => updates.push(update) },
    )
    expect(textOf(await waiting)).toContain(': running\n')
    await session.workspace.dispose()
  })

  it('tells a waiting poll how it goes', async () => {
    const session = await open()
    const id = await start(session, { command: 'until [ -e go ]; do echo on; sleep 0.01; done; echo end' })
    const updates: string[] = []
    const result = await session.call(
      'bash',
      { command: `__atomic_bash_job ${id}`, timeout: 20 },
      {
        onUpdate: ({ content: [block] }) => {
          if (block?.type === 'text') updates.push(block.text)
          void session.fs.writeFile('/workspace/go', '')
        },
      },
    )
    expect(textOf(result)).toMatch(/\n(?:on\n)+end\n$/)
    expect(updates[0]).toMatch(/^(?:on\n)+$/)
  })

  it('ends when it is cancelled, and a poll that waits for it can be aborted', async () => {
    const session = await open()
    const id = await start(session, { command: 'echo a; sleep 30; touch after' })
    const controller = new AbortController()
    const waiting = session.call('bash', { command: `__atomic_bash_job ${id}`, timeout: 30 }, { signal: controller.signal })
    controller.abort('enough')
    await expect(waiting).rejects.toBe('enough')
    await expect.poll(async () => textOf(await poll(session, id))).toContain('\na\n')
    expect(await session.text('bash', { command: `  __atomic_bash_job_cancel ${id}  ` })).toContain('Cancellation requested')
    const result = await poll(session, id, 20)
    expect(result).toMatchObject({ isError: false, details: { async: { state: 'cancelled' }, error: { code: 'cancelled' } } })
    expect(textOf(result)).toMatch(/: cancelled\n.*\nError: cancelled\na\n$/)
    expect(await session.text('bash', { command: `__atomic_bash_job_cancel ${id}` })).toContain('had ended already: cancelled')
    expect(await session.fs.exists('/workspace/after')).toBe(false)
  })

  it('many at once, beside a command in the foreground', async () => {
    const session = await open()
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        start(session, { command: `sleep 0.3; echo ${index}; echo ${index} > out${index}` }),
      ),
    )
    expect(await session.text('bash', { command: 'cat f' })).toBe('file\n')
    const texts = await Promise.all(ids.map(async id => textOf(await poll(session, id, 30))))
    expect(texts.map(text => text.split('\n').at(-2))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    expect(await session.file('out7')).toBe('7\n')
  })

  it('keeps all that it says, also while it runs', async () => {
    const session = await open()
    const id = await start(session, { command: 'seq 1 40000; sleep 30' })
    let address = ''
    await expect
      .poll(async () => {
        const { details } = await poll(session, id)
        address = String(details['fullOutputPath'])
        return address
      })
      .toMatch(/^artifact:\/\/\d+$/)
    await expect.poll(() => session.text('read', { path: `${address}:39999-40000:raw` })).toBe('39999\n40000\n')
    await session.text('bash', { command: `__atomic_bash_job_cancel ${id}` })
    await poll(session, id, 20)
    expect(await session.text('read', { path: `${address}:1-2:raw` })).toBe('1\n2\n')
  })

  it('ends with its session, and with the workspace', async () => {
    const session = await open()
    const command = 'until [ -e go ]; do sleep 0.01; done; touch /workspace/after'
    await start(session, { command })
    await session.tools.close()
    const second = await session.workspace.toolset('atomic')
    await second.call('bash', { command, async: true })
    // It goes on after the workspace, whose own functions end with it.
    const files = session.fs.as({ kind: 'person' })
    await session.workspace.dispose()
    await files.writeFile('/workspace/go', '')
    // Time for what would still run.
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await files.exists('/workspace/after')).toBe(false)
  })
})

describe('what is no job', () => {
  it.each([
    ['__atomic_bash_job nope', 'unknown-job'],
    ['__atomic_bash_job_cancel nope', 'unknown-job'],
  ])('%s', async (command, code) => {
    expect((await (await open()).failure('bash', { command })).code).toBe(code)
  })

  it.each(['echo; __atomic_bash_job x', '__atomic_bash_job', '__atomic_bash_job a b'])('%s goes to the shell', async command => {
    expect(await (await open()).call('bash', { command })).toMatchObject({ isError: true, details: { exitCode: 127 } })
  })

  it('a job of another session', async () => {
    const session = await open()
    const id = await start(session, { command: 'sleep 30' })
    const other = await session.workspace.toolset('atomic')
    expect(await other.call('bash', { command: `__atomic_bash_job ${id}` })).toMatchObject({ isError: true })
    await session.workspace.dispose()
  })
})

describe('the option', () => {
  it('off: the tool has no such argument', async () => {
    const session = await open({ toolset: { async: false } })
    const tool = session.tools.tools.find(({ name }) => name === 'bash')
    expect(JSON.stringify(tool?.inputSchema)).not.toContain('async')
    expect(tool?.description).not.toContain('__atomic_bash_job')
    const result = await session.call('bash', { command: 'echo ran', async: true })
    expect(textOf(result)).toMatch(/^ran\n/)
    expect(result.details['async']).toBeUndefined()
  })

  it('is refused by toolsets without jobs', async () => {
    const session = await open()
    await expect(session.workspace.toolset('ah', { async: true })).rejects.toMatchObject({ code: 'toolset-options' })
  })
})
