/** Lines of a read that names neither offset nor limit. */
export const defaultLines = 2000

/** Of an image as it is shown, which is about 5 MB of base64: what model providers take. */
export const imageMaxBytes = 3_750_000
