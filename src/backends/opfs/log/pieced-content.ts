// A content that shares most of its bytes with the one that it replaced. After an append, or a small change in a large file, only the new
// bytes are written to the log. The pieces are parts of stored contents, in order.

import { joinBytes } from '../../../core/bytes.ts'
import { isVfsError } from '../../../vfs/error.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { type ContentCache, StoredContent } from './content.ts'
import type { StoredPiece } from './edit-codec.ts'

export interface Piece {
  readonly content: StoredContent
  /** Offset in `content`. */
  readonly start: number
  readonly length: number
}

export class PiecedContent implements FileContent {
  readonly length: number
  #pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
    let sum = 0
    for (const { length } of pieces) sum += length
    this.length = sum
  }

  get pieces(): readonly Piece[] {
    return this.#pieces
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
function contentOfPieces(pieces: readonly Piece[], cache: ContentCache): Content {
  const [first] = pieces
  if (first === undefined) return StoredContent.unsaved(new Uint8Array(), cache)
  const isWhole = pieces.length === 1 && first.start === 0 && first.length === first.content.length
  return isWhole ? first.content : new PiecedContent(pieces)
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
 * A larger file may have more pieces. Each change stores the list of all pieces, 28 bytes for each, and the whole content is stored again
 * when there are too many. Both together write least if the number grows with the square root of the length, divided by seven. A piece
 * costs more time than its bytes, so it is divided by more.
 */
const mostPieces = (lengthBytes: number): number => Math.max(fewestPieces, Math.min(8_000, Math.sqrt(lengthBytes / 16)))

/** `before` followed by `data`. */
export function extended(before: Content, data: Uint8Array, cache: ContentCache): Content {
  if (data.length === 0) return before
  if (before.length + data.length <= smallBytes) return StoredContent.unsaved(joinBytes([before.slice(), data]), cache)
  const pieces = [...piecesOf(before), piece(StoredContent.unsaved(data, cache))]
  // As in a log-structured merge tree, a byte is written once for each sixteenfold increase in the size of its piece.
  for (;;) {
    const level = levelOf(pieces.at(-1))
    let first = pieces.length
    while (first > 0 && levelOf(pieces[first - 1]) <= level) first--
    if (pieces.length - first < runLength || level >= levelOf({ length: mergedBytes })) break
    const run = new PiecedContent(pieces.slice(first))
    pieces.splice(first, pieces.length - first, piece(StoredContent.unsaved(run.slice(), cache, true)))
  }
  return bounded(pieces, cache)
}

/** The content `data`. The bytes that it shares with the beginning and the end of `before` are not stored again. */
export function replaced(before: Content, data: Uint8Array, cache: ContentCache, isGiven = false): Content {
  if (Math.min(before.length, data.length) < sharedBytes) return StoredContent.unsaved(data, cache, isGiven)
  const most = Math.min(before.length, data.length)
  const front = commonFront(before, data, most)
  const back = commonBack(before, data, most - front)
  if (front + back < Math.max(sharedBytes, data.length / 2)) return StoredContent.unsaved(data, cache, isGiven)
  const middle = data.subarray(front, data.length - back)
  const pieces = [
    ...part(before, 0, front),
    ...(middle.length === 0 ? [] : [piece(StoredContent.unsaved(middle, cache))]),
    ...part(before, before.length - back, before.length),
  ]
  return bounded(pieces, cache)
}

/** `before` with `data` from byte `at` on, which is not after its end. */
export function patched(before: Content, data: Uint8Array, at: number, cache: ContentCache): Content {
  const end = Math.min(before.length, at + data.length)
  if (at === before.length) return extended(before, data, cache)
  if (data.length === 0) return before
  if (before.length < sharedBytes) {
    return StoredContent.unsaved(joinBytes([before.slice(0, at), data, before.slice(end)]), cache, true)
  }
  const fresh = piece(StoredContent.unsaved(data, cache))
  return bounded(withPart(piecesOf(before), at, end, fresh), cache)
}

/** `pieces` with `fresh` in place of the bytes from `start` to `end`. Most pieces stay, and copying the list once is fastest. */
function withPart(pieces: readonly Piece[], start: number, end: number, fresh: Piece): Piece[] {
  let [first, before] = [0, 0]
  for (const { length } of pieces) {
    if (before + length > start) break
    before += length
    first++
  }
  let [next, after] = [first, before]
  while (next < pieces.length && after < end) after += pieces[next++]?.length ?? 0
  const between: Piece[] = []
  const head = pieces[first]
  if (head !== undefined && before < start) between.push({ ...head, length: start - before })
  between.push(fresh)
  const tail = pieces[next - 1]
  if (tail !== undefined && after > end) {
    between.push({ content: tail.content, start: tail.start + tail.length - (after - end), length: after - end })
  }
  const changed = pieces.slice()
  changed.splice(first, next - first, ...between)
  return changed
}

function piece(content: StoredContent): Piece {
  return { content, start: 0, length: content.length }
}

function levelOf(of: { readonly length: number } | undefined): number {
  return Math.floor(Math.log2(Math.max(1, of?.length ?? Infinity)) / 4)
}

/** Stores the whole content again if it has too many pieces for its size. */
function bounded(pieces: readonly Piece[], cache: ContentCache): Content {
  const content = contentOfPieces(pieces, cache)
  if (pieces.length <= mostPieces(content.length)) return content
  return StoredContent.unsaved(content.slice(), cache, true)
}

/** The pieces of `content` from `start` to `end`. Whole pieces are the same objects: a file that is changed often has many. */
function part(content: Content, start: number, end: number): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const whole of piecesOf(content)) {
    const { length } = whole
    if (at >= start && at + length <= end) found.push(whole)
    else {
      const [first, last] = [Math.max(start - at, 0), Math.min(end - at, length)]
      if (first < last) found.push({ content: whole.content, start: whole.start + first, length: last - first })
    }
    at += length
  }
  return found
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
  try {
    return content.slice(start, end)
  } catch (error) {
    if (isVfsError(error, 'EIO')) return undefined
    throw error
  }
}
