// The signals of `timeout`: the command and all that it has started get them.

import type { TimedSignal } from '../../../shell/commands.ts'
import type { Shell } from './shell.ts'
import { deliver, signalName, signalNumbers } from './traps.ts'

/** A timer fires no later than this. */
const longestTimerMs = 2 ** 31 - 1

export class TimedSignals {
  readonly #leader: Shell
  readonly #outer: TimedSignals | undefined
  readonly #waiting: TimedSignal[]
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(leader: Shell, signals: readonly TimedSignal[]) {
    this.#leader = leader
    this.#outer = leader.timedSignals
    this.#waiting = [...signals]
    leader.timedSignals = this
    this.#setTimer()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#waiting.length = 0
  }

  /** Called often by busy processes, because no timer fires meanwhile. */
  sendDue(): void {
    this.#outer?.sendDue()
    const [first] = this.#waiting
    if (first === undefined || performance.now() < first.atMs) return
    this.#waiting.shift()
    first.onSent?.()
    this.#send(signalName(first.signal) ?? 'TERM')
    this.#setTimer()
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    const [first] = this.#waiting
    if (first === undefined) return
    const fire = (): void => {
      this.sendDue()
      this.#setTimer()
    }
    this.#timer = setTimeout(fire, Math.min(Math.max(0, first.atMs - performance.now()), longestTimerMs))
  }

  #send(name: string): void {
    const group = [...this.#leader.run.processes.values()].filter(process => this.#covers(process))
    const isTrappable = name !== 'KILL' && name !== 'STOP'
    const survivors = group.filter(process => isTrappable && process.traps.has(name))
    for (const process of group) {
      const survivor = survivors.find(other => other === process || other.isAwaitedBy(process))
      // `env` and `timeout` itself become the program that they start, or wait for it.
      if (survivor !== undefined && survivor !== process && process.isForProgram) continue
      deliver(process, name, survivor)
      if (survivor === process && process.traps.get(name) !== '') process.endProgram(128 + (signalNumbers[name] ?? 15))
    }
  }

  #covers(process: Shell): boolean {
    let timed = process.timedSignals
    while (timed !== undefined && timed !== this) timed = timed.#outer
    return timed === this
  }
}
