// The workers of the command. One that has run a program to its end runs the next one, because loading the engine takes longer than
// most programs. Each program has an engine of its own.

import type { StartWorker, WebWorkerLike } from '../../core/start-worker.ts'
import type { FromJsWorker } from './protocol.ts'
import { startJsWorker, type JsWorker } from './spawn.ts'

export interface JsWorkerLease {
  readonly worker: JsWorker
  /** Receives the messages of the worker from now on. */
  listen(onMessage: (message: FromJsWorker) => void, onLost: (why: string) => void): void
  /** The worker may run another program. */
  giveBack(): void
  end(): void
}

interface Member {
  readonly worker: JsWorker
  onMessage: (message: FromJsWorker) => void
  onLost: (why: string) => void
}

/** More are ended. */
const maxIdle = 2

const ignore = (): void => undefined

export class JsWorkers {
  readonly #idle: Member[] = []
  readonly #create: (() => WebWorkerLike) | undefined

  constructor(create: (() => WebWorkerLike) | undefined) {
    this.#create = create
  }

  /** Returns `undefined` if there are no workers. */
  lease(startWorker: StartWorker | undefined): JsWorkerLease | undefined {
    const member = this.#idle.pop() ?? this.#start(startWorker)
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
        if (this.#idle.length < maxIdle) this.#idle.push(member)
        else member.worker.end()
      },
      end: () => {
        stop()
        member.worker.end()
      },
    }
  }

  #start(startWorker: StartWorker | undefined): Member | undefined {
    const worker = startJsWorker(startWorker, this.#create)
    if (worker === undefined) return undefined
    const member: Member = { worker, onMessage: ignore, onLost: ignore }
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
