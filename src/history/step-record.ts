// The stored form of a step: every changed entry, before and after. Unlike snapshots it outlives the page, and it can be reverted
// on any state of the files, even after unrecorded changes.

import { crc32 } from '../codec/crc32.ts'
import { childPath, isInside, parsePath, type VfsPath } from '../core/path.ts'
import { defined, isRecord } from '../core/record.ts'
import type { Difference, EntryKind, Snapshot } from '../vfs/backend.ts'
import { withContents } from '../vfs/elsewhere.ts'

/** An entry at one time. `content` is absent if only attributes changed, or if it is unknown. */
export interface RecordedEntry {
  readonly kind: EntryKind
  readonly mode: number
  readonly content?: Uint8Array
  readonly target?: string
}

export interface RecordedMove {
  readonly from: VfsPath
  readonly to: VfsPath
  readonly entry: RecordedEntry
}

/** The change at `path`. It has both states if the entry was changed in place, and one if it was created or removed. */
export interface RecordedChange {
  readonly path: VfsPath
  readonly before?: RecordedEntry
  readonly after?: RecordedEntry
}

export interface StepRecord {
  readonly moves: readonly RecordedMove[]
  readonly changes: readonly RecordedChange[]
}

type Files = Snapshot['fs']

/** The entries for the differences between two snapshots. */
export function recordOf(differences: readonly Difference[], before: Files, after: Files): Promise<StepRecord> {
  return withContents(() => recordNow(differences, before, after))
}

function recordNow(differences: readonly Difference[], before: Files, after: Files): StepRecord {
  const moves = differences.flatMap(({ type, path, oldPath }): RecordedMove[] =>
    type === 'move' && oldPath !== undefined ? [{ from: oldPath, to: path, entry: entryOf(after, path, false) }] : [],
  )
  const sources = new Set(moves.map(({ from }) => from))
  const changes = differences.flatMap(({ type, path, kind }): RecordedChange[] => {
    if (type === 'create') return [{ path, after: entryOf(after, path, true) }]
    if (type === 'delete') return withEntries(before, path, sources)
    if (type === 'move') return []
    const hasContent = type === 'modify' && kind !== 'directory'
    const old = pathBefore(path, moves)
    return [{ path, before: entryOf(before, old, hasContent), after: entryOf(after, path, hasContent) }]
  })
  return { moves, changes }
}

/** A removed directory with its entries, except those that were moved out. */
function withEntries(before: Files, path: VfsPath, moved: ReadonlySet<VfsPath>): RecordedChange[] {
  if (moved.has(path)) return []
  const entry = entryOf(before, path, true)
  const inside = entry.kind === 'directory' ? before.list(path) : []
  return [{ path, before: entry }, ...inside.flatMap(({ name }) => withEntries(before, childPath(path, name), moved))]
}

/** The path, before the moves, of the entry that is at `path` after them. */
function pathBefore(path: VfsPath, moves: readonly RecordedMove[]): VfsPath {
  const [move] = moves.filter(({ to }) => isInside(path, to)).toSorted((a, b) => b.to.length - a.to.length)
  return move === undefined ? path : (`${move.from}${path.slice(move.to.length)}` as VfsPath)
}

function entryOf(files: Files, path: VfsPath, hasContent: boolean): RecordedEntry {
  const { kind, mode } = files.lookup(path, { follow: false })
  if (kind === 'symlink') return { kind, mode, target: files.readlink(path) }
  return kind === 'file' && hasContent ? { kind, mode, content: files.read(path) } : { kind, mode }
}

interface WireEntry {
  readonly kind: EntryKind
  readonly mode: number
  readonly target?: string | undefined
  readonly bytes?: number | undefined
  /** The lengths of the prefix and the suffix that it shares with the state before. */
  readonly shared?: readonly [start: number, end: number] | undefined
}

const lengthBytes = 4

