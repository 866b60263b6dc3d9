// Runs one command to its end, in any shell. Collecting, limits, time limits, aborts and draining are implemented here; drivers
// implement only `start`.

import type { VfsPath } from '../core/path.ts'
import { Capture, type CapturedText } from './capture.ts'
import type { ExitStatus, OutputChunk, Shell, ShellCommand, ShellProcess, StartOptions } from './shell.ts'
import { TerminalText } from './terminal-text.ts'
import { systemTimers, type Timers } from './timers.ts'
import { joinCharacters } from './whole-characters.ts'
import { deferred } from '../core/deferred.ts'
import { defined } from '../core/record.ts'

export interface CommandProgress extends CapturedText {
  readonly totalBytes: number
  readonly wallTimeMs: number
}

/**
 * Stores bytes, in order. While the returned promise is pending, no more output is read, so a command cannot write faster than its output
 * is stored. It must not reject: the implementation reports bytes that it cannot store.
 */
export type ByteSink = (bytes: Uint8Array) => Promise<void> | undefined

export interface RunOptions {
  readonly cwd?: VfsPath
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** See `StartOptions.isBackground`. */
  readonly isBackground?: boolean
  /** Ends the command as `timed-out`. Without it a command may run forever. */
  readonly timeoutMs?: number
  /** Ends the command, and `runCommand` rejects with its reason. */
  readonly signal?: AbortSignal
  /** The maximum size of the returned end of the output; `defaultLimits.bashCaptureBytes` is the usual choice. */
  readonly maxCaptureBytes: number
  /** The maximum size of the beginning that is returned in addition. Default 0. */
  readonly maxHeadBytes?: number
  /** Receive every byte while the command runs. A valid character is never split between two calls of a sink. */
  readonly sinks?: { readonly output?: ByteSink; readonly stdout?: ByteSink; readonly stderr?: ByteSink }
  /**
   * Removes from the returned output what only a terminal needs: escape sequences, and text that was overwritten after a carriage return.
   * Sinks receive everything. Default false, because a pipe carries content.
   */
  readonly isTerminalText?: boolean
  /** The output so far, at most once every `progressIntervalMs` (default 100) and with at most its last `progressMaxBytes` (50 KiB). */
  readonly onOutput?: (progress: CommandProgress) => void
  readonly progressIntervalMs?: number
  readonly progressMaxBytes?: number
  /** How long a command may take to end after `term`; default 1000. After `kill` it has at least 10 seconds. */
  readonly killGraceMs?: number
  /** How long to wait after the exit for remaining output, because a child process may hold the pipe open. Default 250. */
  readonly drainGraceMs?: number
  readonly timers?: Timers
}

export interface CommandOutcome extends CapturedText {
  readonly exit: ExitStatus
  readonly wallTimeMs: number
  /** Bytes at the start of the output that are not in `output`. */
  readonly droppedBytes: number
  /** The first `maxHeadBytes`. */
  readonly head: string
  readonly totalBytes: number
  readonly totalLines: number
  /** Whether a background process still holds the output open. Its further output is not read. */
  readonly isStillOpen: boolean
}

/**
 * Runs `command` and resolves when it has ended, has timed out or could not be ended (`exit.kind` says which). Rejects with `signal.reason`
 * after an abort, and with the shell's error if nothing could be started.
 */
