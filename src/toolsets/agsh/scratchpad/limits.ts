export const defaultReadCharacters = 30_000
export const maxMatchingLines = 100
