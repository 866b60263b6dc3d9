// Text that represents bytes (base64, hex, one character per byte), without Node's Buffer and for any length. The platform's functions take
// one string at a time, and spreading a large array into a call overflows the stack.

/** Node's names; those that nothing here needs are left out. */
export type ByteEncoding = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1'

const encoder = new TextEncoder()
// A shell decodes output as utf8 only to display it, and a terminal displays invalid bytes as U+FFFD.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const chunkBytes = 0x3000
const hexPair = /^[0-9a-fA-F]{2}$/

export function bytesToText(bytes: Uint8Array, encoding: ByteEncoding): string {
  switch (encoding) {
    case 'utf8':
    case 'utf-8':
      return decoder.decode(bytes)
    case 'latin1':
    case 'binary':
      return inChunks(bytes, chunk => String.fromCharCode(...chunk))
    case 'ascii':
      return inChunks(bytes, chunk => String.fromCharCode(...chunk.map(byte => byte & 0x7f)))
    case 'base64':
      // The chunk size is a multiple of three bytes, so only the last chunk is padded.
      return inChunks(bytes, chunk => btoa(String.fromCharCode(...chunk)))
    case 'hex':
      return inChunks(bytes, chunk => Array.from(chunk, byte => byte.toString(16).padStart(2, '0')).join(''))
  }
}

/** As in Node: characters above 255 lose their upper bits, hex ends at the first invalid pair, base64 skips invalid characters. */
export function textToBytes(text: string, encoding: ByteEncoding): Uint8Array {
  switch (encoding) {
    case 'utf8':
    case 'utf-8':
      return encoder.encode(text)
    case 'latin1':
    case 'binary':
    case 'ascii':
      return fromCodes(text)
    case 'base64':
      return fromCodes(atob(base64Characters(text)))
    case 'hex':
      return fromHex(text)
  }
}

function inChunks(bytes: Uint8Array, textOf: (chunk: Uint8Array) => string): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunkBytes) text += textOf(bytes.subarray(start, start + chunkBytes))
  return text
}

function fromCodes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** Converts to what `atob` accepts: replaces the URL-safe letters, and removes everything after '=' and a single character left over. */
function base64Characters(text: string): string {
  const [content = ''] = text.split('=', 1)
  const characters = content
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '')
  return characters.length % 4 === 1 ? characters.slice(0, -1) : characters
}

function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1)
  for (let index = 0; index < bytes.length; index++) {
    const pair = text.slice(2 * index, 2 * index + 2)
    if (!hexPair.test(pair)) return bytes.slice(0, index)
    bytes[index] = Number.parseInt(pair, 16)
  }
  return bytes
}
