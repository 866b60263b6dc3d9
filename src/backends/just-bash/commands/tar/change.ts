// Changes an archive: -r and -u add members at its end, --delete takes members out. The members that stay are copied byte for
// byte, so what this program does not know about them is kept.

import { joinBytes } from '../../../../core/bytes.ts'
import type { Member } from './extract.ts'

const blockBytes = 512
/** Headers that describe the member behind them: of pax, and the long names of GNU. */
const extensions = new Set(['x', 'L', 'K'])

/** The bytes of each member with the headers before it. Throws if they do not agree with `members`. */
export function partsOf(archive: Uint8Array, members: readonly Member[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  let start = 0
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0;) {
    const type = String.fromCharCode(archive[at + 156] ?? 0)
    if (type === 'g') throw new Error('the archive has a header for all members, so it cannot be changed here; create it anew')
    const field = new TextDecoder('latin1')
      .decode(archive.subarray(at + 124, at + 136))
      .replace(/[\0 ]+$/, '')
      .trim()
    if (!/^[0-7]*$/.test(field)) throw new Error('a member of the archive is too large to be changed here')
    const sizeBytes = /[1-6]/.test(type) ? 0 : Number.parseInt(field || '0', 8)
    at += blockBytes + Math.ceil(sizeBytes / blockBytes) * blockBytes
    if (extensions.has(type)) continue
    parts.push(archive.subarray(start, at))
    start = at
  }
  if (parts.length !== members.length) throw new Error('the archive cannot be changed here; create it anew')
  return parts
}

/** `added` is an archive, with the blocks that end one. */
export function archiveOf(parts: readonly Uint8Array[], added: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes([...parts, added])
}

/** Whether `-u` adds a file: no member of its name is as new. Archives keep whole seconds. */
export function isNewer(members: readonly Member[]): (name: string, mtime: Date) => boolean {
  const newest = new Map<string, number>()
  for (const { header } of members) {
    const name = header.name.replace(/\/+$/, '')
    newest.set(name, Math.max(newest.get(name) ?? -Infinity, secondsOf(header.mtime ?? new Date(0))))
  }
  return (name, mtime) => secondsOf(mtime) > (newest.get(name) ?? -Infinity)
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
