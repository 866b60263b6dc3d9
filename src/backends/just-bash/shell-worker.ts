// The script of the worker that shell commands run in, one at a time. Loaded as anything else than a worker it does nothing. It holds no
// files and no state of its own, so it can be ended at any instant.

import { runScript } from './engine.ts'
import { createOutputBuffer } from './output-buffer.ts'
import type { CommandAnswer, CommandRequest, FromWorker, RunRequest, ToWorker } from './protocol.ts'
import { createRemoteFiles } from './remote-files.ts'
import { awaitAnswer, expectAnswer, openSharedAnswers, type SharedAnswers } from './shared-answer.ts'
import { openParentPort } from './worker-scope.ts'

type Question =
  | { readonly kind: 'file'; readonly verb: Extract<FromWorker, { kind: 'file' }>['verb']; readonly args: readonly unknown[] }
  | { readonly kind: 'command'; readonly request: CommandRequest }

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

const port = openParentPort<FromWorker, ToWorker>()
if (port !== undefined) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let currentRunId = 0

  const ask = (runId: number, question: Question, shared: SharedAnswers | undefined): Promise<unknown> => {
    // Nobody would answer, and the next script would wait for that.
    if (runId !== currentRunId) return Promise.reject(new Error('ECANCELED: the script is over'))
    const id = ++lastId
    if (shared !== undefined) expectAnswer(shared)
    port.post({ ...question, runId, id }, transferable(question))
    const answer = shared === undefined ? undefined : awaitAnswer(shared)
    if (answer?.kind === 'here') return Promise.resolve(answer.value)
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }
  const settle = (id: number, act: (waiting: Waiting) => void): void => {
    const entry = waiting.get(id)
    waiting.delete(id)
    if (entry !== undefined) act(entry)
  }
  const run = async (
    runId: number,
    { commands, abortFlag, ...request }: RunRequest,
    memory: SharedArrayBuffer | undefined,
  ): Promise<void> => {
    const shared = memory === undefined ? undefined : openSharedAnswers(memory)
    currentRunId = runId
    const output = createOutputBuffer((channel, bytes) => port.post({ kind: 'output', runId, channel, bytes }, [bytes]))
    const code = await runScript({
      ...request,
      // This is where the answers to its questions get their types: they come from the same table that the questions name.
      files: createRemoteFiles((verb, args) => {
        output.flush()
        return ask(runId, { kind: 'file', verb, args }, shared) as never
      }),
      commands: commands.map(name => ({
        name,
        run: (args, context) => {
          output.flush()
          return ask(runId, { kind: 'command', request: { name, args, ...context } }, undefined) as Promise<CommandAnswer>
        },
      })),
      // It is ended from outside, and has this thread to itself until then.
      signal: new AbortController().signal,
      isStopped: () => {
        output.flushOld()
        return abortFlag !== undefined && Atomics.load(abortFlag, 0) !== 0
      },
      pause: () => Promise.resolve(),
      onWait: () => output.flush(),
      onOutput: (channel, bytes) => output.add(channel, bytes),
    })
    output.flush()
    currentRunId = 0
    port.post({ kind: 'exit', runId, code })
  }

  port.listen(message => {
    switch (message.kind) {
      case 'run':
        void run(message.runId, message.request, message.shared)
        return
      case 'answer':
        settle(message.id, ({ resolve }) => resolve(message.value))
        return
      case 'failure':
        settle(message.id, ({ reject }) => {
          const { code } = message
          reject(Object.assign(new Error(message.message), code === undefined ? {} : { code }))
        })
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  })
  port.post({ kind: 'ready' })
}

/** The bytes of a file that is written were made for this and are needed no more. */
function transferable(question: Question): readonly Uint8Array[] {
  return question.kind === 'file' ? question.args.filter(argument => argument instanceof Uint8Array) : []
}
