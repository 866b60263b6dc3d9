// The limits that rye's document names. They are contract, not settings of a host.

/** Lines of one read. */
export const defaultReadLines = 2_000
export const maxLineCharacters = 2_000
export const maxOutputBytes = 51_200
/** Results of one glob or grep. */
export const maxResults = 100
export const searchTimeoutMs = 30_000
/** Entries of one ls. */
export const maxEntries = 2_000
