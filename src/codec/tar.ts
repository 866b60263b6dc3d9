// tar archives: ustar, GNU long names and pax. Records of other entries are never rewritten. Sources: POSIX.1-2017 pax, GNU tar manual.

import { joinBytes } from '../core/bytes.ts'
import { readExactly, type RangeReader } from './bytes.ts'
import { damaged, unsupported } from './error.ts'

export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'symlink' | 'hard-link' | 'other'
  /** Of a link. */
  readonly target: string
  readonly mode: number
  readonly mtimeMs: number
  readonly sizeBytes: number
  /** Where its content lies. */
  readonly offset: number
  /** From its first header, extended ones included, to the next entry. */
  readonly start: number
  readonly end: number
  /** Why its content cannot be read, as the end of a sentence. */
  readonly problem: string | undefined
}

export interface TarDirectory {
  readonly entries: readonly TarEntry[]
  /** Where the blocks of zeros begin that end the archive, or its last byte. */
  readonly end: number
}

const block = 512
const maxEntries = 500_000
const maxExtendedBytes = 1024 * 1024
const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Whether a block is a header, by its sum. */
export function isTarHeader(head: Uint8Array): boolean {
  if (head.length < block) return false
  const stored = octal(head, 148, 8)
  return stored !== undefined && stored === sumOf(head) && head[0] !== 0
}

/** Throws `CodecError`. */
export async function readTar(archive: RangeReader): Promise<TarDirectory> {
  const entries: TarEntry[] = []
  let at = 0
  let start = 0
  let global = new Map<string, string>()
  let extended = new Map<string, string>()
  while (at + block <= archive.sizeBytes) {
    const header = await readExactly(archive, at, at + block, 'a header')
    if (header.every(byte => byte === 0)) return { entries, end: start }
    if (!isTarHeader(header)) throw damaged(`there is no valid header at byte ${at}`)
    if (entries.length >= maxEntries) throw unsupported(`it contains more than ${maxEntries} entries`)
    const type = String.fromCharCode(header[156] ?? 0)
    const ownSize = octal(header, 124, 12)
    if (ownSize === undefined) throw damaged('a size is not a number')
    const isExtension = 'xgLK'.includes(type)
    const paxSize = isExtension ? undefined : (extended.get('size') ?? global.get('size'))
    const sizeBytes = paxSize === undefined ? ownSize : Number(paxSize)
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw damaged('a size is not a number')
    const content = at + block
    // Links and directories have no content, even if the field names a size.
    const stored = '12345'.includes(type) && paxSize === undefined ? 0 : sizeBytes
    const next = content + Math.ceil(stored / block) * block
    if (content + stored > archive.sizeBytes) throw damaged('its last entry is cut off')
    if (isExtension) {
      if (sizeBytes > maxExtendedBytes) throw unsupported('an extended header is too large')
      const bytes = await readExactly(archive, content, content + sizeBytes, 'an extended header')
      if (type === 'g') global = new Map([...global, ...paxRecords(bytes)])
      else if (type === 'x') extended = new Map([...extended, ...paxRecords(bytes)])
      else extended.set(type === 'L' ? 'path' : 'linkpath', textUntilZero(bytes))
    } else {
      const fields = new Map([...global, ...extended])
      entries.push({
        ...describe(header, type, fields),
        sizeBytes: stored,
        offset: content,
        start,
        end: Math.min(next, archive.sizeBytes),
      })
      extended = new Map()
      start = next
    }
    at = next
  }
  if (at < archive.sizeBytes && start !== at) throw damaged('it is cut off')
  return { entries, end: Math.min(start, archive.sizeBytes) }
}

type Described = Pick<TarEntry, 'name' | 'kind' | 'target' | 'mode' | 'mtimeMs' | 'problem'>

function describe(header: Uint8Array, type: string, fields: ReadonlyMap<string, string>): Described {
  const isUstar = textUntilZero(header.subarray(257, 263)).startsWith('ustar')
  const prefix =
    isUstar && !textUntilZero(header.subarray(257, 265)).startsWith('ustar  ') ? textUntilZero(header.subarray(345, 500)) : ''
  const short = textUntilZero(header.subarray(0, 100))
  const name = fields.get('path') ?? (prefix === '' ? short : `${prefix}/${short}`)
  const mtime = Number(fields.get('mtime') ?? octal(header, 136, 12) ?? 0)
  const isSparse = type === 'S' || [...fields.keys()].some(key => key.startsWith('GNU.sparse.'))
  return {
    name: fields.get('GNU.sparse.name') ?? name,
    kind: kindOf(type, name),
    target: fields.get('linkpath') ?? textUntilZero(header.subarray(157, 257)),
    mode: (octal(header, 100, 8) ?? 0o644) & 0o777,
    mtimeMs: Number.isFinite(mtime) ? mtime * 1000 : 0,
    problem: isSparse ? 'it is stored as a sparse file' : undefined,
  }
}

