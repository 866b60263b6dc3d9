// A content that shares most of its bytes with the one that it replaced. After an append, or a small change in a large file, only the new
// bytes are written to the log. The pieces are parts of stored contents, in order.

import { joinBytes } from '../../../core/bytes.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { type ContentCache, StoredContent } from './content.ts'
import type { StoredPiece } from './edit-codec.ts'
import { ifThere } from '../../../vfs/error.ts'
import { pushAll } from '../../../core/many.ts'

export interface Piece {
  readonly content: StoredContent
  /** Offset in `content`. */
  readonly start: number
  readonly length: number
}

/** How a content differs from the one that it replaces: `pieces` are in the place of its bytes from `start` to `end`. */
export interface ContentChange {
  readonly before: Content
  readonly start: number
  readonly end: number
  readonly pieces: readonly Piece[]
}

export class PiecedContent implements FileContent {
  readonly length: number
  #pieces: readonly Piece[]
  #change: ContentChange | undefined
  #changeCount: number

  /** `changeCount`: how many changes one after the other led from a content whose pieces are stored to this one. */
  constructor(pieces: readonly Piece[], change?: ContentChange, changeCount: number = 0) {
    this.#pieces = pieces
    this.#change = change
    this.#changeCount = changeCount
    this.length =
      change === undefined ? lengthOf(pieces) : change.before.length - (change.end - change.start) + lengthOf(change.pieces)
  }

  get pieces(): readonly Piece[] {
    return this.#pieces
  }

  /** `undefined` once it is stored. */
  get change(): ContentChange | undefined {
    return this.#change
  }

  get changeCount(): number {
    return this.#changeCount
  }

  /** From now on it does not keep the content before. `isListed`: its pieces are stored, not only its change. */
  stored(isListed: boolean): void {
    this.#change = undefined
    if (isListed) this.#changeCount = 0
  }

  slice(start = 0, end: number = this.length): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.length) - start))
    let at = 0
    for (const { content, start: from, length } of this.#pieces) {
      const [first, last] = [Math.max(start - at, 0), Math.min(end - at, length)]
      if (first < last) bytes.set(content.slice(from + first, from + last), at + first - start)
      at += length
    }
    return bytes
  }

  /** Joins the pieces each time: a file in pieces is large or rare. */
  peek(): Uint8Array {
    return this.slice()
  }

  /** From now on the bytes of `run`, which are some of its pieces, are read from `piece`, which has the same bytes. */
  replace(run: readonly Piece[], piece: Piece): void {
    const first = this.#pieces.findIndex(found => found === run[0])
    this.#pieces = [...this.#pieces.slice(0, first), piece, ...this.#pieces.slice(first + run.length)]
  }
}

function lengthOf(pieces: readonly Piece[]): number {
  let sum = 0
  for (const { length } of pieces) sum += length
  return sum
}

/** The content of a file in the stored tree. */
export type Content = StoredContent | PiecedContent

export function isContent(content: FileContent): content is Content {
  return content instanceof StoredContent || content instanceof PiecedContent
}

export function piecesOf(content: Content): readonly Piece[] {
  if (content instanceof PiecedContent) return content.pieces
  return content.length === 0 ? [] : [{ content, start: 0, length: content.length }]
}

/** Returns one plain content if that is equivalent. */
function contentOfPieces(pieces: readonly Piece[], cache: ContentCache, change?: ContentChange, changeCount?: number): Content {
  const [first] = pieces
  if (first === undefined) return StoredContent.unsaved(new Uint8Array(), cache)
  const isWhole = pieces.length === 1 && first.start === 0 && first.length === first.content.length
  return isWhole ? first.content : new PiecedContent(pieces, change, changeCount)
}

/** What a stored change made of `change.before`. */
export function changed(change: ContentChange, cache: ContentCache): Content {
  return contentOfPieces(piecesAfter(change), cache, undefined, changesTo(change))
}

function changesTo({ before }: ContentChange): number {
  return (before instanceof PiecedContent ? before.changeCount : 0) + 1
}

/** The content that consists of `stored`. `open` returns a content; it is called once for each. */
export function contentFrom(
  stored: readonly StoredPiece[],
  cache: ContentCache,
  open: (stored: StoredPiece) => StoredContent,
): Content {
  const opened = new Map<string, StoredContent>()
  const pieces = stored.map(of => {
    const place = `${of.fileNumber} ${of.offset}`
    const content = opened.get(place) ?? open(of)
    opened.set(place, content)
    return { content, start: of.start, length: of.length }
  })
  return contentOfPieces(pieces, cache)
}

/** A smaller file is always written again as a whole. */
const smallBytes = 4 * 1024
/** A shorter common part does not become a piece. */
const sharedBytes = 16 * 1024
const comparedBytes = 64 * 1024
/** This many consecutive small pieces are merged. */
const runLength = 16
/** A larger piece is never merged with the pieces after it. */
const mergedBytes = 1024 * 1024
const fewestPieces = 64
/**
 * A larger file may have more pieces. Each change costs time for each piece, and the whole content is stored again when there are too many.
 * Both together take least if the number grows with the square root of the length.
 */
