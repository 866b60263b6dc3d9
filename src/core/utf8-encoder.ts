/** The one encoder of text, which has no state. */
export const utf8Encoder: TextEncoder = new TextEncoder()
