/** How much of its input a command of a shell may need at once, in bytes: an endless input must end the command and not the worker. */
export const mostInputBytes: number = 256 * 1024 * 1024
