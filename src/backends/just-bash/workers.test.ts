// Where scripts run, and what happens if that place is full, broken or unavailable.
import { describe, expect, it, vi } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { runCommand, type CommandOutcome } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { memory } from '../memory/index.ts'
import { justBash, type JustBashOptions } from './index.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import type { WebWorkerLike } from '../../core/start-worker.ts'

const root = parsePath('/workspace')

async function open(options: JustBashOptions = {}): Promise<{ shell: Shell; fs: Vfs }> {
  const fs = createVfs(memory({ '/workspace/a.txt': 'a\n' }))
  return { shell: await justBash(options)({ fs, root }), fs }
}

function run(shell: Shell, script: string, timeoutMs = 20_000, signal?: AbortSignal): Promise<CommandOutcome> {
  return runCommand(
    shell,
    { kind: 'script', script },
    { maxCaptureBytes: 1024 * 1024, timeoutMs, ...(signal === undefined ? {} : { signal }) },
  )
}

/** A worker that does what the test says. */
function fakeWorker(onRun: (say: (message: FromWorker) => void, runId: number, fail: (message: string) => void) => void) {
  const listeners = new Map<string, ((event: object) => void)[]>()
  const emit = (type: string, event: object): void => {
    queueMicrotask(() => {
      for (const listener of listeners.get(type) ?? []) listener(event)
    })
  }
  const say = (message: FromWorker): void => emit('message', { data: message })
  const worker: WebWorkerLike & { isTerminated: boolean } = {
    isTerminated: false,
    postMessage: message => {
      const { kind, runId } = message as Extract<ToWorker, { kind: 'run' }>
      if (kind === 'run') onRun(say, runId, text => emit('error', { message: text }))
    },
    addEventListener: (type, listener) => {
      listeners.set(type, [...(listeners.get(type) ?? []), listener])
    },
    terminate: () => {
      worker.isTerminated = true
    },
  }
  say({ kind: 'ready' })
  return worker
}

describe('where no worker can be started, scripts run on the thread, and the capabilities say so', () => {
  const failing: readonly (readonly [string, () => WebWorkerLike])[] = [
    [
      'a policy forbids it',
      () => {
        throw new Error('refused by the content security policy')
      },
    ],
    [
      'its script is not there',
      () => ({
        postMessage: () => undefined,
        addEventListener: (type, listener) => void (type === 'error' && queueMicrotask(() => listener({}))),
        terminate: () => undefined,
      }),
    ],
  ]
  it.each(failing)('%s', async (_name, worker) => {
    const { shell } = await open({ worker })
    expect(shell.capabilities.kill).toBe('soft')
    expect(shell.capabilities.notes.join(' ')).toContain('holds up everything else')
    expect((await run(shell, 'echo still; cat a.txt')).output).toBe('still\na\n')
    await shell.dispose()
  })

  it('and with workers they say that a script can be killed', async () => {
    const { shell } = await open()
    expect(shell.capabilities.kill).toBe('signal')
    expect(shell.capabilities.notes.join(' ')).not.toContain('holds up everything else')
    await shell.dispose()
  })
})

describe('a worker that breaks', () => {
  it('in the middle of a script: the command is lost, and the next gets another', async () => {
    const made: ReturnType<typeof fakeWorker>[] = []
    const worker = (): WebWorkerLike => {
      const isFirst = made.length === 0
      const fake = fakeWorker((say, runId, fail) => {
        if (isFirst) fail('out of memory')
        else say({ kind: 'exit', runId, code: 3 })
      })
      made.push(fake)
      return fake
    }
    const { shell } = await open({ worker })
    expect((await run(shell, 'x')).exit).toEqual({ kind: 'lost', why: expect.stringContaining('out of memory') })
    expect(made[0]?.isTerminated).toBe(true)
    expect((await run(shell, 'x')).exit).toEqual({ kind: 'exited', code: 3 })
    await shell.dispose()
  })

  it('and goes on writing: nothing of it is heard after the command was ended', async () => {
    let speak: ((message: FromWorker) => void) | undefined
    let runId = 0
    const { shell, fs } = await open({
      worker: () =>
        fakeWorker((say, id) => {
          speak = say
          runId = id
          say({ kind: 'output', runId: id, channel: 'stdout', bytes: new TextEncoder().encode('begun') })
        }),
    })
    const outcome = await run(shell, 'x', 500)
    expect(outcome).toMatchObject({ exit: { kind: 'timed-out' }, output: 'begun' })
    speak?.({ kind: 'file', runId, id: 1, verb: 'writeFile', args: ['/workspace/late', new Uint8Array([1])] })
    speak?.({ kind: 'exit', runId, code: 0 })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await fs.exists('/workspace/late')).toBe(false)
    await shell.dispose()
  })

  it('and asks in the name of a script that is over: that is nobody’s', async () => {
    const { shell, fs } = await open({
      worker: () =>
        fakeWorker((say, runId) => {
          say({ kind: 'file', runId: runId - 1, id: 1, verb: 'writeFile', args: ['/workspace/stray', new Uint8Array([1])] })
          say({ kind: 'exit', runId, code: 0 })
        }),
    })
    await run(shell, 'x')
    expect(await fs.exists('/workspace/stray')).toBe(false)
    await shell.dispose()
  })
})

