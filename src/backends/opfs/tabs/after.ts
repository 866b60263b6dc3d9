// Timers as a parameter, so that a simulation can replace them.

/** Runs `work` after `delayMs`, unless the returned function is called before. */
export type After = (delayMs: number, work: () => void) => () => void
