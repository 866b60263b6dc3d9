// Time as the tabs' parts are given it, so that a simulation can give them another one.

/** Does `work` after so long, unless what it gives is called before. */
export type After = (delayMs: number, work: () => void) => () => void
