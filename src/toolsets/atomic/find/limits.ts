/** What the argument `timeout` may ask for. */
export const minTimeoutMs = 500
export const maxTimeoutMs = 60_000
