// A time-out that comes when the test says so, and not earlier on a slow machine.

import type { RunOptions } from '../../shell/run.ts'
import { systemTimers } from '../../shell/timers.ts'

/** Only what hangs takes as long. */
export const patience = { timeoutMs: 50_000, killGraceMs: 20_000 } as const

export interface TimeOutByHand {
  readonly options: Pick<RunOptions, 'timeoutMs' | 'killGraceMs' | 'timers'>
  /** The command's time is over. Once it has ended this does nothing. */
  readonly ring: () => void
}

/** `timeoutMs` is what the shell hears of it: one that a busy loop keeps from listening ends such a command by itself. */
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
