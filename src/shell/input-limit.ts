/** The maximum input, in bytes, that a command collects in memory: an endless input must end the command, not the worker. */
export const mostInputBytes: number = 256 * 1024 * 1024
