// A command may start others and end before them. All that it started is in its process group, unless it took itself out of it, and goes
// with the group.

import { systemErrorCode } from '../../../core/errors.ts'

export type Signal = 'SIGTERM' | 'SIGKILL'

export class ProcessGroups {
  /** Groups that have, or may still have, a process. */
  readonly #leaders = new Set<number>()

  add(leader: number): void {
    this.#leaders.add(leader)
  }

  /** The leader is gone. What it left in the background stays until the shell is disposed. */
  leaderEnded(leader: number): void {
    // As long as one process of the group lives, the system gives its number to no other.
    if (!signalGroup(leader, 0)) this.#leaders.delete(leader)
  }

  /** Of a command that was told to end nothing may go on: what did not end with its leader has a moment left. */
  async end(leader: number): Promise<void> {
    for (let turn = 0; turn < 3 && signalGroup(leader, 0); turn++) await pause(10)
    // Not until the group is gone: one that nobody waits for stays in the system's list, and does nothing any more.
    if (signalGroup(leader, 'SIGKILL')) await pause(10)
    this.#leaders.delete(leader)
  }

  signal(leader: number, signal: Signal): void {
    if (this.#leaders.has(leader)) signalGroup(leader, signal)
  }

  /** Asks all, and insists after a while. */
  async endAll(): Promise<void> {
    const living = (): readonly number[] => [...this.#leaders].filter(leader => signalGroup(leader, 0))
    for (const leader of living()) signalGroup(leader, 'SIGTERM')
    for (let turn = 0; turn < 20 && living().length > 0; turn++) await pause(25)
    for (const leader of living()) signalGroup(leader, 'SIGKILL')
    if (living().length > 0) await pause(25)
    this.#leaders.clear()
  }
}

/** False when the group has no process (any more). */
function signalGroup(leader: number, signal: Signal | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') return false
    // A process that took on other rights (sudo) is there and cannot be signalled; macOS says so of one that just ended, too.
    if (systemErrorCode(error) === 'EPERM') return signal === 0
    throw error
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