export async function runCommand(shell: Shell, command: ShellCommand, options: RunOptions): Promise<CommandOutcome> {
  const { signal, timers = systemTimers, timeoutMs, killGraceMs = 1000, drainGraceMs = 250 } = options
  signal?.throwIfAborted()
  const startedAtMs = timers.now()
  const capture = new Capture(options.maxCaptureBytes, options.maxHeadBytes)
  const intake = createIntake(capture, options)
  const progress = createProgress(capture, intake, startedAtMs, options, timers)
  const alarm = createAlarm(signal, timeoutMs, timers)
  try {
    const process = await startUnlessAlarmed(shell, command, options, { rung: alarm.rung, timers })
    if (process === undefined) {
      signal?.throwIfAborted()
      const why = 'the shell did not start the command in time'
      return {
        ...capture.text(),
        exit: { kind: 'lost', why },
        wallTimeMs: timers.now() - startedAtMs,
        droppedBytes: 0,
        head: '',
        totalBytes: 0,
        totalLines: 0,
        isStillOpen: false,
      }
    }
    const reader = new Reader(process, intake.add, progress.changed)
    const ended = await Promise.race([process.exit, alarm.rung])
    const exit = typeof ended === 'string' ? await endProcess(process, ended, killGraceMs, timers) : ended
    const isStillOpen = !(await drain(reader, drainGraceMs, timers))
    reader.stop()
    if (ended === 'aborted') signal?.throwIfAborted()
    reader.throwIfFailed()
    await intake.end()
    const { droppedBytes, head, totalBytes, totalLines } = capture
    const wallTimeMs = timers.now() - startedAtMs
    return { ...capture.text(), exit, wallTimeMs, droppedBytes, head, totalBytes, totalLines, isStillOpen }
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
  const { promise, resolve } = deferred<Alarm>()
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
  alarm: { readonly rung: Promise<Alarm>; readonly timers: Timers },
): Promise<ShellProcess | undefined> {
  const wanted = new AbortController()
  const starting = shell.start(command, { ...startOptions(options), signal: wanted.signal })
  const first = await Promise.race([starting, alarm.rung])
  if (typeof first !== 'string') return first
  wanted.abort(new Error('The command was cancelled before it started.'))
  // Another thread may be starting the command. The result waits until it has ended, so that nothing is written afterwards.
  const ended = starting
    .then(async late => {
      await late.kill('kill')
      await late.exit
    })
    // The command was cancelled, so a failure to start or end it does not matter to the caller.
    .catch(() => undefined)
  await within(ended, options.killGraceMs ?? 1000, alarm.timers)
  return undefined
}

function startOptions({ cwd, env, stdin, terminal, timeoutMs, isBackground }: RunOptions): StartOptions {
  return defined({ cwd, env, stdin, terminal, timeoutMs, isBackground })
}

// A process cannot ignore `kill`, but a busy machine reports its end late.
const endedAfterKillMs = 10_000

/** Sends `term`, then `kill`. A process that survives both is reported as lost and not waited for. */
async function endProcess(process: ShellProcess, why: Alarm, graceMs: number, timers: Timers): Promise<ExitStatus> {
  for (const signal of ['term', 'kill'] as const) {
    const answer = await process.kill(signal)
    // The time limit was reached, even if the process ended by itself at this moment.
    const limitMs = signal === 'term' ? graceMs : Math.max(graceMs, endedAfterKillMs)
    const exit = answer === 'unsupported' ? undefined : await within(process.exit, limitMs, timers)
    if (exit === undefined) continue
    return why === 'timed-out' && exit.kind !== 'lost' ? { kind: 'timed-out' } : exit
  }
  return {
    kind: 'lost',
    why: `it ${why === 'timed-out' ? 'timed out' : 'was aborted'} and did not end when it was killed; it may still be running`,
  }
}

/** Reads the output of a process until it ends or `stop` is called. */
class Reader {
  readonly finished: Promise<true>
  readonly #iterator: AsyncIterator<OutputChunk>
  #isStopped = false
  #failure: { readonly error: unknown } | undefined
  #readBytes = 0
  #isBusy = false

  constructor(process: ShellProcess, add: (chunk: OutputChunk) => Promise<void> | undefined, changed: () => void) {
    this.#iterator = process.output[Symbol.asyncIterator]()
    this.finished = this.#read(add, changed)
  }

  /** Increases with each processed chunk. */
  get readBytes(): number {
    return this.#readBytes
  }

  /** Whether a chunk is being stored. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  stop(): void {
    this.#isStopped = true
    // The queue drops unread output. Other sources are not read any further.
    void this.#iterator.return?.().catch(() => undefined)
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #read(add: (chunk: OutputChunk) => Promise<void> | undefined, changed: () => void): Promise<true> {
    try {
      for (;;) {
        const next = await this.#iterator.next()
        if (this.#isStopped || next.done === true) return true
        const putAway = add(next.value)
        if (putAway !== undefined) {
          this.#isBusy = true
          await putAway
          this.#isBusy = false
        }
        this.#readBytes += next.value.bytes.length
        changed()
      }
    } catch (error) {
      if (!this.#isStopped) this.#failure = { error }
      return true
    }
  }
}

// The maximum output that may remain after the end of a command, which is the amount that a driver buffers for a slow reader.
const drainMaxBytes = 64 * 1024 * 1024
// The time to store that output. Output that continues afterwards is attributed to a background process.
const drainMaxMs = 60_000
const drainMaxGraces = 8

/** Reads the remaining output. Returns false if the output stayed open: nothing arrived for `graceMs`, or it continued. */
async function drain(reader: Reader, graceMs: number, timers: Timers): Promise<boolean> {
  const startedAtMs = timers.now()
  const startBytes = reader.readBytes
  for (let graces = 0; ; graces += reader.isBusy ? 0 : 1) {
    const seenBytes = reader.readBytes
    if ((await within(reader.finished, graceMs, timers)) === true) return true
    const isIdle = reader.readBytes === seenBytes && !reader.isBusy
    if (
      isIdle ||
      graces >= drainMaxGraces ||
      reader.readBytes - startBytes > drainMaxBytes ||
      timers.now() - startedAtMs > drainMaxMs
    )
      return false
  }
}

interface Intake {
  readonly add: (chunk: OutputChunk) => Promise<void> | undefined
  readonly end: () => Promise<void>
  /** The current line, which may still change. */
  readonly line: () => string
}

/** Passes output on: complete characters first, then everything to the sinks, then the shown text to the capture. */
function createIntake(capture: Capture, { sinks = {}, isTerminalText = false }: RunOptions): Intake {
  const cleaners = isTerminalText
    ? { stdout: new TerminalText(), stderr: new TerminalText(), merged: new TerminalText() }
    : undefined
  let pending: Promise<void>[] = []
  const give = ({ channel, bytes }: OutputChunk): void => {
    for (const sink of [sinks.output, channel === 'stderr' ? sinks.stderr : sinks.stdout]) {
      const putAway = sink?.(bytes)
      if (putAway !== undefined) pending.push(putAway)
    }
    capture.add({ channel, bytes: cleaners === undefined ? bytes : cleaners[channel].write(bytes) })
  }
  const joiner = joinCharacters(give)
  const allPutAway = (): Promise<void> | undefined => {
    if (pending.length === 0) return undefined
    const all = Promise.all(pending).then(() => undefined)
    pending = []
    return all
  }
  return {
    add: chunk => {
      joiner.add(chunk)
      return allPutAway()
    },
    end: async () => {
      joiner.end()
      if (cleaners !== undefined)
        for (const channel of ['stdout', 'stderr', 'merged'] as const) capture.add({ channel, bytes: cleaners[channel].end() })
      await allPutAway()
    },
    line: () => {
      if (cleaners === undefined) return ''
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      return [cleaners.stdout, cleaners.stderr, cleaners.merged].map(cleaner => decoder.decode(cleaner.line)).join('')
    },
  }
}

function createProgress(
  capture: Capture,
  intake: Intake,
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
    const shown = capture.text(progressMaxBytes)
    onOutput({
      ...shown,
      output: shown.output + intake.line(),
      totalBytes: capture.totalBytes,
      wallTimeMs: lastAtMs - startedAtMs,
    })
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

/** The result of `promise`, or `undefined` if it takes longer than `limitMs`. */
async function within<T>(promise: Promise<T>, limitMs: number, timers: Timers): Promise<T | undefined> {
  const { promise: late, resolve } = deferred<undefined>()
  const cancel = timers.after(limitMs, () => resolve(undefined))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}
