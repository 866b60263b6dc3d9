// A session whose commands run in workers. Between two commands it holds no worker, unless a job still runs or a file is open;
// then the next command runs in the same worker.

import { deferred, type Deferred } from '../../core/deferred.ts'
import type { LineEnd, LineOutput, LineRunner, RunningLine } from '../../shell/line-session.ts'
import type { TerminalSize } from '../../shell/session.ts'
import type { ExitStatus } from '../../shell/shell.ts'
import { answerFiles, bytesIn, giveReply } from './file-server.ts'
import { HostCommands } from './host-commands.ts'
import type { ShellState } from './interpreter/shell-state.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { SessionFiles } from './session-files.ts'
import { SessionNames } from './session-names.ts'
import type { ScriptHost, SessionStart } from './script.ts'
import { openSharedAnswers } from './shared-answer.ts'
import type { Lease, WorkerPool } from './worker-pool.ts'

/** A worker that this session holds. */
interface Tenancy {
  readonly lease: Lease
  readonly hostCommands: HostCommands
  readonly ending: AbortController
  readonly send: (message: ToWorker) => void
}

const nothingLeft = { isOver: false, unread: new Uint8Array() }

interface Line {
  readonly ended: Deferred<LineEnd>
  readonly starting: AbortController
  /** Input that was typed before a worker was available. */
  readonly typed: (Uint8Array | undefined)[]
}

export class SessionInWorkers implements LineRunner {
  readonly completion: SessionNames
  readonly #pool: WorkerPool
  readonly #host: ScriptHost
  readonly #start: SessionStart
  readonly #onOutput: LineOutput
  readonly #runId: number
  readonly #files: SessionFiles
  #state: ShellState | undefined
  #tenancy: Tenancy | undefined
  #line: Line | undefined

  constructor(pool: WorkerPool, runId: number, host: ScriptHost, start: SessionStart, onOutput: LineOutput) {
    this.#pool = pool
    this.#runId = runId
    this.#host = host
    this.#start = start
    this.#onOutput = onOutput
    this.#files = new SessionFiles(host.order)
    this.completion = new SessionNames(host)
  }

  get cwd(): string {
    return this.#state?.cwd ?? this.#start.cwd
  }

  start(script: string, size: TerminalSize, origin: string | undefined): RunningLine {
    const line: Line = { ended: deferred(), starting: new AbortController(), typed: [] }
    this.#line = line
    this.#files.begin(this.#host.filesFor(origin))
    if (this.#tenancy === undefined) void this.#begin(line, script, size)
    else this.#tenancy.send({ kind: 'line', runId: this.#runId, script, size })
    return {
      ended: line.ended.promise,
      input: bytes => {
        if (this.#tenancy === undefined) line.typed.push(bytes)
        else this.#tenancy.send({ kind: 'input', runId: this.#runId, bytes })
      },
      interrupt: () => {
        if (this.#tenancy === undefined) line.starting.abort()
        else this.#tenancy.send({ kind: 'interrupt', runId: this.#runId })
      },
      kill: () => this.#lose(line, { kind: 'killed', signal: 'SIGKILL' }, 137),
    }
  }

  isIncomplete(line: string): Promise<boolean> {
    return this.completion.isIncomplete(line)
  }

  async close(): Promise<void> {
    if (this.#line !== undefined) this.#lose(this.#line, { kind: 'killed' }, 137)
    this.#leave('end')
    await this.#files.close()
  }

  async #begin(line: Line, script: string, size: TerminalSize): Promise<void> {
    let lease: Lease
    try {
      lease = await this.#pool.lease(line.starting.signal)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#end(line, line.starting.signal.aborted ? { kind: 'killed', signal: 'SIGINT' } : { kind: 'lost', why }, 130)
      return
    }
    const { worker } = lease
    const send = (message: ToWorker): void => worker.port.post(message, bytesIn(message))
    const ending = new AbortController()
    const hostCommands = new HostCommands({
      commands: this.#host.commands,
      files: this.#files.forwarding,
      signal: ending.signal,
      startWorker: this.#host.startWorker,
      send,
    })
    this.#tenancy = { lease, hostCommands, ending, send }
    lease.listen(message => this.#hear(message))
    lease.onLost(why => this.#lost(why))
    const { abortFlag, commands } = this.#host
    send({
      kind: 'run',
      runId: this.#runId,
      shared: worker.shared,
      request: {
        ...this.#start,
        script,
        timeoutMs: 0,
        commands: commands.map(({ name, help }) => ({ name, help })),
        session: { ...size, state: this.#state },
        ...(abortFlag === undefined ? {} : { abortFlag }),
      },
    })
    for (const bytes of line.typed.splice(0)) send({ kind: 'input', runId: this.#runId, bytes })
  }

  #hear(message: FromWorker): void {
    const tenancy = this.#tenancy
    if (tenancy === undefined || message.kind === 'ready' || message.runId !== this.#runId) return
    switch (message.kind) {
      case 'output': {
        const taken = (): void => tenancy.send({ kind: 'taken', runId: this.#runId, sizeBytes: message.bytes.length })
        const waiting = this.#onOutput({ channel: message.channel, bytes: message.bytes })
        if (waiting === undefined) taken()
        else void waiting.then(taken)
        return
      }
      case 'line-end':
        this.#state = message.state
        this.completion.take(message.state)
        if (message.isHeld && !message.isOver) tenancy.lease.park()
        else this.#leave('give-back')
        if (this.#line !== undefined) this.#end(this.#line, { kind: 'exited', code: message.code }, message.code, message)
        return
      case 'file':
      case 'ahead':
      case 'place':
        void this.#answer(tenancy, message)
        return
      case 'command':
      case 'command-input':
      case 'command-taken':
      case 'command-stop':
        tenancy.hostCommands.hear(message)
        return
      case 'exit':
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  }

  async #answer(
    { lease, ending, send }: Tenancy,
    question: Extract<FromWorker, { readonly kind: 'file' | 'ahead' | 'place' }>,
  ): Promise<void> {
    const reply = await answerFiles(question, this.#files.current)
    if (ending.signal.aborted) return
    const { shared } = lease.worker
    if (shared === undefined || !giveReply(openSharedAnswers(shared), reply)) send(reply)
  }

  #lost(why: string): void {
    this.#leave('end')
    if (this.#line !== undefined) this.#end(this.#line, { kind: 'lost', why: `its worker broke: ${why}` }, 137)
  }

  /** Ends the command together with its worker. The state after the previous commands is kept. */
  #lose(line: Line, exit: ExitStatus, code: number): void {
    if (this.#line !== line) return
    line.starting.abort()
    this.#leave('end')
    this.#end(line, exit, code)
  }

  #leave(how: 'give-back' | 'end'): void {
    const tenancy = this.#tenancy
    if (tenancy === undefined) return
    this.#tenancy = undefined
    tenancy.ending.abort()
    if (how === 'end') tenancy.lease.end()
    else tenancy.lease.giveBack()
  }

  #end(line: Line, exit: ExitStatus, code: number, { isOver, unread }: Pick<LineEnd, 'isOver' | 'unread'> = nothingLeft): void {
    if (this.#line !== line) return
    this.#line = undefined
    const end = (): void => line.ended.resolve({ exit, code, cwd: this.cwd, isOver, unread })
    // The files are closed before the answer, unless a job still runs.
    if (this.#tenancy === undefined) void this.#files.close().then(end)
    else end()
  }
}
