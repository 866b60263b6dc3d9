// The limits of rye's document. They are part of its contract; a host cannot change them.

/** Lines of one read. */
export const defaultReadLines = 2_000
export const maxLineCharacters = 2_000
export const maxOutputBytes = 51_200
/** Results of one glob or grep. */
export const maxResults = 100
export const searchTimeoutMs = 30_000
/** Entries of one ls. */
export const maxEntries = 2_000
