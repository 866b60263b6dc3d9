// Converts line endings between the work tree and the repository, according to `core.autocrlf`, `core.eol` and the attributes `text` and `eol`.

import { joinBytes } from '../../core/bytes.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { Config } from '../store/config.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { AttributeValues } from './attributes.ts'

export interface Conversion {
  readonly kind: 'none' | 'text' | 'auto'
  /** The line ending in the work tree. */
  readonly eol: 'lf' | 'crlf'
  /** The repository stores `$Id$` without a value. */
  readonly ident: boolean
}

const untouched: Conversion = { kind: 'none', eol: 'lf', ident: false }
const lineFeed = 10
const carriageReturn = 13

export function conversionOf(attributes: AttributeValues, config: Config, path: string): Conversion {
  checkPrograms(attributes, config, path)
  const ident = attributes.get('ident') === true
  const setting = config.get('core.autocrlf')
  const autocrlf = setting === 'input' ? 'input' : setting !== undefined && config.bool('core.autocrlf', false)
  const text = attributes.has('text')
    ? attributes.get('text')
    : attributes.get('crlf') === 'input'
      ? true
      : attributes.get('crlf')
  const eol = attributes.get('crlf') === 'input' ? 'lf' : attributes.get('eol')
  const ownEol = eol === 'crlf' || eol === 'lf' ? eol : undefined
  const usual = autocrlf === true ? 'crlf' : autocrlf === 'input' ? 'lf' : config.get('core.eol') === 'crlf' ? 'crlf' : 'lf'
  if (text === false) return { ...untouched, ident }
  if (text === 'auto') return { kind: 'auto', eol: ownEol ?? usual, ident }
  if (text === true || ownEol !== undefined) return { kind: 'text', eol: ownEol ?? usual, ident }
  if (autocrlf === false) return { ...untouched, ident }
  return { kind: 'auto', eol: autocrlf === 'input' ? 'lf' : 'crlf', ident }
}

/** Programs are never run. If the content would be wrong without them, the command fails and says so. */
function checkPrograms(attributes: AttributeValues, config: Config, path: string): void {
  const filter = attributes.get('filter')
  if (typeof filter === 'string' && config.has(`filter.${filter}.required`) && config.bool(`filter.${filter}.required`, false)) {
    throw fatal(`${path}: the filter '${filter}' is required, and this git runs no filters`)
  }
  const encoding = attributes.get('working-tree-encoding')
  if (typeof encoding === 'string' && !/^utf-?8$/i.test(encoding)) {
    throw fatal(`${path}: working-tree-encoding '${encoding}' is not built into this git`)
  }
}

interface TextStats {
  readonly loneCr: number
  readonly loneLf: number
  readonly crlf: number
  readonly isBinary: boolean
}

export function statsOf(bytes: Uint8Array): TextStats {
  let loneCr = 0
  let loneLf = 0
  let crlf = 0
  let printable = 0
  let unprintable = 0
  let nulls = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === carriageReturn) {
      if (bytes[at + 1] === lineFeed) {
        crlf++
        at++
      } else loneCr++
    } else if (byte === lineFeed) loneLf++
    else if (byte === 127) unprintable++
    else if (byte < 32) {
      if (byte === 8 || byte === 9 || byte === 27 || byte === 12) printable++
      else {
        if (byte === 0) nulls++
        unprintable++
      }
    } else printable++
  }
  // A DOS file may end with this byte.
  if (bytes.at(-1) === 26) unprintable--
  return { loneCr, loneLf, crlf, isBinary: loneCr > 0 || nulls > 0 || printable >> 7 < unprintable }
}

export interface ToRepository {
  readonly bytes: Uint8Array
  /** Line endings that the next checkout will change, for a warning. */
  readonly warning: 'crlf-to-lf' | 'lf-to-crlf' | undefined
}

/** `hasCrlfInIndex`: called only if needed; a file that was committed with CRLF keeps it. */
export async function toRepository(
  bytes: Uint8Array,
  conversion: Conversion,
  hasCrlfInIndex: () => Promise<boolean>,
): Promise<ToRepository> {
  const lines = await linesToRepository(bytes, conversion, hasCrlfInIndex)
  return conversion.ident ? { ...lines, bytes: replaceIdent(lines.bytes, undefined) } : lines
}

async function linesToRepository(
  bytes: Uint8Array,
  { kind, eol }: Conversion,
  hasCrlfInIndex: () => Promise<boolean>,
): Promise<ToRepository> {
  if (kind === 'none' || bytes.length === 0) return { bytes, warning: undefined }
  const stats = statsOf(bytes)
  if (kind === 'auto' && stats.isBinary) return { bytes, warning: undefined }
  const keepsCrlf = kind === 'auto' && stats.crlf > 0 && (await hasCrlfInIndex())
  if (stats.crlf > 0 && !keepsCrlf)
    return {
      bytes: withoutCr(bytes, stats.crlf),
      warning: eol === 'lf' ? 'crlf-to-lf' : stats.loneLf > 0 ? 'lf-to-crlf' : undefined,
    }
  return { bytes, warning: eol === 'crlf' && stats.loneLf > 0 && !keepsCrlf ? 'lf-to-crlf' : undefined }
}

export function hasCrlf(bytes: Uint8Array): boolean {
  const stats = statsOf(bytes)
  return stats.crlf > 0 && !stats.isBinary
}

function withoutCr(bytes: Uint8Array, count: number): Uint8Array {
  const result = new Uint8Array(bytes.length - count)
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) continue
    result[to++] = bytes[at] ?? 0
  }
  return result
}

export function toWorkTree(bytes: Uint8Array, { kind, eol, ident }: Conversion, oid: ObjectId): Uint8Array {
  const identified = ident ? replaceIdent(bytes, oid) : bytes
  if (kind === 'none' || eol === 'lf' || identified.length === 0) return identified
  const stats = statsOf(identified)
  if (stats.loneLf === 0) return identified
  if (kind === 'auto' && (stats.isBinary || stats.loneCr > 0 || stats.crlf > 0)) return identified
  const result = new Uint8Array(identified.length + stats.loneLf)
  let to = 0
  for (let at = 0; at < identified.length; at++) {
    const byte = identified[at] ?? 0
    if (byte === lineFeed && identified[at - 1] !== carriageReturn) result[to++] = carriageReturn
    result[to++] = byte
  }
  return result
}

const dollarId = encodeText('$Id')

function replaceIdent(bytes: Uint8Array, oid: ObjectId | undefined): Uint8Array {
  const parts: Uint8Array[] = []
  let kept = 0
  for (let at = bytes.indexOf(36); at !== -1; at = bytes.indexOf(36, at + 1)) {
    if (bytes[at + 1] !== dollarId[1] || bytes[at + 2] !== dollarId[2]) continue
    const next = bytes[at + 3]
    const end = next === 36 ? at + 3 : next === 58 ? bytes.indexOf(36, at + 4) : -1
    if (end === -1 || bytes.subarray(at, end).includes(lineFeed)) continue
    parts.push(bytes.subarray(kept, at), encodeText(oid === undefined ? '$Id$' : `$Id: ${oid} $`))
    kept = end + 1
    at = end
  }
  return parts.length === 0 ? bytes : joinBytes([...parts, bytes.subarray(kept)])
}
