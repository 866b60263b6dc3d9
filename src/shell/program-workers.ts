// The workers of a command that runs programs, such as `js`. One that has run a program to its end runs the next one, because loading the
// engine takes longer than most programs.

import type { StartWorker } from '../core/start-worker.ts'
import type { StartedWorker } from '../core/started-worker.ts'
import type { FromProgramWorker } from './program-calls.ts'

export interface ProgramWorkerLease<Sent> {
  /** Whether the worker has run a program before. */
  readonly isUsed: boolean
  send(message: Sent): void
  /** Receives the messages of the worker from now on. */
  listen(onMessage: (message: FromProgramWorker) => void, onLost: (why: string) => void): void
  /** The worker may run another program. */
  giveBack(): void
  end(): void
}

export interface ProgramWorkerOptions<Sent> {
  /** Returns `undefined` if there are no workers. */
  readonly start: (startWorker: StartWorker | undefined) => StartedWorker<Sent, FromProgramWorker> | undefined
  /** More are ended. */
  readonly maxIdle: number
  /** A worker that has run as many is ended, because an engine may keep something of each program. */
  readonly maxPrograms: number
  /**
   * What a worker is told that follows one with `maxPrograms`, so that its engine is loaded before its first program. Without it the next
   * program starts its worker itself. `last` is what the worker before was told.
   */
  readonly prepare?: (last: Sent) => Sent
}

interface Member<Sent> {
  readonly worker: StartedWorker<Sent, FromProgramWorker>
  readonly startWorker: StartWorker | undefined
  programs: number
  onMessage: (message: FromProgramWorker) => void
  onLost: (why: string) => void
}

const ignore = (): void => undefined

export class ProgramWorkers<Sent> {
  readonly #idle: Member<Sent>[] = []
  readonly #options: ProgramWorkerOptions<Sent>

  constructor(options: ProgramWorkerOptions<Sent>) {
    this.#options = options
  }

  /** Returns `undefined` if there are no workers. */
  lease(startWorker: StartWorker | undefined): ProgramWorkerLease<Sent> | undefined {
    const member = this.#idle.pop() ?? this.#startMember(startWorker)
    if (member === undefined) return undefined
    member.worker.hold(true)
    const isUsed = member.programs > 0
    member.programs += 1
    const stop = (): void => {
      member.onMessage = ignore
      member.onLost = ignore
      member.worker.hold(false)
    }
    const { maxIdle, maxPrograms } = this.#options
    let last: Sent | undefined
    return {
      isUsed,
      send: message => {
        last = message
        member.worker.port.post(message)
      },
      listen: (onMessage, onLost) => Object.assign(member, { onMessage, onLost }),
      giveBack: () => {
        stop()
        if (this.#idle.length < maxIdle && member.programs < maxPrograms) {
          this.#idle.push(member)
          return
        }
        member.worker.end()
        if (this.#idle.length < maxIdle && last !== undefined) this.#prepareMember(member.startWorker, last)
      },
      end: () => {
        stop()
        member.worker.end()
      },
    }
  }

  #prepareMember(startWorker: StartWorker | undefined, last: Sent): void {
    const { prepare } = this.#options
    if (prepare === undefined) return
    let member: Member<Sent> | undefined
    try {
      member = this.#startMember(startWorker)
    } catch {
      // The next program tries again, and reports it.
    }
    if (member === undefined) return
    member.worker.port.post(prepare(last))
    this.#idle.push(member)
  }

  #startMember(startWorker: StartWorker | undefined): Member<Sent> | undefined {
    const worker = this.#options.start(startWorker)
    if (worker === undefined) return undefined
    const member: Member<Sent> = { worker, startWorker, programs: 0, onMessage: ignore, onLost: ignore }
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
