/** The last character that has another case. */
export const lastCased = 0x1e943
