import { describe, expect, it } from 'vitest'
import { OutputQueue } from './output-queue.ts'
import { runCommand, type RunOptions } from './run.ts'
import type { ExitStatus, Shell, ShellProcess } from './shell.ts'
import type { Timers } from './timers.ts'
import { deferred } from '../core/deferred.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Time that passes only on request. */
function fakeTimers(): Timers & { readonly advance: (byMs: number) => Promise<void> } {
  let nowMs = 0
  const waiting = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
  return {
    now: () => nowMs,
    after: (delayMs, callback) => {
      const entry = { atMs: nowMs + delayMs, callback }
      waiting.add(entry)
      return () => waiting.delete(entry)
    },
    advance: async byMs => {
      await settle()
      const untilMs = nowMs + byMs
      for (;;) {
        const [next] = Array.from(waiting)
          .filter(entry => entry.atMs <= untilMs)
          .sort((a, b) => a.atMs - b.atMs)
        if (next === undefined) break
        waiting.delete(next)
        nowMs = next.atMs
        next.callback()
        await settle()
      }
      nowMs = untilMs
      await settle()
    },
  }
}

/** A process that the test controls, and a record of how it was killed. */
function fakeShell(onKill: (signal: string) => ExitStatus | undefined = () => ({ kind: 'killed' })) {
  const queue = new OutputQueue()
  const kills: string[] = []
  const { promise: exit, resolve: exitWith } = deferred<ExitStatus>()
  const process: ShellProcess = {
    output: queue.output,
    exit,
    write: () => Promise.resolve(),
    kill: (signal = 'term') => {
      kills.push(signal)
      const status = onKill(signal)
      if (status !== undefined) exitWith(status)
      return Promise.resolve('delivered')
    },
  }
  const shell: Pick<Shell, 'start'> = { start: () => Promise.resolve(process) }
  return { shell: { ...shell, capabilities: capabilities(), dispose: () => Promise.resolve() }, queue, kills, exitWith }
}

function capabilities(): Shell['capabilities'] {
  return {
    dialect: 'bash',
    splitStreams: true,
    ordered: true,
    exactBytes: true,
    streaming: true,
    stdin: 'none',
    kill: 'signal',
    concurrent: true,
    sharesVfs: true,
    terminal: false,
    notes: [],
  }
}

const run = (shell: Shell, options: Partial<RunOptions> = {}) =>
  runCommand(shell, { kind: 'script', script: 'x' }, { maxCaptureBytes: 1000, ...options })

