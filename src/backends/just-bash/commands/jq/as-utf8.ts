import { decodeText } from '../../../../shell/byte-text.ts'

/** What is no character cannot be in JSON. */
export function asUtf8(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  return text.isWellFormed() ? text : text.toWellFormed()
}
