// Runs a script in a worker, so that it cannot block this thread. To end a script, its access to files is closed first, and then
// the worker is terminated. Each write is therefore complete, and none follows the end.

import { AnchorageError } from '../../core/errors.ts'
import { OutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, ShellProcess } from '../../shell/shell.ts'
import { answerFiles, bytesIn, giveReply } from './file-server.ts'
import { HostCommands } from './host-commands.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { openRunFiles } from './run-files.ts'
import type { Script, ScriptHost, ScriptRunner } from './script.ts'
import { openSharedAnswers } from './shared-answer.ts'
import { SessionInWorkers } from './session-in-workers.ts'
import type { Lease, WorkerPool } from './worker-pool.ts'
import { deferred } from '../../core/deferred.ts'

/** Shorter waits are not reported. */
const saidWaitMs = 1000

export function workerRunner(pool: WorkerPool): ScriptRunner {
  let lastRunId = 0
  return {
    start: (host, script) => startInWorker(pool, ++lastRunId, host, script),
    openSession: (host, start, onOutput) => new SessionInWorkers(pool, ++lastRunId, host, start, onOutput),
    dispose: () => pool.dispose(),
  }
}

function startInWorker(pool: WorkerPool, runId: number, host: ScriptHost, script: Script): ShellProcess {
  const queue = new OutputQueue()
  const files = openRunFiles(host.vfs, host.order)
  const ending = new AbortController()
  let lease: Lease | undefined
  const { promise: exit, resolve: resolveExit } = deferred<ExitStatus>()
  const startedAtMs = performance.now()
  const sayWaited = (waitedMs: number, rest = ''): void => {
    const text = `[waited ${Math.round(waitedMs / 1000)} s for a free worker${rest}]\n`
    queue.push({ channel: 'stderr', bytes: new TextEncoder().encode(text) })
  }
  /** Ends the process. Only the first status counts. `isDone` means that the worker can run the next script. */
  const end = (status: ExitStatus, isDone: boolean): void => {
    if (ending.signal.aborted) return
    const closed = files.close()
    ending.abort()
    clearTimeout(timer)
    if (lease === undefined) sayWaited(performance.now() - startedAtMs, '; nothing was started')
    if (isDone) lease?.giveBack()
    else lease?.end()
    queue.end()
    void closed.then(() => resolveExit(status))
  }
  const timer = setTimeout(() => end({ kind: 'timed-out' }, false), script.timeoutMs)

  const send = (reply: ToWorker): void => {
    if (lease === undefined || ending.signal.aborted) return
    lease.worker.port.post(reply, bytesIn(reply))
  }
  const answer = async (question: Extract<FromWorker, { readonly kind: 'file' | 'ahead' | 'place' }>): Promise<void> => {
    const reply = await answerFiles(question, files)
    if (lease === undefined || ending.signal.aborted) return
    const { shared } = lease.worker
    // `giveReply` wakes the worker even if the reply must be sent.
    if (shared === undefined || !giveReply(openSharedAnswers(shared), reply)) send(reply)
  }
  const hostCommands = new HostCommands({
    commands: host.commands,
    files: files.fs,
    signal: ending.signal,
    startWorker: host.startWorker,
    send,
  })
  const hear = (message: FromWorker): void => {
    if (message.kind === 'ready' || message.kind === 'line-end' || message.runId !== runId || ending.signal.aborted) return
    switch (message.kind) {
      case 'output':
        queue.push({ channel: message.channel, bytes: message.bytes })
        return
      case 'exit':
        end(exitOf(message.code, host.abortFlag), true)
        return
      case 'file':
      case 'ahead':
      case 'place':
        void answer(message)
        return
      case 'command':
      case 'command-input':
      case 'command-taken':
      case 'command-stop':
        hostCommands.hear(message)
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  }
  const run = async (): Promise<void> => {
    try {
      lease = await pool.lease(ending.signal, script.isBackground ? 'background' : 'foreground')
    } catch (error) {
      // The script was ended while it waited for a worker. Its status is known already.
      end({ kind: 'lost', why: error instanceof Error ? error.message : String(error) }, false)
      return
    }
    if (lease.waitedMs >= saidWaitMs) sayWaited(lease.waitedMs)
    lease.listen(hear)
    lease.onLost(why => end({ kind: 'lost', why: `its worker broke: ${why}` }, false))
    const commands = host.commands.map(({ name, help }) => ({ name, help }))
    const request = { ...script, commands, ...(host.abortFlag === undefined ? {} : { abortFlag: host.abortFlag }) }
    lease.worker.port.post({ kind: 'run', runId, request, shared: lease.worker.shared })
  }
  void run()
  return {
    output: queue.output,
    exit,
    write: () =>
      Promise.reject(new AnchorageError('stdin-closed', 'This shell takes its input when it starts: give it as `stdin`.')),
    kill: async signal => {
      if (ending.signal.aborted) return 'already-exited'
      end({ kind: 'killed', signal: signal === 'kill' ? 'SIGKILL' : 'SIGTERM' }, false)
      return 'delivered'
    },
    changes: () => files.changes(),
  }
}

function exitOf(code: number, abortFlag: Int32Array | undefined): ExitStatus {
  const isFlagged = abortFlag !== undefined && Atomics.load(abortFlag, 0) !== 0
  return isFlagged ? { kind: 'killed', signal: 'SIGKILL', code } : { kind: 'exited', code }
}
