/** The range of the argument `timeout`. */
export const minTimeoutMs = 500
export const maxTimeoutMs = 60_000
