// The page's side of a shell session: the same interface, with the state that the worker sent last. It ends with the worker.

import { checkArguments } from '../core/argument.ts'
import { isRecord } from '../core/record.ts'
import { SessionBase } from '../shell/session-base.ts'
import type { SessionCommandEnd, SessionRunOptions, ShellCompletion, ShellSession } from '../shell/session.ts'
import type { ExitStatus, OutputChunk } from '../shell/shell.ts'
import type { OpenShellOptions } from '../workspace/workspace.ts'
import { reportFault } from './callback.ts'
import type { Connection } from './connection.ts'
import { sendingVerbs, type PlainFunctions } from './file-verbs.ts'
import {
  shellVerbs,
  type PlainShellFunctions,
  type WireShell,
  type WireShellMessage,
  type WireShellState,
} from './shell-verbs.ts'
import type { Supervisor } from './supervisor.ts'

export async function clientShell(supervisor: Supervisor, options: OpenShellOptions | undefined): Promise<ShellSession> {
  const connection = await supervisor.current()
  // The session's first output may arrive before the reply.
  const early: WireShellMessage[] = []
  const hearing: { session?: ClientShell } = {}
  const opened = await connection.request('openShell', [options], {
    label: 'shell.open',
    onUpdate: value => {
      const message = asMessage(value)
      if (hearing.session === undefined) early.push(message)
      else hearing.session.hear(message)
    },
  })
  const session = new ClientShell(supervisor, connection, opened)
  hearing.session = session
  for (const message of early) session.hear(message)
  return session
}

/** The worker is ours and from the same release, so the value is trusted. */
function asMessage(value: unknown): WireShellMessage {
  if (!isRecord(value)) throw new Error('unreachable: the worker sends messages')
  return value as unknown as WireShellMessage
}

class ClientShell extends SessionBase implements ShellSession {
  readonly input: ShellSession['input']
  readonly #supervisor: Supervisor
  readonly #connection: Connection
  readonly #shellId: number
  readonly #verbs: PlainFunctions<PlainShellFunctions>
  #state: Omit<WireShellState, 'kind' | 'ran'>
  #receivedBytes = 0
  #arrivals: { readonly atBytes: number; readonly resolve: () => void }[] = []

  constructor(supervisor: Supervisor, connection: Connection, { shellId, id, name, input, cwd }: WireShell) {
    super({ id, name })
    this.#supervisor = supervisor
    this.#connection = connection
    this.#shellId = shellId
    this.input = input
    this.#state = { cwd, exitCode: undefined, isBusy: false }
    this.#verbs = sendingVerbs<PlainShellFunctions>(shellVerbs, async (verb, args) => {
      this.#refuseLost()
      return await connection.request('shell', [shellId, verb, args], { label: `shell ${verb}` })
    })
    void connection.whenEnded.then(error => this.#end({ kind: 'lost', why: error.message }))
  }

  get cwd(): string {
    return this.#state.cwd
  }

  get exitCode(): number | undefined {
    return this.#state.exitCode
  }

  get isBusy(): boolean {
    return this.#state.isBusy
  }

  async run(command: string, options: SessionRunOptions = {}): Promise<SessionCommandEnd> {
    checkArguments('session.run', [command, options], ['text', ['signal']])
    this.#refuseLost()
    const { end, sentBytes } = await this.#connection.request('runShell', [this.#shellId, command], {
      signal: options.signal,
      label: `shell: ${command.slice(0, 80)}`,
    })
    await this.#arrived(sentBytes)
    this.#take({ cwd: end.cwd, exitCode: end.exitCode, isBusy: this.#state.isBusy })
    return end
  }

  async write(data: string | Uint8Array): Promise<void> {
    await this.#verbs.write(data)
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#verbs.resize(columns, rows)
  }

  async kill(signal?: 'interrupt' | 'kill'): Promise<'delivered' | 'already-exited'> {
    return await this.#verbs.kill(signal)
  }

  async complete(line: string, cursor: number): Promise<ShellCompletion> {
    return await this.#verbs.complete(line, cursor)
  }

  async isIncomplete(line: string): Promise<boolean> {
    return await this.#verbs.isIncomplete(line)
  }

  async close(): Promise<void> {
    // If the worker was lost, the session is over already.
    if (this.#connection.ended === undefined) await this.#verbs.close()
  }

  hear(message: WireShellMessage): void {
    switch (message.kind) {
      case 'output':
        this.#receive(message.chunk)
        return
      case 'state':
        this.remember(...message.ran)
        this.#take(message)
        return
      case 'ended':
        this.#end(message.exit)
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  }

  #refuseLost(): void {
    const lost = this.#supervisor.sessionError(this.#connection)
    if (lost !== undefined) throw lost
  }

  #take({ cwd, exitCode, isBusy }: Omit<WireShellState, 'kind' | 'ran'>): void {
    this.#state = { cwd, exitCode, isBusy }
    this.changed()
  }

  #receive(chunk: OutputChunk): void {
    const taken = (): void => {
      if (this.#connection.ended !== undefined) return
      this.#connection.request('shellTaken', [this.#shellId, chunk.bytes.length]).catch(error => {
        if (this.#connection.ended === undefined) reportFault(error)
      })
    }
    const waiting = this.shown.push(chunk)
    if (waiting === undefined) taken()
    else void waiting.then(taken)
    this.#receivedBytes += chunk.bytes.length
    const arrived = this.#arrivals.filter(({ atBytes }) => atBytes <= this.#receivedBytes)
    this.#arrivals = this.#arrivals.filter(({ atBytes }) => atBytes > this.#receivedBytes)
    for (const { resolve } of arrived) resolve()
  }

  /** The reply to a command and its output come through different ports, whose order is not defined. */
  #arrived(atBytes: number): Promise<void> {
    if (atBytes <= this.#receivedBytes) return Promise.resolve()
    return new Promise(resolve => this.#arrivals.push({ atBytes, resolve }))
  }

  #end(exit: ExitStatus): void {
    this.shown.end()
    for (const { resolve } of this.#arrivals.splice(0)) resolve()
    this.over.resolve(exit)
  }
}
