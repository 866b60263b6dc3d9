// Where things are in the memory of the functions in WebAssembly, and what else their callers must know. Separate from the functions, which
// a bundle for the edge leaves out: WebAssembly is not compiled there.

/** The maximum size of the text, which is at the start of the memory. Sixteen more bytes follow, which may be read but never count. */
export const maxTextBytes: number = 2 ** 19 - 16

/** The offset of the places that a scan finds, four bytes each. */
export const foundOffset: number = 2 ** 19
export const maxFound: number = 2 ** 14

/** Factors of the hashes; `shift` leaves eighteen bits. */
export const gramFactors = { three: 0x9e3779b1, four: 0xc2b2ae35, shift: 14 } as const

/** At how many bytes of a vector of sixteen a run of four begins, in whole fours. */
export const placesAtOnce = 12

/** Limits of the text and of the number of marks. The marks and the set are where a longer text would be. */
export const maxGramBytes = 65_536
export const maxMarks: number = 2 ** 18
export const marksOffset: number = 2 ** 17
export const setOffset: number = marksOffset + maxMarks

/** The smallest set that is kept. */
export const minSetBits = 512
/** A set is halved while the result is at most this dense; a denser set would answer "perhaps" too often. */
export const maxTenthsSet = 7

/** Where line-facts.ts writes its results. */
export const factsOffset: number = foundOffset - 16

/** The largest sets of a tile, and where it is laid; the sets are where a text would be. */
export const maxTileWords = 1024
export const tileOffset: number = maxTileWords * 32 * 4
export const squaresOffset: number = 2 * tileOffset
