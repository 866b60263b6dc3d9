// The text to search in a file. UTF-16 with a byte order mark is converted to UTF-8; without a mark it cannot be recognised.

const encoder = new TextEncoder()

/** The file's own bytes, or their text as UTF-8. */
export function searchableText(bytes: Uint8Array): Uint8Array {
  const label = utf16Label(bytes)
  return label === undefined ? bytes : encoder.encode(new TextDecoder(label).decode(bytes))
}

/** Determined by the byte order mark. */
export function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
