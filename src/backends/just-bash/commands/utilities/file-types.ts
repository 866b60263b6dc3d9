// Detects the type of a file from its first bytes, for the command `file`.

import { latin1Text } from '../../encoding.ts'
import { binaryTypeOf } from './binary-types.ts'
import { scriptTypeOf } from './script-types.ts'
import { isCommaSeparated, textKindOf } from './source-types.ts'

export interface FileType {
  readonly description: string
  readonly mime: string
  readonly charset: string
}

const mostTextBytes = 65_536

export function typeOf(bytes: Uint8Array): FileType {
  if (bytes.length === 0) return { description: 'empty', mime: 'inode/x-empty', charset: 'binary' }
  if (bytes.length === 1)
    return { description: 'very short file (no magic)', mime: 'application/octet-stream', charset: 'binary' }
  const head = latin1Text(bytes.subarray(0, mostTextBytes))
  const encoding = encodingOf(bytes.subarray(0, mostTextBytes), head)
  const charset = encoding?.charset ?? 'binary'
  const binary = binaryTypeOf(bytes, head)
  if (binary !== undefined) return { ...binary, charset }
  if (encoding === undefined) {
    const ended = scriptTypeOf(head) === undefined ? beforeNulls(bytes, head) : undefined
    if (ended === undefined) return { description: 'data', mime: 'application/octet-stream', charset }
    return { description: ended.name + lineEndings(ended.text), mime: 'text/plain', charset }
  }
  const { name, text } = encoding
  if (isJson(bytes)) return { description: 'JSON text data', mime: 'application/json', charset }
  if (isJsonLines(bytes)) return { description: 'New Line Delimited JSON text data', mime: 'application/x-ndjson', charset }
  if (isCommaSeparated(head)) return { description: 'CSV text', mime: 'text/csv', charset }
  const lines = lineEndings(text)
  const kind = scriptTypeOf(head) ?? textKindOf(head)
  if (kind === undefined) return { description: name + lines, mime: 'text/plain', charset }
  const encoded = kind.adds === false ? '' : `, ${name}${kind.isExecutable === true ? ' executable' : ''}${lines}`
  return { description: kind.name + encoded, mime: kind.mime, charset }
}

interface Encoding {
  readonly name: string
  readonly charset: string
  readonly text: string
}

/** The encoding of a text that ends in null bytes. As in file, one of them counts as text if the text has an odd length. */
function beforeNulls(bytes: Uint8Array, head: string): Encoding | undefined {
  let end = head.length
  while (end > 1 && head.charCodeAt(end - 1) === 0) end -= 1
  return end === head.length || end % 2 === 1 ? undefined : encodingOf(bytes.subarray(0, end), head.slice(0, end))
}

const control = /[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]/

function encodingOf(bytes: Uint8Array, head: string): Encoding | undefined {
  const wide = wideText(bytes)
  if (wide !== undefined) return wide
  if (control.test(head)) return undefined
  if (!/[\x80-\xff]/.test(head)) return { name: 'ASCII text', charset: 'us-ascii', text: head }
  try {
    // The last character may be cut off by the end of what is looked at.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytes.length === mostTextBytes })
    return { name: `Unicode text, UTF-8 ${head.startsWith('\xef\xbb\xbf') ? '(with BOM) ' : ''}text`, charset: 'utf-8', text }
  } catch {
    if (!/[\x80-\x84\x86-\x9f]/.test(head))
      return /[\x80-\x84\x86-\xff]/.test(head)
        ? { name: 'ISO-8859 text', charset: 'iso-8859-1', text: head }
        : { name: 'ASCII text', charset: 'us-ascii', text: head }
    return { name: 'Non-ISO extended-ASCII text', charset: 'unknown-8bit', text: head }
  }
}

/** UTF-16 or UTF-32 with a byte order mark. */
function wideText(bytes: Uint8Array): Encoding | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined
  const [order, mark] = isLittle ? ['little', 'le'] : ['big', 'be']
  if (isLittle && bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0)
    return { name: `Unicode text, UTF-32, ${order}-endian`, charset: `utf-32${mark}`, text: '\n' }
  const text = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes)
  return control.test(text) ? undefined : { name: `Unicode text, UTF-16, ${order}-endian text`, charset: `utf-16${mark}`, text }
}

const mostJsonBytes = 1024 * 1024

function isJson(bytes: Uint8Array): boolean {
  if (bytes.length > mostJsonBytes) return false
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // A comma behind the last element is taken, as libmagic does.
    const value: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text.replace(/,(?=\s*[\]}])/g, '')) : undefined
    return typeof value === 'object'
  } catch {
    return false
  }
}

function isJsonLines(bytes: Uint8Array): boolean {
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, mostJsonBytes))
    .split('\n')
    .filter(line => line !== '')
  const kind = lines[0]?.trimStart().charAt(0)
  return lines.length > 1 && lines.every(line => line.trimStart().charAt(0) === kind && isJson(new TextEncoder().encode(line)))
}

const mostLineCharacters = 300

function lineEndings(text: string): string {
  const longest = Math.max(...text.split(/\r\n|[\r\n\x85]/).map(line => line.length))
  const found = [
    ...(/\r\n/.test(text) ? ['CRLF'] : []),
    ...(/\r(?!\n)/.test(text) ? ['CR'] : []),
    ...(/(?<!\r)\n/.test(text) ? ['LF'] : []),
    ...(text.includes('\x85') ? ['NEL'] : []),
  ]
  const ends = found.length === 0 ? 'no' : found.length === 1 && found[0] === 'LF' ? '' : found.join(', ')
  return [
    longest > mostLineCharacters ? `, with very long lines (${longest})` : '',
    ends === '' ? '' : `, with ${ends} line terminators`,
    text.includes('\x1b') ? ', with escape sequences' : '',
    text.includes('\b') ? ', with overstriking' : '',
  ].join('')
}
