// The document has no limits but the time-out; these keep one answer readable. An answer names its omissions and how to read them.

export const defaultTimeoutSeconds = 30
/** Lines of one read_file. */
export const readMaxBytes: number = 50 * 1024
/** Code points shown of a line. */
export const maxLineCharacters = 10_000
/** Tagged lines after an edit. */
export const maxFreshLines = 200
export const contextLines = 2
