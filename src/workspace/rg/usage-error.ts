/** An error in a call of rg, before anything was searched. */
export class UsageError extends Error {}