function kindOf(type: string, name: string): TarEntry['kind'] {
  switch (type) {
    case '0':
    case '\0':
    case '7':
    case 'S':
      return name.endsWith('/') ? 'directory' : 'file'
    case '5':
    case 'D':
      return 'directory'
    case '2':
      return 'symlink'
    case '1':
      return 'hard-link'
    default:
      return 'other'
  }
}

/** `undefined` if the field is not a number. GNU writes large ones in binary. */
function octal(header: Uint8Array, start: number, length: number): number | undefined {
  const first = header[start] ?? 0
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f
    if (first === 0xff) return undefined
    for (let at = start + 1; at < start + length; at++) value = value * 256 + (header[at] ?? 0)
    return Number.isSafeInteger(value) ? value : undefined
  }
  const text = textUntilZero(header.subarray(start, start + length)).trim()
  if (text === '') return 0
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined
}

function sumOf(header: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0)
  return sum
}

function textUntilZero(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end))
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts all of it. */
function paxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length && bytes[at] !== 0) {
    const space = bytes.indexOf(0x20, at)
    const length = space === -1 ? Number.NaN : Number(decoder.decode(bytes.subarray(at, space)))
    if (!Number.isInteger(length) || length <= space - at || at + length > bytes.length)
      throw damaged('an extended header is damaged')
    const record = decoder.decode(bytes.subarray(space + 1, at + length - 1))
    const equals = record.indexOf('=')
    if (equals < 1) throw damaged('an extended header is damaged')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

export interface NewTarEntry {
  readonly name: string
  readonly content: Uint8Array
  readonly mtimeMs: number
  readonly mode: number
}

/** `archive` without some of its entries, and with one at its end. */
export function rewriteTar(
  archive: Uint8Array,
  directory: TarDirectory,
  removed: ReadonlySet<number>,
  added: NewTarEntry | undefined,
): Uint8Array {
  const kept = directory.entries.filter((_, index) => !removed.has(index)).map(({ start, end }) => archive.subarray(start, end))
  const body = joinBytes(kept.map(padded).concat(added === undefined ? [] : encodeEntry(added)))
  // Two blocks of zeros, and filled up to a record as tar itself does.
  const record = 20 * block
  return joinBytes([body, new Uint8Array(Math.ceil((body.length + 2 * block) / record) * record - body.length)])
}

function padded(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length % block
  return rest === 0 ? bytes : joinBytes([bytes, new Uint8Array(block - rest)])
}

function encodeEntry({ name, content, mtimeMs, mode }: NewTarEntry): readonly Uint8Array[] {
  const rawName = encoder.encode(name)
  const seconds = Math.max(0, Math.floor(mtimeMs / 1000))
  const isShort = rawName.length <= 100
  const extended = isShort ? [] : paxHeader('path', name, seconds)
  const short = isShort ? rawName : rawName.subarray(0, 100)
  return [...extended, header({ rawName: short, type: '0', sizeBytes: content.length, seconds, mode }), padded(content)]
}

function paxHeader(key: string, value: string, seconds: number): readonly Uint8Array[] {
  const rest = ` ${key}=${value}\n`
  const restBytes = encoder.encode(rest).length
  let length = restBytes + 1
  while (String(length).length + restBytes !== length) length = String(length).length + restBytes
  const content = encoder.encode(`${length}${rest}`)
  const rawName = encoder.encode('PaxHeader')
  return [header({ rawName, type: 'x', sizeBytes: content.length, seconds, mode: 0o644 }), padded(content)]
}

interface HeaderFields {
  readonly rawName: Uint8Array
  readonly type: '0' | 'x'
  readonly sizeBytes: number
  readonly seconds: number
  readonly mode: number
}

function header({ rawName, type, sizeBytes, seconds, mode }: HeaderFields): Uint8Array {
  const bytes = new Uint8Array(block)
  const put = (text: string, at: number): void => bytes.set(encoder.encode(text), at)
  const number = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`
  bytes.set(rawName, 0)
  put(number(mode, 8), 100)
  put(number(0, 8), 108)
  put(number(0, 8), 116)
  put(number(sizeBytes, 12), 124)
  put(number(seconds, 12), 136)
  put(type, 156)
  put('ustar\0' + '00', 257)
  put(`${sumOf(bytes).toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}
