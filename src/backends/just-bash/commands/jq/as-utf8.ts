import { decodeText } from '../../../../shell/byte-text.ts'

/** Decodes `bytes`; invalid UTF-8 becomes U+FFFD, because JSON text cannot hold it. */
export function asUtf8(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  return text.isWellFormed() ? text : text.toWellFormed()
}
