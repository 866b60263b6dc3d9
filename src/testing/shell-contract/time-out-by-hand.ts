// A time-out that a test triggers, and that never comes earlier on a slow machine.

import type { RunOptions } from '../../shell/run.ts'
import { systemTimers } from '../../shell/timers.ts'

/** Reached only by commands that hang. */
export const patience = { timeoutMs: 50_000, killGraceMs: 20_000 } as const

export interface TimeOutByHand {
  readonly options: Pick<RunOptions, 'timeoutMs' | 'killGraceMs' | 'timers'>
  /** Triggers the time-out. Does nothing after the command has ended. */
  readonly ring: () => void
}

/** The shell receives `timeoutMs`: a shell that a busy loop blocks ends such a command itself. */
export function timeOutByHand(timeoutMs: number = patience.timeoutMs): TimeOutByHand {
  let ring: (() => void) | undefined
  return {
    options: {
      ...patience,
      timeoutMs,
      timers: {
        ...systemTimers,
        after(delayMs, callback) {
          if (delayMs !== timeoutMs) return systemTimers.after(delayMs, callback)
          ring = callback
          return () => {
            ring = undefined
          }
        },
      },
    },
    ring: () => ring?.(),
  }
}
