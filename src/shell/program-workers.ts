// The workers of a command that runs programs, such as `js`. One that has run a program to its end runs the next one, because loading the
// engine takes longer than most programs.

import type { StartWorker } from '../core/start-worker.ts'
import type { StartedWorker } from '../core/started-worker.ts'
import type { FromProgramWorker } from './program-calls.ts'

export interface ProgramWorkerLease<Sent> {
  readonly worker: StartedWorker<Sent, FromProgramWorker>
  /** Receives the messages of the worker from now on. */
  listen(onMessage: (message: FromProgramWorker) => void, onLost: (why: string) => void): void
  /** The worker may run another program. */
  giveBack(): void
  end(): void
}

interface Member<Sent> {
  readonly worker: StartedWorker<Sent, FromProgramWorker>
  onMessage: (message: FromProgramWorker) => void
  onLost: (why: string) => void
}

const ignore = (): void => undefined

export class ProgramWorkers<Sent> {
  readonly #idle: Member<Sent>[] = []
  readonly #start: (startWorker: StartWorker | undefined) => StartedWorker<Sent, FromProgramWorker> | undefined
  readonly #maxIdle: number

  /** @param start returns `undefined` if there are no workers @param maxIdle more are ended */
  constructor(
    start: (startWorker: StartWorker | undefined) => StartedWorker<Sent, FromProgramWorker> | undefined,
    maxIdle: number,
  ) {
    this.#start = start
    this.#maxIdle = maxIdle
  }

  /** Returns `undefined` if there are no workers. */
  lease(startWorker: StartWorker | undefined): ProgramWorkerLease<Sent> | undefined {
    const member = this.#idle.pop() ?? this.#startMember(startWorker)
    if (member === undefined) return undefined
    member.worker.hold(true)
    const stop = (): void => {
      member.onMessage = ignore
      member.onLost = ignore
      member.worker.hold(false)
    }
    return {
      worker: member.worker,
      listen: (onMessage, onLost) => Object.assign(member, { onMessage, onLost }),
      giveBack: () => {
        stop()
        if (this.#idle.length < this.#maxIdle) this.#idle.push(member)
        else member.worker.end()
      },
      end: () => {
        stop()
        member.worker.end()
      },
    }
  }

  #startMember(startWorker: StartWorker | undefined): Member<Sent> | undefined {
    const worker = this.#start(startWorker)
    if (worker === undefined) return undefined
    const member: Member<Sent> = { worker, onMessage: ignore, onLost: ignore }
    worker.port.listen(message => member.onMessage(message))
    worker.onLost(why => {
      const index = this.#idle.indexOf(member)
      if (index !== -1) this.#idle.splice(index, 1)
      worker.end()
      member.onLost(why)
    })
    return member
  }
}
