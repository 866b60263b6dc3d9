/** Options of `connectWorkspace` for a machine that is busy with other tests: the worker's many modules may take minutes to load. */
export const patient = { connectTimeoutMs: 300_000 } as const
