// The text to search in a file: unpacked, and in UTF-8.

import { gunzipSync } from 'fflate'

import type { RgOptions } from './options.ts'

export type TextOfFile =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'problem'; readonly message: string }

const encoder = new TextEncoder()
const maxUnpackedBytes = 256 * 1024 * 1024
const undecoded: Readonly<Record<string, string>> = {
  bz2: 'bzip2',
  tbz2: 'bzip2',
  xz: 'xz',
  txz: 'xz',
  lz4: 'lz4',
  lzma: 'lzma',
  br: 'brotli',
  zst: 'zstd',
  zstd: 'zstd',
  Z: 'compress',
}

export function textOfFile(name: string, stored: Uint8Array, options: Pick<RgOptions, 'searchZip' | 'encoding'>): TextOfFile {
  const unpacked = options.searchZip ? unpack(name, stored) : { kind: 'text' as const, bytes: stored }
  return unpacked.kind === 'text' ? { kind: 'text', bytes: inUtf8(unpacked.bytes, options.encoding) } : unpacked
}

function unpack(name: string, bytes: Uint8Array): TextOfFile {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  if (name.includes('.') && undecoded[extension] !== undefined) {
    return { kind: 'problem', message: `${name}: ${undecoded[extension]} is not decoded here; gzip is` }
  }
  if (!/\.(?:gz|tgz)$/.test(name)) return { kind: 'text', bytes }
  try {
    // The last four bytes of a member are its size; a file that declares more than the limit is not unpacked.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    if (bytes.length >= 18 && view.getUint32(bytes.length - 4, true) > maxUnpackedBytes) {
      return { kind: 'problem', message: `${name}: it has more than ${maxUnpackedBytes} bytes unpacked` }
    }
    return { kind: 'text', bytes: gunzipSync(bytes) }
  } catch {
    return { kind: 'problem', message: `${name}: not in gzip format` }
  }
}

function inUtf8(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding === 'none') return bytes
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3)
  // A byte order mark overrides any label.
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  const label = marked ?? (encoding === 'auto' ? 'utf-8' : encoding)
  if (label === 'utf-8' || label === 'utf8') return bytes
  return encoder.encode(new TextDecoder(label).decode(bytes))
}
