// The worker's side of a shell session: sends output as fast as the page consumes it, and the state whenever it changes.

import type { SessionRunOptions, ShellSession } from '../shell/session.ts'
import { releaseCallback } from './callback.ts'
import type { WireShellEnd, WireShellMessage } from './shell-verbs.ts'

/** The limit for output that the page has not consumed; beyond it, the session waits. */
const maxUntakenBytes = 1024 * 1024

export class RemoteShell {
  readonly session: ShellSession
  readonly #listener: (value: unknown) => void
  readonly #stopListening: () => void
  #sentBytes = 0
  #takenBytes = 0
  #sentCommands = 0
  #lastCommand: string | undefined
  #wake: (() => void) | undefined

  constructor(session: ShellSession, listener: (value: unknown) => void) {
    this.session = session
    this.#listener = listener
    this.#stopListening = session.onChange(() => this.#sendState())
    void this.#pump()
  }

  async run(command: string, options: SessionRunOptions): Promise<WireShellEnd> {
    const end = await this.session.run(command, options)
    await this.session.drained()
    this.#sendState()
    return { end, sentBytes: this.#sentBytes }
  }

  taken(sizeBytes: number): void {
    this.#takenBytes += sizeBytes
    this.#wake?.()
  }

  async close(): Promise<void> {
    this.#takenBytes = Number.POSITIVE_INFINITY
    this.#wake?.()
    await this.session.close()
  }

  #send(message: WireShellMessage): void {
    this.#listener(message)
  }

  #sendState(): void {
    const { cwd, exitCode, isBusy, history } = this.session
    // Old commands are dropped from the history, so the index of the last command that was sent may have changed.
    const known = this.#sentCommands === 0 ? 0 : history.lastIndexOf(this.#lastCommand ?? '') + 1
    const ran = history.slice(known)
    this.#sentCommands += ran.length
    this.#lastCommand = history.at(-1)
    this.#send({ kind: 'state', cwd, exitCode, isBusy, ran })
  }

  async #pump(): Promise<void> {
    for await (const chunk of this.session.output) {
      this.#sentBytes += chunk.bytes.length
      this.#send({ kind: 'output', chunk })
      while (this.#sentBytes - this.#takenBytes > maxUntakenBytes) {
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      }
    }
    this.#stopListening()
    this.#sendState()
    this.#send({ kind: 'ended', exit: await this.session.ended })
    releaseCallback(this.#listener)
  }
}
