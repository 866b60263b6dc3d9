// Commands that process whole inputs keep bytes and text in JavaScript strings, with a mark that distinguishes them. This module
// converts these strings to bytes.

const encoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The bytes of `content`. On standard error `kind` is not reliable (a file that a command copied there
 * arrives as text): a string of one-byte characters that is valid UTF-8 is treated as bytes, any other as text.
 */
export function bytesOf(content: string, kind: 'text' | 'bytes', channel: 'stdout' | 'stderr'): Uint8Array {
  const isOneByte = hasOnlyBytes(content)
  if (channel === 'stderr') {
    const bytes = isOneByte ? latin1Bytes(content) : undefined
    return bytes !== undefined && isUtf8(bytes) ? bytes : encoder.encode(content)
  }
  return kind === 'bytes' && isOneByte ? latin1Bytes(content) : encoder.encode(content)
}

/** Converts each character to one byte. All characters must be below 256. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** Converts each byte to one character. */
export function latin1Text(bytes: Uint8Array): string {
  const parts: string[] = []
  // Engines limit the number of arguments of a call.
  const chunkBytes = 8192
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    // Spread arguments would take four times as long.
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + chunkBytes)))
  }
  return parts.join('')
}

/** Whether each character stands for one byte. */
export function hasOnlyBytes(text: string): boolean {
  return !/[^\0-\xff]/.test(text)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