describe('runCommand', () => {
  it('gives output, exit and wall time', async () => {
    const timers = fakeTimers()
    const { shell, queue, exitWith } = fakeShell()
    const running = run(shell, { timers })
    queue.push({ channel: 'stdout', bytes: utf8('a') })
    queue.push({ channel: 'stderr', bytes: utf8('b') })
    await timers.advance(40)
    exitWith({ kind: 'exited', code: 3 })
    queue.end()
    expect(await running).toEqual({
      output: 'ab',
      stdout: 'a',
      stderr: 'b',
      exit: { kind: 'exited', code: 3 },
      wallTimeMs: 40,
      droppedBytes: 0,
      head: '',
      totalBytes: 2,
      totalLines: 1,
      isStillOpen: false,
    })
  })

  it.each<[string, (signal: string) => ExitStatus | undefined, readonly string[], ExitStatus['kind'], number]>([
    ['ends at term', () => ({ kind: 'killed', signal: 'SIGTERM' }), ['term'], 'timed-out', 100],
    [
      'ends at kill, after the grace',
      signal => (signal === 'kill' ? { kind: 'killed' } : undefined),
      ['term', 'kill'],
      'timed-out',
      600,
    ],
    ['never ends, and is called lost', () => undefined, ['term', 'kill'], 'lost', 10_600],
    ['ends by itself at the same moment', () => ({ kind: 'exited', code: 0 }), ['term'], 'timed-out', 100],
    ['loses its runtime', () => ({ kind: 'lost', why: 'gone' }), ['term'], 'lost', 100],
  ])('a time-out: the command %s', async (_name, onKill, kills, kind, afterMs) => {
    const timers = fakeTimers()
    const fake = fakeShell(onKill)
    fake.queue.push({ channel: 'stdout', bytes: utf8('so far') })
    const running = run(fake.shell, { timers, timeoutMs: 100, killGraceMs: 500, drainGraceMs: 0 })
    await timers.advance(afterMs)
    const outcome = await running
    expect({ kind: outcome.exit.kind, kills: fake.kills, output: outcome.output }).toEqual({ kind, kills, output: 'so far' })
  })

  it('is not called lost while a busy machine is slow to report its end', async () => {
    const timers = fakeTimers()
    const { shell, kills, exitWith } = fakeShell(() => undefined)
    const running = run(shell, { timers, timeoutMs: 100, killGraceMs: 200, drainGraceMs: 0 })
    await timers.advance(9000)
    expect(kills).toEqual(['term', 'kill'])
    exitWith({ kind: 'killed' })
    await timers.advance(0)
    expect((await running).exit).toEqual({ kind: 'timed-out' })
  })

  it('believes a shell that timed itself out', async () => {
    const { shell, queue, exitWith, kills } = fakeShell()
    exitWith({ kind: 'timed-out' })
    queue.end()
    expect((await run(shell, { timeoutMs: 100 })).exit).toEqual({ kind: 'timed-out' })
    expect(kills).toEqual([])
  })

  it('waits for output that comes after the exit until none came for a while', async () => {
    const timers = fakeTimers()
    const { shell, queue, exitWith } = fakeShell()
    const running = run(shell, { timers, drainGraceMs: 200 })
    exitWith({ kind: 'exited', code: 0 })
    await timers.advance(100)
    queue.push({ channel: 'stdout', bytes: utf8('late') })
    await timers.advance(300)
    queue.push({ channel: 'stdout', bytes: utf8('too late') })
    expect(await running).toMatchObject({ output: 'late', wallTimeMs: 400, isStillOpen: true })
    expect(queue.waitingBytes, 'what nobody reads is let go').toBe(0)
  })

  it('does not wait for ever for something that never stops writing', async () => {
    const timers = fakeTimers()
    const { shell, queue, exitWith } = fakeShell()
    const running = run(shell, { timers, drainGraceMs: 200 })
    exitWith({ kind: 'exited', code: 0 })
    let isOver = false
    void running.then(() => (isOver = true))
    for (let turn = 0; turn < 100 && !isOver; turn++) {
      queue.push({ channel: 'stdout', bytes: utf8('y') })
      await timers.advance(100)
    }
    expect(isOver).toBe(true)
    expect(await running).toMatchObject({ isStillOpen: true })
  })

  it('reads no faster than its output is put away, and loses nothing at the end', async () => {
    const { shell, queue, exitWith } = fakeShell()
    const kept: string[] = []
    let waitingMost = 0
    const output = (bytes: Uint8Array): Promise<void> => {
      waitingMost = Math.max(waitingMost, queue.waitingBytes)
      return new Promise(resolve => {
        setTimeout(() => {
          kept.push(new TextDecoder().decode(bytes))
          resolve()
        }, 5)
      })
    }
    const running = run(shell, { sinks: { output }, drainGraceMs: 1 })
    for (const letter of 'abcdefgh') queue.push({ channel: 'stdout', bytes: utf8(letter) })
    exitWith({ kind: 'exited', code: 0 })
    queue.end()
    const outcome = await running
    expect({ kept: kept.join(''), waitingMost, isStillOpen: outcome.isStillOpen }).toEqual({
      kept: 'abcdefgh',
      waitingMost: 7,
      isStillOpen: false,
    })
  })

  it('gives each sink its stream, whole characters at a time, and terminal text only to them', async () => {
    const { shell, queue, exitWith } = fakeShell()
    const seen: Record<'output' | 'stdout' | 'stderr', string[]> = { output: [], stdout: [], stderr: [] }
    const sinkTo = (name: keyof typeof seen) => (bytes: Uint8Array) => {
      seen[name].push(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      return undefined
    }
    const running = run(shell, {
      isTerminalText: true,
      maxHeadBytes: 2,
      sinks: { output: sinkTo('output'), stdout: sinkTo('stdout'), stderr: sinkTo('stderr') },
    })
    queue.push({ channel: 'stdout', bytes: Uint8Array.of(0x61, 0xc3) })
    queue.push({ channel: 'stderr', bytes: utf8('x\n') })
    queue.push({ channel: 'stdout', bytes: Uint8Array.of(0xa9) })
    queue.push({ channel: 'stdout', bytes: utf8('\u001b[31m 10%\r100%\r\nend') })
    exitWith({ kind: 'exited', code: 0 })
    queue.end()
    const outcome = await running
    expect(seen).toEqual({
      output: ['a', 'x\n', 'é', '\u001b[31m 10%\r100%\r\nend'],
      stdout: ['a', 'é', '\u001b[31m 10%\r100%\r\nend'],
      stderr: ['x\n'],
    })
    expect(outcome).toMatchObject({ output: 'x\n100%\nend', head: 'x\n', totalLines: 3 })
  })

  it('an abort before the start starts nothing', async () => {
    const reason = new Error('no')
    let started = false
    const { shell } = fakeShell()
    const watched: Shell = {
      ...shell,
      start: (...args) => {
        started = true
        return shell.start(...args)
      },
    }
    await expect(run(watched, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(started).toBe(false)
  })

  it('an abort kills, waits for the end and rejects with the reason', async () => {
    const timers = fakeTimers()
    const { shell, kills } = fakeShell()
    const controller = new AbortController()
    const running = run(shell, { timers, signal: controller.signal })
    const reason = new Error('enough')
    setTimeout(() => controller.abort(reason), 5)
    const rejected = running.catch((error: unknown) => error)
    await new Promise(resolve => setTimeout(resolve, 20))
    await timers.advance(250)
    expect(await rejected).toBe(reason)
    expect(kills).toEqual(['term'])
  })

  it('an abort while the shell starts kills what starts later', async () => {
    const fake = fakeShell()
    const { promise: gate, resolve: begin } = deferred<void>()
    const slow: Shell = { ...fake.shell, start: async (...args) => (await gate, fake.shell.start(...args)) }
    const controller = new AbortController()
    const running = run(slow, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    begin()
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(fake.kills).toEqual(['kill'])
  })

  it('a shell that has not started the command in time is told that it must not', async () => {
    const timers = fakeTimers()
    const fake = fakeShell()
    const signals: (AbortSignal | undefined)[] = []
    const stuck: Shell = {
      ...fake.shell,
      start: (_command, options) => {
        signals.push(options?.signal)
        return new Promise(() => undefined)
      },
    }
    const running = run(stuck, { timers, timeoutMs: 10 })
    await timers.advance(9)
    expect(signals.map(signal => signal?.aborted)).toEqual([false])
    await timers.advance(2000)
    expect(await running).toMatchObject({ exit: { kind: 'lost', why: 'the shell did not start the command in time' } })
    expect(signals.map(signal => signal?.aborted)).toEqual([true])
  })

  it('a shell that cannot start rejects with its own error', async () => {
    const { shell } = fakeShell()
    await expect(run({ ...shell, start: () => Promise.reject(new Error('no shell')) })).rejects.toThrow('no shell')
  })

  it('output that breaks is not swallowed', async () => {
    const { shell, exitWith } = fakeShell()
    const next = () => Promise.reject(new Error('wire broke'))
    const broken: ShellProcess['output'] = { [Symbol.asyncIterator]: () => ({ next }) }
    exitWith({ kind: 'exited', code: 0 })
    const process = await shell.start({ kind: 'script', script: 'x' })
    await expect(run({ ...shell, start: () => Promise.resolve({ ...process, output: broken }) })).rejects.toThrow('wire broke')
  })

  it('reports progress at once, then at most once per interval, and never after the end', async () => {
    const timers = fakeTimers()
    const { shell, queue, exitWith } = fakeShell()
    const seen: [number, string][] = []
    const running = run(shell, {
      timers,
      onOutput: progress => seen.push([progress.wallTimeMs, progress.output]),
      progressMaxBytes: 3,
    })
    for (const letter of 'abcde') {
      queue.push({ channel: 'stdout', bytes: utf8(letter) })
      await timers.advance(40)
    }
    queue.push({ channel: 'stdout', bytes: utf8('f') })
    exitWith({ kind: 'exited', code: 0 })
    queue.end()
    await running
    await timers.advance(1000)
    expect(seen).toEqual([
      [0, 'a'],
      [100, 'abc'],
      [200, 'cde'],
    ])
  })
})
