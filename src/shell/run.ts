// Runs one command to its end, whatever the shell: collecting, caps, time-outs, aborts and draining stand here once, and drivers
// implement `start` only. Source: webcontainer §9.

import type { VfsPath } from '../core/path.ts'
import { createCapture, type Capture, type CapturedText } from './capture.ts'
import type { ExitStatus, Shell, ShellCommand, ShellProcess, StartOptions } from './shell.ts'
import { systemTimers, type Timers } from './timers.ts'

export interface CommandProgress extends CapturedText {
  readonly totalBytes: number
  readonly wallTimeMs: number
}

export interface RunOptions {
  readonly cwd?: VfsPath
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** Ends the command as `timed-out`. Without it a command may run for ever. */
  readonly timeoutMs?: number
  /** Ends the command, and `runCommand` rejects with its reason. */
  readonly signal?: AbortSignal
  /** What is kept of the output, from its end; `defaultLimits.bashCaptureBytes` is the usual choice. */
  readonly maxCaptureBytes: number
  /** The output so far, at most once every `progressIntervalMs` (default 100) and with at most its last `progressMaxBytes` (50 KiB). */
  readonly onOutput?: (progress: CommandProgress) => void
  readonly progressIntervalMs?: number
  readonly progressMaxBytes?: number
  /** How long a command may take to end after each of `term` and `kill`; default 1000. */
  readonly killGraceMs?: number
  /** How long to wait, after the exit, for output that is still under way: a child may hold the pipe open. Default 250. */
  readonly drainGraceMs?: number
  readonly timers?: Timers
}

export interface CommandOutcome extends CapturedText {
  readonly exit: ExitStatus
  readonly wallTimeMs: number
  /** Bytes from the front of the output that were not kept. */
  readonly droppedBytes: number
}

/**
 * Runs `command` and resolves when it has ended, timed out or could not be ended (`exit.kind` says which).
 * Rejects with `signal.reason` after an abort, and with the shell's own error when nothing could be started.
 */
export async function runCommand(shell: Shell, command: ShellCommand, options: RunOptions): Promise<CommandOutcome> {
  const { signal, timers = systemTimers, timeoutMs, killGraceMs = 1000, drainGraceMs = 250 } = options
  signal?.throwIfAborted()
  const startedAtMs = timers.now()
  const capture = createCapture(options.maxCaptureBytes)
  const progress = createProgress(capture, startedAtMs, options, timers)
  const alarm = createAlarm(signal, timeoutMs, timers)
  try {
    const process = await startUnlessAlarmed(shell, command, options, alarm)
    if (process === undefined) {
      signal?.throwIfAborted()
      const why = 'the shell did not start the command in time'
      return {
        output: '',
        stdout: '',
        stderr: '',
        exit: { kind: 'lost', why },
        wallTimeMs: timers.now() - startedAtMs,
        droppedBytes: 0,
      }
    }
    const reader = readOutput(process, capture, progress.changed)
    const ended = await Promise.race([process.exit, alarm.rung])
    const exit = typeof ended === 'string' ? await endProcess(process, ended, killGraceMs, timers) : ended
    await within(reader.finished, drainGraceMs, timers)
    reader.stop()
    if (ended === 'aborted') signal?.throwIfAborted()
    reader.throwIfFailed()
    return { ...capture.text(), exit, wallTimeMs: timers.now() - startedAtMs, droppedBytes: capture.droppedBytes }
  } finally {
    alarm.release()
    progress.release()
  }
}

type Alarm = 'timed-out' | 'aborted'

function createAlarm(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
  timers: Timers,
): { readonly rung: Promise<Alarm>; readonly release: () => void } {
  const { promise, resolve } = withResolvers<Alarm>()
  const onAbort = (): void => resolve('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const cancel = timeoutMs === undefined ? undefined : timers.after(timeoutMs, () => resolve('timed-out'))
  return {
    rung: promise,
    release: () => {
      signal?.removeEventListener('abort', onAbort)
      cancel?.()
    },
  }
}

async function startUnlessAlarmed(
  shell: Shell,
  command: ShellCommand,
  options: RunOptions,
  alarm: { readonly rung: Promise<Alarm> },
): Promise<ShellProcess | undefined> {
  const starting = shell.start(command, startOptions(options))
  const first = await Promise.race([starting, alarm.rung])
  if (typeof first !== 'string') return first
  // Nobody will read what it says any more; it is only kept from running on.
  starting.then(
    late => late.kill('kill'),
    () => undefined,
  )
  return undefined
}

function startOptions({ cwd, env, stdin, terminal, timeoutMs }: RunOptions): StartOptions {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Asks, then insists. A process that survives both is reported as lost, never waited for. */
async function endProcess(process: ShellProcess, why: Alarm, graceMs: number, timers: Timers): Promise<ExitStatus> {
  for (const signal of ['term', 'kill'] as const) {
    const answer = await process.kill(signal)
    // Whether it ended by itself at this very moment or was ended: its time was over.
    const exit = answer === 'unsupported' ? undefined : await within(process.exit, graceMs, timers)
    if (exit === undefined) continue
    return why === 'timed-out' && exit.kind !== 'lost' ? { kind: 'timed-out' } : exit
  }
  return {
    kind: 'lost',
    why: `it ${why === 'timed-out' ? 'timed out' : 'was aborted'} and did not end when it was killed; it may still be running`,
  }
}

interface Reader {
  readonly finished: Promise<void>
  readonly stop: () => void
  readonly throwIfFailed: () => void
}

function readOutput(process: ShellProcess, capture: Capture, changed: () => void): Reader {
  const iterator = process.output[Symbol.asyncIterator]()
  let stopped = false
  let failure: { readonly error: unknown } | undefined
  const read = async (): Promise<void> => {
    try {
      for (;;) {
        const next = await iterator.next()
        if (stopped || next.done === true) return
        capture.add(next.value)
        changed()
      }
    } catch (error) {
      if (!stopped) failure = { error }
    }
  }
  return {
    finished: read(),
    stop: () => {
      stopped = true
    },
    throwIfFailed: () => {
      if (failure !== undefined) throw failure.error
    },
  }
}

function createProgress(
  capture: Capture,
  startedAtMs: number,
  options: RunOptions,
  timers: Timers,
): { readonly changed: () => void; readonly release: () => void } {
  const { onOutput, progressIntervalMs = 100, progressMaxBytes = 50 * 1024 } = options
  if (onOutput === undefined) return { changed: () => undefined, release: () => undefined }
  let lastAtMs = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  const report = (): void => {
    cancel = undefined
    lastAtMs = timers.now()
    onOutput({ ...capture.text(progressMaxBytes), totalBytes: capture.totalBytes, wallTimeMs: lastAtMs - startedAtMs })
  }
  return {
    changed: () => {
      if (cancel !== undefined) return
      const waitMs = lastAtMs + progressIntervalMs - timers.now()
      if (waitMs <= 0) report()
      else cancel = timers.after(waitMs, report)
    },
    release: () => cancel?.(),
  }
}

/** What `promise` resolves to, or `undefined` when that takes longer than `limitMs`. */
async function within<T>(promise: Promise<T>, limitMs: number, timers: Timers): Promise<T | undefined> {
  const { promise: late, resolve } = withResolvers<undefined>()
  const cancel = timers.after(limitMs, () => resolve(undefined))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}

// Promise.withResolvers is missing in Node 20.
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>(done => {
    resolve = done
  })
  return { promise, resolve }
}
