/** Lines of a read that names neither offset nor limit. */
export const defaultLines = 2000

/** The size of an image as it is shown, about 5 MB of base64: the limit of model providers. */
export const imageMaxBytes = 3_750_000