const mostPieces = (lengthBytes: number): number => Math.max(fewestPieces, Math.min(8_000, Math.sqrt(lengthBytes)))

export function extended(before: Content, data: Uint8Array, cache: ContentCache): Content {
  if (data.length === 0) return before
  if (before.length + data.length <= smallBytes) return StoredContent.unsaved(joinBytes([before.slice(), data]), cache)
  const pieces = piecesOf(before)
  let last = piece(StoredContent.unsaved(data, cache))
  let [kept, start] = [pieces.length, before.length]
  // As in a log-structured merge tree, a byte is written once for each sixteenfold increase in the size of its piece.
  for (;;) {
    const level = levelOf(last)
    let first = kept
    while (first > 0 && levelOf(pieces[first - 1]) <= level) first--
    if (kept - first + 1 < runLength || level >= levelOf({ length: mergedBytes })) break
    const run = new PiecedContent([...pieces.slice(first, kept), last])
    start -= run.length - last.length
    last = piece(StoredContent.unsaved(run.slice(), cache, true))
    kept = first
  }
  return bounded({ before, start, end: before.length, pieces: [last] }, cache)
}

/** The content `data`. The bytes that it shares with the beginning and the end of `before` are not stored again. */
export function replaced(before: Content, data: Uint8Array, cache: ContentCache, isGiven = false): Content {
  if (Math.min(before.length, data.length) < sharedBytes) return StoredContent.unsaved(data, cache, isGiven)
  const most = Math.min(before.length, data.length)
  const front = commonFront(before, data, most)
  const back = commonBack(before, data, most - front)
  if (front + back < Math.max(sharedBytes, data.length / 2)) return StoredContent.unsaved(data, cache, isGiven)
  const middle = data.subarray(front, data.length - back)
  const pieces = middle.length === 0 ? [] : [piece(StoredContent.unsaved(middle, cache))]
  return bounded({ before, start: front, end: before.length - back, pieces }, cache)
}

/** `before` with `data` from byte `at` on, which is not after its end. */
export function patched(before: Content, data: Uint8Array, at: number, cache: ContentCache): Content {
  const end = Math.min(before.length, at + data.length)
  if (at === before.length) return extended(before, data, cache)
  if (data.length === 0) return before
  if (before.length < sharedBytes)
    return StoredContent.unsaved(joinBytes([before.slice(0, at), data, before.slice(end)]), cache, true)
  return bounded({ before, start: at, end, pieces: [piece(StoredContent.unsaved(data, cache))] }, cache)
}

/** Most pieces stay, and copying the list once is fastest. */
function piecesAfter({ before, start, end, pieces }: ContentChange): Piece[] {
  const all = piecesOf(before)
  let [first, firstAt] = [0, 0]
  for (const { length } of all) {
    if (firstAt + length > start) break
    firstAt += length
    first++
  }
  let [next, nextAt] = [first, firstAt]
  while (next < all.length && nextAt < end) nextAt += all[next++]?.length ?? 0
  const between: Piece[] = []
  const head = all[first]
  if (head !== undefined && firstAt < start) between.push({ ...head, length: start - firstAt })
  pushAll(between, pieces)
  const tail = all[next - 1]
  if (tail !== undefined && nextAt > end)
    between.push({ content: tail.content, start: tail.start + tail.length - (nextAt - end), length: nextAt - end })
  return all.slice(0, first).concat(between, all.slice(next))
}

function piece(content: StoredContent): Piece {
  return { content, start: 0, length: content.length }
}

function levelOf(of: { readonly length: number } | undefined): number {
  return Math.floor(Math.log2(Math.max(1, of?.length ?? Infinity)) / 4)
}

/** The content after `change`. It is stored again as a whole if it has too many pieces for its size. */
function bounded(change: ContentChange, cache: ContentCache): Content {
  const pieces = piecesAfter(change)
  const content = contentOfPieces(pieces, cache, change, changesTo(change))
  if (pieces.length <= mostPieces(content.length)) return content
  return StoredContent.unsaved(content.slice(), cache, true)
}

/** The number of equal bytes at the beginning, at most `most`. Unreadable bytes count as different. */
function commonFront(before: Content, data: Uint8Array, most: number): number {
  for (let at = 0; at < most; at += comparedBytes) {
    const length = Math.min(comparedBytes, most - at)
    const old = readable(before, at, at + length)
    if (old === undefined) return at
    for (let index = 0; index < length; index++) if (old[index] !== data[at + index]) return at + index
  }
  return most
}

/** The same at the end. */
function commonBack(before: Content, data: Uint8Array, most: number): number {
  for (let at = 0; at < most; at += comparedBytes) {
    const length = Math.min(comparedBytes, most - at)
    const old = readable(before, before.length - at - length, before.length - at)
    if (old === undefined) return at
    const start = data.length - at - length
    for (let index = length - 1; index >= 0; index--) if (old[index] !== data[start + index]) return at + length - 1 - index
  }
  return most
}

function readable(content: Content, start: number, end: number): Uint8Array | undefined {
  return ifThere(() => content.slice(start, end), 'EIO')
}
