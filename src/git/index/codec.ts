// The file `index`: reads versions 2 to 4, writes 2 and 3. Required extensions that are not supported (a split index, sparse directories)
// are refused before anything is changed.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import { canonicalMode, shortText } from '../store/object-format.ts'
import { fromHex, Sha1, toHex } from '../store/sha1.ts'
import { encodeCachedTree, parseCachedTree, type CachedTree } from './cached-tree.ts'
import { GitIndex, type IndexEntry } from './git-index.ts'

const signature = 0x44495243
const fixedBytes = 62

export function parseIndex(bytes: Uint8Array, writtenMs: number): GitIndex {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 32) throw fatal('index file smaller than expected')
  if (view.getUint32(0) !== signature) throw fatal(`bad signature 0x${view.getUint32(0).toString(16).padStart(8, '0')}`)
  const version = view.getUint32(4)
  if (version < 2 || version > 4) throw fatal(`bad index version ${version}`)
  const end = bytes.length - 20
  const told = toHex(bytes, end)
  // `index.skipHash` leaves zeros.
  if (!/^0+$/.test(told) && new Sha1().update(bytes.subarray(0, end)).hex() !== told) {
    throw fatal('bad index file sha1 signature\nfatal: index file corrupt')
  }
  const count = view.getUint32(8)
  const entries: IndexEntry[] = []
  let at = 12
  let previous = ''
  for (let index = 0; index < count; index++) {
    if (at + fixedBytes > end) throw fatal('index file corrupt')
    const flags = view.getUint16(at + 60)
    const isExtended = (flags & 0x4000) !== 0
    const more = isExtended ? view.getUint16(at + 62) : 0
    if (isExtended && version < 3) throw fatal('index file corrupt')
    let nameStart = at + fixedBytes + (isExtended ? 2 : 0)
    let shared = ''
    if (version === 4) {
      const strip = readOffset(bytes, nameStart)
      nameStart = strip.end
      shared = withoutBytes(previous, strip.value)
    }
    const nameEnd = bytes.indexOf(0, nameStart)
    if (nameEnd === -1 || nameEnd >= end) throw fatal('index file corrupt')
    const path = shared + shortText(bytes, nameStart, nameEnd)
    entries.push({
      path,
      oid: toHex(bytes, at + 40, at + 60),
      mode: canonicalMode(view.getUint32(at + 24)),
      stage: (flags >> 12) & 3,
      stat: {
        ctimeSeconds: view.getUint32(at),
        ctimeNanoseconds: view.getUint32(at + 4),
        mtimeSeconds: view.getUint32(at + 8),
        mtimeNanoseconds: view.getUint32(at + 12),
        device: view.getUint32(at + 16),
        inode: view.getUint32(at + 20),
        userId: view.getUint32(at + 28),
        groupId: view.getUint32(at + 32),
        sizeBytes: view.getUint32(at + 36),
      },
      isAssumedValid: (flags & 0x8000) !== 0,
      isSkipped: (more & 0x4000) !== 0,
      isIntentToAdd: (more & 0x2000) !== 0,
    })
    previous = path
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7)
  }
  return new GitIndex(entries, readExtensions(bytes, view, at, end), writtenMs, version)
}

function readExtensions(bytes: Uint8Array, view: DataView, start: number, end: number): CachedTree | undefined {
  let tree: CachedTree | undefined
  for (let at = start; at + 8 <= end;) {
    const name = decodeText(bytes.subarray(at, at + 4))
    const size = view.getUint32(at + 4)
    if (at + 8 + size > end) throw fatal('index file corrupt')
    if (name === 'TREE') tree = parseCachedTree(bytes.subarray(at + 8, at + 8 + size))
    // Programs may ignore extensions whose name begins with a capital letter.
    else if (!/^[A-Z]/.test(name))
      throw fatal(`index uses ${name} extension, which we do not understand\nfatal: index file corrupt`)
    at += 8 + size
  }
  return tree
}

function withoutBytes(path: string, count: number): string {
  const bytes = encodeText(path)
  if (count > bytes.length) throw fatal('index file corrupt')
  return decodeText(bytes.subarray(0, bytes.length - count))
}

/** The variable-length number that packs use for offsets too. */
function readOffset(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let at = start
  let byte = bytes[at++] ?? 0
  let value = byte & 127
  while (byte & 128) {
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, end: at }
}

/** Writes version 2, or 3 if an entry has a flag that needs it. */
export function encodeIndex(index: GitIndex): Uint8Array {
  const entries = index.sorted()
  const names = entries.map(entry => encodeText(entry.path))
  const isWide = (entry: IndexEntry): boolean => entry.isSkipped || entry.isIntentToAdd
  let length = 12
  entries.forEach((entry, at) => (length += entryBytes(names[at]?.length ?? 0, isWide(entry))))
  const tree = index.tree === undefined || index.hasConflicts ? undefined : encodeCachedTree(index.tree)
  const bytes = new Uint8Array(length + (tree === undefined ? 0 : tree.length + 8) + 20)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, signature)
  view.setUint32(4, entries.some(isWide) ? 3 : 2)
  view.setUint32(8, entries.length)
  let at = 12
  entries.forEach((entry, index_) => {
    const name = names[index_] ?? new Uint8Array()
    const { stat } = entry
    const fields = [
      stat.ctimeSeconds,
      stat.ctimeNanoseconds,
      stat.mtimeSeconds,
      stat.mtimeNanoseconds,
      stat.device,
      stat.inode,
      entry.mode,
      stat.userId,
      stat.groupId,
      stat.sizeBytes,
    ]
    fields.forEach((field, word) => view.setUint32(at + word * 4, field))
    bytes.set(fromHex(entry.oid), at + 40)
    const wide = isWide(entry)
    const flags = (entry.isAssumedValid ? 0x8000 : 0) | (wide ? 0x4000 : 0) | (entry.stage << 12) | Math.min(name.length, 0xfff)
    view.setUint16(at + 60, flags)
    if (wide) view.setUint16(at + 62, (entry.isSkipped ? 0x4000 : 0) | (entry.isIntentToAdd ? 0x2000 : 0))
    bytes.set(name, at + fixedBytes + (wide ? 2 : 0))
    at += entryBytes(name.length, wide)
  })
  if (tree !== undefined) {
    bytes.set(encodeText('TREE'), at)
    view.setUint32(at + 4, tree.length)
    bytes.set(tree, at + 8)
  }
  bytes.set(new Sha1().update(bytes.subarray(0, bytes.length - 20)).digest(), bytes.length - 20)
  return bytes
}

/** Padded to a multiple of 8 with at least one zero byte. */
function entryBytes(nameBytes: number, isWide: boolean): number {
  return (fixedBytes + (isWide ? 2 : 0) + nameBytes + 8) & ~7
}
