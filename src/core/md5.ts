// MD5, only for the tags of `LINE#ID`, whose format requires it. It is separate from the other hashes, so that it is not loaded
// first. It identifies lines and has no security purpose.

import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

/** The MD5 of the text in UTF-8, as 32 lower-case hex digits. */
export function md5Hex(text: string): string {
  return bytesToHex(md5(encoder.encode(text)))
}