/** The body of a record and its checksum. The common parts of a text before and after are stored once. */
export function encodeStep({ moves, changes }: StepRecord): { readonly body: Uint8Array; readonly sum: number } {
  const pieces: Uint8Array[] = []
  const encoded = (entry: RecordedEntry | undefined, base?: Uint8Array): WireEntry | undefined => {
    if (entry === undefined) return undefined
    const { kind, mode, target, content } = entry
    if (content === undefined) return { kind, mode, target }
    const shared = base === undefined ? undefined : sharedEnds(base, content)
    const own = shared === undefined ? content : content.subarray(shared[0], content.length - shared[1])
    pieces.push(own)
    return { kind, mode, bytes: own.length, shared }
  }
  const index = {
    moves: moves.map(({ from, to, entry }) => ({ from, to, entry: encoded(entry) })),
    changes: changes.map(({ path, before, after }) => ({
      path,
      before: encoded(before),
      after: encoded(after, before?.content),
    })),
  }
  const text = new TextEncoder().encode(JSON.stringify(index))
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, lengthBytes + text.length))
  new DataView(body.buffer).setUint32(0, text.length)
  body.set(text, lengthBytes)
  let at = lengthBytes + text.length
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return { body, sum: crc32(body) }
}

/** Returns `undefined` if `encodeStep` did not create the bytes. */
export function decodeStep(body: Uint8Array, sum: number): StepRecord | undefined {
  if (body.length < lengthBytes || crc32(body) !== sum) return undefined
  const length = new DataView(body.buffer, body.byteOffset).getUint32(0)
  // The checksum is correct, so `encodeStep` wrote the data and it is not validated.
  const index = JSON.parse(new TextDecoder().decode(body.subarray(lengthBytes, lengthBytes + length))) as {
    readonly moves: readonly { readonly from: string; readonly to: string; readonly entry: WireEntry }[]
    readonly changes: readonly { readonly path: string; readonly before?: WireEntry; readonly after?: WireEntry }[]
  }
  let at = lengthBytes + length
  const decoded = ({ kind, mode, target, bytes, shared }: WireEntry, base: Uint8Array = new Uint8Array()): RecordedEntry => {
    if (bytes === undefined) return { kind, mode, ...defined({ target }) }
    const own = body.slice(at, at + bytes)
    at += bytes
    const [start, end] = shared ?? [0, 0]
    const content = new Uint8Array(start + own.length + end)
    content.set(base.subarray(0, start))
    content.set(own, start)
    content.set(base.subarray(base.length - end), start + own.length)
    return { kind, mode, content }
  }
  return {
    moves: index.moves.map(({ from, to, entry }) => ({ from: parsePath(from), to: parsePath(to), entry: decoded(entry) })),
    changes: index.changes.map(({ path, before, after }) => {
      const was = before === undefined ? undefined : decoded(before)
      const is = after === undefined ? undefined : decoded(after, was?.content)
      return { path: parsePath(path), ...defined({ before: was, after: is }) }
    }),
  }
}

function sharedEnds(base: Uint8Array, content: Uint8Array): readonly [start: number, end: number] {
  const most = Math.min(base.length, content.length)
  let start = 0
  while (start < most && base[start] === content[start]) start++
  let end = 0
  while (end < most - start && base[base.length - 1 - end] === content[content.length - 1 - end]) end++
  return [start, end]
}

/** The data of a stored step that is available without its body. */
export interface StepHead {
  readonly id: number
  readonly kind: string
  readonly atMs: number
  readonly bodyBytes: number
  readonly sum: number
  readonly origin?: string
  readonly label?: string
  readonly turn?: string
  readonly of?: readonly number[]
}

export function encodeHead(head: StepHead): string {
  return JSON.stringify(head)
}

/** Returns `undefined` for a text that is not a head. */
export function decodeHead(text: string): StepHead | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { id, kind, atMs, bodyBytes, sum, origin, label, turn, of } = value
  if (typeof id !== 'number' || typeof kind !== 'string' || typeof atMs !== 'number') return undefined
  if (typeof bodyBytes !== 'number' || typeof sum !== 'number') return undefined
  const numbers = Array.isArray(of) ? of.filter(each => typeof each === 'number') : undefined
  const texts = { origin: textIn(origin), label: textIn(label), turn: textIn(turn) }
  return { id, kind, atMs, bodyBytes, sum, ...defined({ ...texts, of: numbers }) }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
