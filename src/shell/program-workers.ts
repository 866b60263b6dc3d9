// The workers of a command that runs programs, such as `js`. One that has run a program to its end runs the next one, because loading the
// engine takes longer than most programs.

import type { StartWorker } from '../core/start-worker.ts'
import type { StartedWorker } from '../core/started-worker.ts'
import type { FromProgramWorker } from './program-calls.ts'

export interface ProgramWorkerLease<Sent> {
  /** Whether the worker was started for this program. Another one may have no memory left, or have failed to load its engine. */
  readonly isFresh: boolean
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
  /** How often the idle workers were ended. A worker that was leased before is not kept. */
  #disposals = 0
  readonly #options: ProgramWorkerOptions<Sent>

  constructor(options: ProgramWorkerOptions<Sent>) {
    this.#options = options
  }

  /** Returns `undefined` if there are no workers. */
  lease(startWorker: StartWorker | undefined): ProgramWorkerLease<Sent> | undefined {
    const idle = this.#idle.pop()
    const member = idle ?? this.#startMember(startWorker)
    if (member === undefined) return undefined
    member.worker.hold(true)
    const disposals = this.#disposals
    member.programs += 1
    const stop = (): void => {
      member.onMessage = ignore
      member.onLost = ignore
      member.worker.hold(false)
    }
    const { maxIdle, maxPrograms } = this.#options
    let last: Sent | undefined
    return {
      isFresh: idle === undefined,
      send: message => {
        last = message
        member.worker.port.post(message)
      },
      listen: (onMessage, onLost) => Object.assign(member, { onMessage, onLost }),
      giveBack: () => {
        stop()
        const isWanted = this.#disposals === disposals && this.#idle.length < maxIdle
        if (isWanted && member.programs < maxPrograms) {
          this.#idle.push(member)
          return
        }
        member.worker.end()
        if (isWanted && last !== undefined) this.#prepareMember(member.startWorker, last)
      },
      end: () => {
        stop()
        member.worker.end()
      },
    }
  }

  /** Ends the workers that run nothing, and each other one after its program. Later programs start new ones. */
  dispose(): void {
    this.#disposals += 1
    for (const member of this.#idle.splice(0)) member.worker.end()
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
    const prepared = member
    prepared.onMessage = ({ kind }) => {
      if (kind === 'unavailable') this.#drop(prepared)
    }
    prepared.worker.port.post(prepare(last))
    this.#idle.push(prepared)
  }

  #startMember(startWorker: StartWorker | undefined): Member<Sent> | undefined {
    const worker = this.#options.start(startWorker)
    if (worker === undefined) return undefined
    const member: Member<Sent> = { worker, startWorker, programs: 0, onMessage: ignore, onLost: ignore }
    worker.port.listen(message => member.onMessage(message))
    worker.onLost(why => {
      this.#drop(member)
      member.onLost(why)
    })
    return member
  }

  #drop(member: Member<Sent>): void {
    const index = this.#idle.indexOf(member)
    if (index !== -1) this.#idle.splice(index, 1)
    member.worker.end()
  }
}
