// Runs a script on the thread of the workspace, if there are no workers. It pauses regularly for other work, and polls the clock:
// no timer fires during a loop of builtins, so such a loop blocks the thread until its time limit.

import { AnchorageError } from '../../core/errors.ts'
import { createPauser } from '../../core/pause.ts'
import { OutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, ShellProcess } from '../../shell/shell.ts'
import { filesBehind } from './files-by-verb.ts'
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
  const queue = new OutputQueue()
  const controller = new AbortController()
  const deadlineMs = performance.now() + script.timeoutMs
  let killedBy: 'SIGTERM' | 'SIGKILL' | undefined
  let hasExited = false
  let isTimeOver = false
  const timer = setTimeout(() => {
    isTimeOver = true
    controller.abort()
  }, script.timeoutMs)
  // A busy loop lets no timer fire, so the clock is checked too.
  const isOver = (): boolean => isTimeOver || performance.now() >= deadlineMs
  const isFlagged = (): boolean => host.abortFlag !== undefined && Atomics.load(host.abortFlag, 0) !== 0
  const pause = createPauser()
  const files = openRunFiles(host.vfs, host.order, () => controller.signal.aborted || isOver() || isFlagged())
  const run = async (): Promise<ExitStatus> => {
    // Starts in a later microtask, so that the caller has the process before its first output.
    await Promise.resolve()
    const code = await runScriptRequest({
      ...script,
      files: filesBehind(() => files.fs, pause),
      commands: tableOf(host.commands),
      signal: controller.signal,
      isStopped: () => isOver() || isFlagged(),
      pause,
      onOutput: (channel, bytes) => queue.push({ channel, bytes: bytes.slice() }),
    })
    await files.close()
    hasExited = true
    clearTimeout(timer)
    queue.end()
    if (killedBy !== undefined) return { kind: 'killed', signal: killedBy, code }
    if (isFlagged()) return { kind: 'killed', signal: 'SIGKILL', code }
    // The exit code does not tell: `timeout` in a script also returns 124, and a stopped script may return another code.
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
