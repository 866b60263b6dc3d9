// A script on the thread of the workspace itself, where there are no workers. It lets others run now and then, and polls the clock: a loop
// of nothing but builtins lets no message through, so it keeps the thread until its time is over.

import { AnchorageError } from '../../core/errors.ts'
import { createPauser } from '../../core/pause.ts'
import { createOutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, ShellProcess } from '../../shell/shell.ts'
import { openRunFiles } from './run-files.ts'
import type { Script, ScriptHost, ScriptRunner } from './script.ts'

type Interpreter = typeof import('./interpreter/run-script.ts') & typeof import('./commands/own-commands.ts')

/** Loads the interpreter. */
export async function threadRunner(): Promise<ScriptRunner> {
  const interpreter = { ...(await import('./interpreter/run-script.ts')), ...(await import('./commands/own-commands.ts')) }
  const { SessionOnThread } = await import('./session-on-thread.ts')
  return {
    openSession: (host, start, onOutput) => new SessionOnThread(host, start, onOutput),
    start: (host, script) => startInThread(interpreter, host, script),
    dispose: () => undefined,
  }
}

function startInThread({ runScriptRequest, tableOf }: Interpreter, host: ScriptHost, script: Script): ShellProcess {
  const queue = createOutputQueue()
  const controller = new AbortController()
  const deadlineMs = performance.now() + script.timeoutMs
  let killedBy: 'SIGTERM' | 'SIGKILL' | undefined
  let hasExited = false
  let isTimeOver = false
  const timer = setTimeout(() => {
    isTimeOver = true
    controller.abort()
  }, script.timeoutMs)
  // The clock is asked too: a busy loop lets no timer through.
  const isOver = (): boolean => isTimeOver || performance.now() >= deadlineMs
  const isFlagged = (): boolean => host.abortFlag !== undefined && Atomics.load(host.abortFlag, 0) !== 0
  const files = openRunFiles(host.vfs, host.order, () => controller.signal.aborted || isOver() || isFlagged())
  const run = async (): Promise<ExitStatus> => {
    // One turn later, so that the caller holds the process before its first output.
    await Promise.resolve()
    const code = await runScriptRequest({
      ...script,
      files: files.fs,
      commands: tableOf(host.commands),
      signal: controller.signal,
      isStopped: () => isOver() || isFlagged(),
      pause: createPauser(),
      onOutput: (channel, bytes) => queue.push({ channel, bytes: bytes.slice() }),
    })
    await files.close()
    hasExited = true
    clearTimeout(timer)
    queue.end()
    if (killedBy !== undefined) return { kind: 'killed', signal: killedBy, code }
    if (isFlagged()) return { kind: 'killed', signal: 'SIGKILL', code }
    // Not by the code: `timeout` in a script answers 124 too, and a stopped script need not.
    return isOver() ? { kind: 'timed-out' } : { kind: 'exited', code }
  }
  return {
    output: queue.output,
    exit: run(),
    write: () =>
      Promise.reject(new AnchorageError('stdin-closed', 'This shell takes its input when it starts: give it as `stdin`.')),
    kill: signal => {
      if (hasExited) return Promise.resolve('already-exited')
      killedBy ??= signal === 'kill' ? 'SIGKILL' : 'SIGTERM'
      controller.abort()
      return Promise.resolve('delivered')
    },
    changes: () => files.changes(),
  }
}
