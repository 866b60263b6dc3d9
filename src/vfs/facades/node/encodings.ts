// How contents and names are returned: as bytes, or as text in one of Node's encodings. Bytes are a plain `Uint8Array` over a buffer of
// exactly its length, so that a library that wants a `Buffer` can wrap `bytes.buffer` without a copy.

import { joinBytes } from '../../../core/bytes.ts'
import { type ByteEncoding, bytesToText, textToBytes } from '../byte-encodings.ts'
import { coded, invalidType, invalidValue, received } from './arguments.ts'

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
  if (encoding === undefined) throw invalidValue('encoding', name, 'is invalid encoding')
  return encoding
}

export function isEncodingName(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(aliases, value.toLowerCase())
}

/** The error for 'buffer' where text is needed, because it is not an encoding of text. */
export function unknownEncoding(): Error {
  return coded(new TypeError('Unknown encoding: buffer'), 'ERR_UNKNOWN_ENCODING')
}

/** Throws if the value is not the name of an encoding. */
export function checkEncoding(encoding: unknown): void {
  if (!encoding || encoding === 'buffer') return
  if (typeof encoding !== 'string') throw invalidValue('encoding', encoding, 'is invalid encoding')
  encodingNamed(encoding)
}

/** Without an encoding, or with 'buffer', returns the bytes themselves. */
export function decoded(bytes: Uint8Array, encodingName: string | null | undefined): Uint8Array | string {
  if (!encodingName || encodingName === 'buffer') return bytes
  const encoding = encodingNamed(encodingName)
  if (encoding === 'base64url') return bytesToText(bytes, 'base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  if (encoding !== 'utf16le') return bytesToText(bytes, encoding)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength & ~1)
  let text = ''
  for (let offset = 0; offset < view.byteLength; offset += 2) text += String.fromCharCode(view.getUint16(offset, true))
  return text
}

export function encoded(text: string, encodingName: string | null | undefined): Uint8Array {
  if (encodingName === 'buffer') throw unknownEncoding()
  const encoding = encodingNamed(encodingName || 'utf8')
  if (encoding === 'base64url') return textToBytes(text, 'base64')
  if (encoding !== 'utf16le') return textToBytes(text, encoding)
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index++) view.setUint16(2 * index, text.charCodeAt(index), true)
  return bytes
}

/** The data that `writeFile` accepts: text, a view of bytes, or an iterable of those. */
export type NodeData = string | ArrayBufferView | Iterable<string | ArrayBufferView> | AsyncIterable<string | ArrayBufferView>

/** The bytes of text or a view; other values are refused as in Node. */
export function plainBytesOf(data: unknown, encodingName: string | null | undefined): Uint8Array {
  if (typeof data === 'string') return encoded(data, encodingName)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw invalidType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}

/** Whether `data` is an iterable of chunks. */
export function isIterableData(data: unknown): data is Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof data !== 'object' || data === null || ArrayBuffer.isView(data)) return false
  return Symbol.iterator in data || Symbol.asyncIterator in data
}

/** A chunk of an iterable, which may also be a list of numbers. Node has a special message for other values. */
export function chunkBytes(chunk: unknown, encodingName: string | null | undefined): Uint8Array {
  if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) return plainBytesOf(chunk, encodingName)
  if (Array.isArray(chunk)) return Uint8Array.from(chunk as readonly number[])
  const message =
    'The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.'
  throw coded(new TypeError(message + received(chunk)), 'ERR_INVALID_ARG_TYPE')
}

/** All chunks of `data`, joined. */
export async function collected(
  data: Iterable<unknown> | AsyncIterable<unknown>,
  encodingName: string | null | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of data) chunks.push(chunkBytes(chunk, encodingName))
  return joinBytes(chunks)
}