describe('more scripts than workers', () => {
  it('wait for their turn, and all run', async () => {
    const { shell } = await open({ maxWorkers: 2 })
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, index) => run(shell, `echo ${index} >> log; echo ${index}`)))
    expect(outcomes.map(({ output }) => output)).toEqual(['0\n', '1\n', '2\n', '3\n', '4\n', '5\n'])
    expect((await run(shell, 'sort log | tr -d "\\n"')).output).toBe('012345')
    await shell.dispose()
  })

  it('one that is aborted while it waits never begins, and takes nobody’s turn', async () => {
    const { shell, fs } = await open({ maxWorkers: 1 })
    const controller = new AbortController()
    const first = run(shell, 'until [ -e go ]; do sleep 0.01; done; echo first')
    const second = run(shell, 'touch second', 20_000, controller.signal)
    const third = run(shell, 'echo third')
    setTimeout(() => controller.abort('enough'), 50)
    await expect(second).rejects.toBe('enough')
    await fs.writeFile('/workspace/go', '')
    expect([(await first).output, (await third).output]).toEqual(['first\n', 'third\n'])
    expect(await fs.exists('/workspace/second')).toBe(false)
    await shell.dispose()
  })

  it('one whose time is over while it waits has timed out, and says what it waited for', async () => {
    const { shell, fs } = await open({ maxWorkers: 1 })
    const first = run(shell, 'until [ -e go ]; do sleep 0.01; done')
    const second = await run(shell, 'touch second', 50)
    expect(second.exit.kind).toBe('timed-out')
    expect(second.output).toMatch(/^\[waited \d+ s for a free worker; nothing was started\]\n$/)
    await fs.writeFile('/workspace/go', '')
    await first
    expect(await fs.exists('/workspace/second')).toBe(false)
    await shell.dispose()
  })
})

it('what runs in the background never keeps the foreground waiting', async () => {
  const { shell } = await open({ maxWorkers: 1 })
  const ending = new AbortController()
  const options = { timeoutMs: 60_000, maxCaptureBytes: 1000, signal: ending.signal, isBackground: true }
  const jobs = ['sleep 60', 'sleep 61'].map(script => runCommand(shell, { kind: 'script', script }, options))
  expect((await run(shell, 'echo hi')).output).toBe('hi\n')
  ending.abort('enough')
  await Promise.allSettled(jobs)
  await shell.dispose()
})

describe.each([
  ['with shared memory', true],
  ['over a port alone', false],
])('what crosses %s', (_name, sharesMemory) => {
  it('is whole, however large it is', async () => {
    if (!sharesMemory) vi.stubGlobal('crossOriginIsolated', false)
    try {
      const { shell, fs } = await open()
      const large = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) % 256)
      await fs.writeFile('/workspace/large', large)
      await fs.mkdir('/workspace/many')
      for (let index = 0; index < 5000; index++) await fs.writeFile(`/workspace/many/a-rather-long-name-for-a-file-${index}`, '')
      const outcome = await run(
        shell,
        "cp large one; cat large | cat > two; ls many | wc -l; cat no-such; ls -l a.txt | grep -c '[A-Z][a-z][a-z] '",
      )
      expect(outcome.stdout).toMatch(/^ *5000\n1\n$/)
      expect(outcome.stderr).toContain('no-such')
      // Not toEqual, which takes seconds for a million numbers.
      for (const name of ['one', 'two']) expect(Buffer.compare(await fs.readFile(`/workspace/${name}`), large)).toBe(0)
      await shell.dispose()
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
