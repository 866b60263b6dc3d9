// A command may start other processes and end before them. All that it started are in its process group, and are ended with the group. Those
// that left it are found by a mark in their environment.

import { randomUUID } from 'node:crypto'
import { systemErrorCode } from '../../../core/errors.ts'
import { killMarked, markVariable } from './strays.ts'

export type Signal = 'SIGTERM' | 'SIGKILL'

export class ProcessGroups {
  /** Groups that have, or may still have, a process. */
  readonly #leaders = new Set<number>()
  readonly #id = randomUUID()
  #lastNumber = 0
  /** By leader. */
  readonly #marks = new Map<number, string>()

  /** `env` with a unique mark, for a command that is about to start. */
  marked(env: Readonly<Record<string, string>>): Record<string, string> {
    this.#lastNumber += 1
    return { ...env, [markVariable]: `${this.#id}.${this.#lastNumber}.` }
  }

  /** `env`: of the command, as `marked` gave it. */
  add(leader: number, env: Readonly<Record<string, string>>): void {
    this.#leaders.add(leader)
    const mark = env[markVariable]
    if (mark !== undefined) this.#marks.set(leader, mark)
  }

  /** The leader has ended. Its background processes stay until the shell is disposed. */
  leaderEnded(leader: number): void {
    // As long as one process of the group exists, the system does not reuse its number.
    if (!signalGroup(leader, 0)) this.#forget(leader)
  }

  /** Ends all processes of a command. Those that did not end with their leader get a moment before they are killed. */
  async end(leader: number): Promise<void> {
    for (let turn = 0; turn < 3 && signalGroup(leader, 0); turn++) await pause(10)
    // Wait until the group is gone. A process that was not reaped stays in the system's list, but does nothing any more.
    if (signalGroup(leader, 'SIGKILL')) await pause(10)
    const mark = this.#marks.get(leader)
    if (mark !== undefined) killMarked(mark)
    this.#forget(leader)
  }

  #forget(leader: number): void {
    this.#leaders.delete(leader)
    this.#marks.delete(leader)
  }

  signal(leader: number, signal: Signal): void {
    if (this.#leaders.has(leader)) signalGroup(leader, signal)
  }

  /** Sends SIGTERM to all, and SIGKILL after a while. */
  async endAll(): Promise<void> {
    const living = (): readonly number[] => [...this.#leaders].filter(leader => signalGroup(leader, 0))
    for (const leader of living()) signalGroup(leader, 'SIGTERM')
    for (let turn = 0; turn < 20 && living().length > 0; turn++) await pause(25)
    for (const leader of living()) signalGroup(leader, 'SIGKILL')
    if (living().length > 0) await pause(25)
    if (this.#lastNumber > 0) killMarked(this.#id)
    this.#leaders.clear()
    this.#marks.clear()
  }
}

/** False if the group has no process. */
function signalGroup(leader: number, signal: Signal | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false
    // A process with other rights (sudo) exists and cannot be signalled. macOS reports the same for a process that has just ended.
    if (systemErrorCode(error) === 'EPERM') return signal === 0
    throw error
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
