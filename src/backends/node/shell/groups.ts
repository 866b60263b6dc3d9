// A command may start other processes and end before them. All that it started are in its process group, unless they left it, and are ended
// with the group.

import { systemErrorCode } from '../../../core/errors.ts'

export type Signal = 'SIGTERM' | 'SIGKILL'

export class ProcessGroups {
  /** Groups that have, or may still have, a process. */
  readonly #leaders = new Set<number>()

  add(leader: number): void {
    this.#leaders.add(leader)
  }

  /** The leader has ended. Its background processes stay until the shell is disposed. */
  leaderEnded(leader: number): void {
    // As long as one process of the group exists, the system does not reuse its number.
    if (!signalGroup(leader, 0)) this.#leaders.delete(leader)
  }

  /** Ends all processes of a command. Those that did not end with their leader get a moment before they are killed. */
  async end(leader: number): Promise<void> {
    for (let turn = 0; turn < 3 && signalGroup(leader, 0); turn++) await pause(10)
    // Wait until the group is gone. A process that was not reaped stays in the system's list, but does nothing any more.
    if (signalGroup(leader, 'SIGKILL')) await pause(10)
    this.#leaders.delete(leader)
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
    this.#leaders.clear()
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
