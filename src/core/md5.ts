// MD5, only for the tags of `LINE#ID`, whose format requires it. Separate from the other hashes, so that it is not loaded first. It names
// lines and proves nothing.

import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const encoder = new TextEncoder()

/** MD5 of the text's UTF-8, as 32 lower-case hex digits. */
export function md5Hex(text: string): string {
  return bytesToHex(md5(encoder.encode(text)))
}
