// The queue of the commands of a session.

import type { Deferred } from '../core/deferred.ts'
import { AnchorageError } from '../core/errors.ts'
import type { SessionCommandEnd, SessionRunOptions } from './session.ts'

/** A command that was given to `run` and has not ended. */
export interface WaitingCommand {
  readonly end: Deferred<SessionCommandEnd>
}

export class CommandQueue<Command extends WaitingCommand> {
  readonly #waiting: Command[] = []

  add(command: Command): void {
    this.#waiting.push(command)
  }

  next(): Command | undefined {
    return this.#waiting.shift()
  }

  takeAll(): readonly Command[] {
    return this.#waiting.splice(0)
  }

  rejectAll(): void {
    for (const { end } of this.takeAll())
      end.reject(new AnchorageError('session-over', 'The session of the shell ended before this command. Next: open a new one.'))
  }

  /** Resolves at the end of `command`. An abort removes it from the queue, or calls `interrupt` if it has started. */
  async endOf(command: Command, { signal }: SessionRunOptions, interrupt: () => void): Promise<SessionCommandEnd> {
    const onAbort = (): void => {
      const index = this.#waiting.indexOf(command)
      if (index === -1) interrupt()
      else this.#waiting.splice(index, 1)
      command.end.reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await command.end.promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

export function refuseOver(isOver: boolean): void {
  if (isOver) throw new AnchorageError('session-over', 'This session of the shell has ended. Next: open a new one.')
}
