// The shell of a session in a worker. It remains only while a job or an open file outlives the command. Otherwise its state is
// returned at the end of the command, and the next command may run in another worker.

import { createPauser } from '../../core/pause.ts'
import type { TerminalSize } from '../../shell/session.ts'
import { InteractiveShell, type InteractiveRequest } from './interpreter/interactive.ts'
import type { OutputBuffer } from './output-buffer.ts'
import type { Port } from '../../core/port.ts'
import type { FromWorker, SessionRequest, ToWorker } from './protocol.ts'

/** Above this amount of unread output, commands wait. */
export const maxUnreadBytes: number = 256 * 1024

type Heard = Extract<ToWorker, { readonly kind: 'line' | 'input' | 'interrupt' | 'taken' }>

export interface SessionPlace {
  readonly port: Port<FromWorker, ToWorker>
  readonly runId: number
  readonly output: OutputBuffer
  /** Called when the worker is free. */
  readonly release: () => void
}

export class SessionInWorker {
  readonly #shell: InteractiveShell
  readonly #place: SessionPlace
  #unreadBytes = 0
  #waiting: (() => void)[] = []

  constructor(request: Omit<InteractiveRequest, 'state' | 'onOutput' | 'pause'>, { state }: SessionRequest, place: SessionPlace) {
    this.#place = place
    this.#shell = new InteractiveShell({
      ...request,
      state,
      // A busy loop must respond to Ctrl+C.
      pause: createPauser(),
      onOutput: (channel, bytes) => {
        place.output.add(channel, bytes.slice())
        this.#unreadBytes += bytes.length
        if (this.#unreadBytes <= maxUnreadBytes) return undefined
        place.output.flush()
        return new Promise(resolve => this.#waiting.push(resolve))
      },
    })
  }

  hear(message: Heard): void {
    switch (message.kind) {
      case 'line':
        void this.line(message.script, message.size)
        return
      case 'input':
        this.#shell.input(message.bytes)
        return
      case 'interrupt':
        this.#shell.interrupt()
        this.#goOn()
        return
      case 'taken':
        this.#unreadBytes -= message.sizeBytes
        if (this.#unreadBytes <= maxUnreadBytes / 2) this.#goOn()
        return
      default:
        throw new Error(`unreachable: ${JSON.stringify(message satisfies never)}`)
    }
  }

  async line(script: string, size: TerminalSize): Promise<void> {
    const { port, runId, output, release } = this.#place
    const end = await this.#shell.runLine(script, size)
    output.flush()
    if (end.isOver || !end.isHeld) release()
    port.post({ kind: 'line-end', runId, ...end })
  }

  #goOn(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
