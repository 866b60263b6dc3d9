// Runs the commands of the host on the thread of the files, while the scripts that call them run in workers. Input and output are
// sent through the port in chunks, and a command waits until its output has been read.

import { encodeText } from '../../shell/byte-text.ts'
import { BrokenPipeError, type ShellCommandDefinition, type ShellOutput } from '../../shell/commands.ts'
import { deferred, type Deferred } from '../../core/deferred.ts'
import type { StartWorker } from '../../core/start-worker.ts'
import type { ShellFiles } from '../../shell/files.ts'
import { failureOf } from './file-server.ts'
import type { CommandRequest, FromWorker, ToWorker } from './protocol.ts'

export interface HostCommandsOptions {
  readonly commands: readonly ShellCommandDefinition[]
  readonly files: ShellFiles
  readonly signal: AbortSignal
  readonly startWorker: StartWorker | undefined
  readonly send: (message: ToWorker) => void
}

interface Running {
  readonly ending: AbortController
  input: Deferred<Uint8Array | undefined> | undefined
  taken: Deferred<void> | undefined
}

export class HostCommands {
  readonly #options: HostCommandsOptions
  readonly #running = new Map<number, Running>()

  constructor(options: HostCommandsOptions) {
    this.#options = options
    // A command that waits for the script must not wait forever.
    options.signal.addEventListener('abort', () => {
      for (const running of this.#running.values()) end(running, options.signal.reason)
    })
  }

  hear(message: Extract<FromWorker, { kind: 'command' | 'command-input' | 'command-taken' | 'command-stop' }>): void {
    if (message.kind === 'command') void this.#run(message.id, message.request)
    else if (message.kind === 'command-input') this.#running.get(message.id)?.input?.resolve(message.bytes)
    else if (message.kind === 'command-stop') {
      const running = this.#running.get(message.id)
      if (running !== undefined) end(running, new Error('the script has ended the command'))
    } else if (message.isBroken) this.#running.get(message.id)?.taken?.reject(new BrokenPipeError())
    else this.#running.get(message.id)?.taken?.resolve()
  }

  async #run(id: number, { name, args, cwd, env, hasInput }: CommandRequest): Promise<void> {
    const { commands, files, startWorker, send } = this.#options
    const ending = new AbortController()
    const { signal } = ending
    if (this.#options.signal.aborted) ending.abort(this.#options.signal.reason)
    const running: Running = { ending, input: undefined, taken: undefined }
    this.#running.set(id, running)
    try {
      const command = commands.find(candidate => candidate.name === name)
      if (command === undefined) throw new Error(`unreachable: there is no command ${name}`)
      const code = await command.run({
        args,
        cwd,
        env,
        files,
        signal,
        startWorker,
        stdin: {
          isGiven: hasInput,
          read: () => {
            if (!hasInput || signal.aborted) return undefined
            running.input = deferred()
            send({ kind: 'command-read', id })
            return running.input.promise
          },
        },
        stdout: this.#output(id, running, 'stdout'),
        stderr: this.#output(id, running, 'stderr'),
      })
      send({ kind: 'answer', id, value: code })
    } catch (error) {
      send(error instanceof BrokenPipeError ? { kind: 'answer', id, value: 141 } : failureOf(id, error))
    } finally {
      this.#running.delete(id)
    }
  }

  #output(id: number, running: Running, channel: 'stdout' | 'stderr'): ShellOutput {
    const { send } = this.#options
    const { signal } = running.ending
    return {
      write: async data => {
        if (data.length === 0) return
        if (signal.aborted) throw new BrokenPipeError()
        await running.taken?.promise
        running.taken = deferred()
        send({ kind: 'command-output', id, channel, bytes: typeof data === 'string' ? encodeText(data) : data.slice() })
        await running.taken.promise
      },
    }
  }
}

function end({ ending, input, taken }: Running, reason: unknown): void {
  ending.abort(reason)
  input?.resolve(undefined)
  taken?.reject(new BrokenPipeError())
}
