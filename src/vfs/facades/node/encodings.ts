// What a file or a name comes back as: bytes, or text in one of Node's encodings. Bytes are a plain `Uint8Array` over a buffer of
// exactly its length, so that a library that wants a `Buffer` can wrap `bytes.buffer` without a copy.

import { joinBytes } from '../../../core/bytes.ts'
import { type ByteEncoding, bytesToText, textToBytes } from '../byte-encodings.ts'
import { argumentError } from './errors.ts'

const aliases: Readonly<Record<string, ByteEncoding | 'utf16le' | 'base64url'>> = {
  utf8: 'utf8',
  'utf-8': 'utf8',
  ascii: 'ascii',
  latin1: 'latin1',
  binary: 'latin1',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hex',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
}

function encodingNamed(name: string): ByteEncoding | 'utf16le' | 'base64url' {
  const lower = name.toLowerCase()
  const encoding = Object.hasOwn(aliases, lower) ? aliases[lower] : undefined
  if (encoding === undefined)
    throw argumentError('ERR_INVALID_ARG_VALUE', `The argument 'encoding' is invalid encoding. Received '${name}'`)
  return encoding
}

/** Without an encoding, or with 'buffer', the bytes themselves. */
export function decoded(bytes: Uint8Array, encodingName: string | null | undefined): Uint8Array | string {
  if (encodingName === undefined || encodingName === null || encodingName === 'buffer') return bytes
  const encoding = encodingNamed(encodingName)
  if (encoding === 'base64url') return bytesToText(bytes, 'base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  if (encoding !== 'utf16le') return bytesToText(bytes, encoding)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength & ~1)
  let text = ''
  for (let offset = 0; offset < view.byteLength; offset += 2) text += String.fromCharCode(view.getUint16(offset, true))
  return text
}

export function encoded(text: string, encodingName: string | null | undefined): Uint8Array {
  const encoding = encodingNamed(encodingName ?? 'utf8')
  if (encoding === 'base64url') return textToBytes(text, 'base64')
  if (encoding !== 'utf16le') return textToBytes(text, encoding)
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index++) view.setUint16(2 * index, text.charCodeAt(index), true)
  return bytes
}

/** What `writeFile` takes: text, any view of bytes, or something that yields those. */
export type NodeData =
  | string
  | ArrayBufferView
  | ArrayBuffer
  | Iterable<string | ArrayBufferView>
  | AsyncIterable<string | ArrayBufferView>

export async function bytesOf(data: NodeData, encodingName: string | null | undefined): Promise<Uint8Array> {
  if (typeof data === 'string') return encoded(data, encodingName)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  if (typeof data !== 'object' || data === null || !(Symbol.iterator in data || Symbol.asyncIterator in data)) {
    throw argumentError(
      'ERR_INVALID_ARG_TYPE',
      `The "data" argument must be a string, bytes or an iterable of them. Received ${typeof data}`,
    )
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(await bytesOf(chunk, encodingName))
  return joinBytes(chunks)
}
