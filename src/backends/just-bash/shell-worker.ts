// The entry point of a worker that runs shell commands, one at a time. It does nothing if it is not loaded as a worker. It has no
// files and no state, so it can be ended at any time.

import { BrokenPipeError, type ShellCommandContext, type ShellCommandDefinition } from '../../shell/commands.ts'
import type { Awaitable } from '../../shell/files.ts'
import { tableOf } from './commands/own-commands.ts'
import { runScriptRequest } from './interpreter/run-script.ts'
import { SessionInWorker } from './session-in-worker.ts'
import { OutputBuffer } from './output-buffer.ts'
import type { CommandDescription, FileQuestion, FromWorker, RunRequest, ToWorker } from './protocol.ts'
import { createRemoteFiles } from './remote-files.ts'
import { awaitAnswer, expectAnswer, openSharedAnswers, type SharedAnswers, type SharedFailure } from './shared-answer.ts'
import { openParentPort } from '../../core/worker-scope.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** The context of a host command that runs for this script. */
  readonly context?: ShellCommandContext
}

const port = openParentPort<FromWorker, ToWorker>()
if (port !== undefined) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let currentRunId = 0

  const askForFiles = (runId: number, question: FileQuestion, shared: SharedAnswers | undefined): Awaitable<unknown> => {
    // The request would get no answer, and the next script would wait for it.
    if (runId !== currentRunId) return Promise.reject(new Error('ECANCELED: the script is over'))
    const id = ++lastId
    if (shared !== undefined) expectAnswer(shared)
    port.post({ ...question, runId, id }, question.kind === 'file' ? transferable(question.args) : [])
    const answer = shared === undefined ? undefined : awaitAnswer(shared)
    if (answer?.kind === 'here') return answer.value
    if (answer?.kind === 'failure') throw errorOf(answer.failure)
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }
  const hostCommand = (runId: number, { name, help }: CommandDescription, wait: () => void): ShellCommandDefinition => ({
    name,
    ...(help === undefined ? {} : { help }),
    run: async context => {
      wait()
      const id = ++lastId
      const { args, cwd, env, stdin, signal } = context
      signal.throwIfAborted()
      const stop = (): void => {
        settle(id, ({ reject }) => reject(signal.reason))
        port.post({ kind: 'command-stop', runId, id })
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        const code = await new Promise<unknown>((resolve, reject) => {
          waiting.set(id, { resolve, reject, context })
          port.post({ kind: 'command', runId, id, request: { name, args, cwd, env: { ...env }, hasInput: stdin.isGiven } })
        })
        wait()
        return Number(code)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  })
  const settle = (id: number, act: (waiting: Waiting) => void): void => {
    const entry = waiting.get(id)
    waiting.delete(id)
    if (entry !== undefined) act(entry)
  }
  const giveInput = async (id: number): Promise<void> => {
    const bytes = await waiting.get(id)?.context?.stdin.read()
    port.post({ kind: 'command-input', runId: currentRunId, id, bytes: bytes?.slice() })
  }
  const takeOutput = async ({ id, channel, bytes }: Extract<ToWorker, { kind: 'command-output' }>): Promise<void> => {
    let isBroken = false
    try {
      await waiting.get(id)?.context?.[channel].write(bytes)
    } catch (error) {
      if (!(error instanceof BrokenPipeError))
        settle(id, ({ reject }) => reject(error instanceof Error ? error : new Error(String(error))))
      isBroken = true
    }
    port.post({ kind: 'command-taken', runId: currentRunId, id, isBroken })
  }
  let session: SessionInWorker | undefined
  const run = async (
    runId: number,
    { commands, abortFlag, session: ofSession, ...request }: RunRequest,
    memory: SharedArrayBuffer | undefined,
  ): Promise<void> => {
    const shared = memory === undefined ? undefined : openSharedAnswers(memory)
    currentRunId = runId
    const output = new OutputBuffer((channel, bytes) => port.post({ kind: 'output', runId, channel, bytes }, [bytes]))
    const { files, forgetAhead } = createRemoteFiles(question => {
      output.flush()
      return askForFiles(runId, question, shared)
    })
    const wait = (): void => {
      forgetAhead()
      output.flush()
    }
    const surroundings = {
      files,
      commands: tableOf(commands.map(description => hostCommand(runId, description, wait))),
      // The worker is ended from outside, and blocks this thread until then.
      signal: new AbortController().signal,
      isStopped: () => {
        output.flushOld()
        return abortFlag !== undefined && Atomics.load(abortFlag, 0) !== 0
      },
      onWait: wait,
    }
    if (ofSession !== undefined) {
      const release = (): void => {
        session = undefined
        currentRunId = 0
        waiting.clear()
      }
      session = new SessionInWorker({ ...request, ...surroundings }, ofSession, { port, runId, output, release })
      await session.line(request.script, ofSession)
      return
    }
    const code = await runScriptRequest({
      ...request,
      ...surroundings,
      onOutput: (channel, bytes) => output.add(channel, bytes.slice()),
    })
    output.flush()
    currentRunId = 0
    waiting.clear()
    port.post({ kind: 'exit', runId, code })
  }

  port.listen(message => {
    switch (message.kind) {
      case 'run':
        void run(message.runId, message.request, message.shared)
        return
      case 'line':
      case 'input':
      case 'interrupt':
      case 'taken':
        if (message.runId === currentRunId) session?.hear(message)
        return
      case 'answer':
        settle(message.id, ({ resolve }) => resolve(message.value))
        return
      case 'failure':
        settle(message.id, ({ reject }) => reject(errorOf(message)))
        return
      case 'command-read':
        void giveInput(message.id)
        return
      case 'command-output':
        void takeOutput(message)
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  })
  port.post({ kind: 'ready' })
}

function errorOf({ message, code }: SharedFailure): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code })
}

/** The written bytes are copies that are not needed afterwards, so they can be transferred. */
function transferable(args: readonly unknown[]): readonly Uint8Array[] {
  return args.filter(argument => argument instanceof Uint8Array)
}
