// Arguments and variables are bytes in Unix but strings here. A byte that is not part of valid UTF-8 is decoded to a lone
// surrogate, U+DC80 to U+DCFF, and encoded to the same byte again, so that variables preserve all bytes.

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Decodes so that `encodeText` restores every byte. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    // The bytes as a whole are not valid UTF-8, so they are decoded in pieces.
    return decodePieces(bytes)
  }
}

/** Encodes `text`, restoring bytes from lone surrogates. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (text.isWellFormed()) return encoder.encode(text)
  const parts: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(code - 0xdc00)
    else for (const byte of encoder.encode(character)) parts.push(byte)
  }
  return Uint8Array.from(parts)
}

function decodePieces(bytes: Uint8Array): string {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (at > start) parts.push(strictDecoder.decode(bytes.subarray(start, at)))
    parts.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)))
    at += 1
    start = at
  }
  if (start < bytes.length) parts.push(strictDecoder.decode(bytes.subarray(start)))
  return parts.join('')
}

/** The length in bytes of the character at `at`, or 0 if no valid character begins there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0
  const second = bytes[at + 1] ?? 0
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}
