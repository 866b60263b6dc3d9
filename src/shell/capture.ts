// A command may write more output than is useful. The beginning and the end are kept, because they show what the output is and
// how the command ended.

import type { OutputChunk } from './shell.ts'

type Channel = OutputChunk['channel']

interface Piece {
  readonly channel: Channel
  buffer: Uint8Array
  start: number
  end: number
}

export interface CapturedText {
  /** Both streams, in the order in which they were written. */
  readonly output: string
  /** Includes output that the shell could not assign to a stream. */
  readonly stdout: string
  readonly stderr: string
}

// Small writes share a buffer, so that millions of one-byte chunks do not become as many objects.
const sharedBufferBytes = 64 * 1024

/** Keeps the last `maxBytes` of everything that is added, without a partial character at the start, and the first `headBytes`. */
export class Capture {
  readonly #maxBytes: number
  readonly #headBytes: number
  readonly #head: Uint8Array[] = []
  readonly #pieces: Piece[] = []
  #firstPiece = 0
  #keptHeadBytes = 0
  #keptBytes = 0
  #totalBytes = 0
  #newlines = 0
  #endsWithNewline = true

  constructor(maxBytes: number, headBytes = 0) {
    this.#maxBytes = maxBytes
    this.#headBytes = headBytes
  }

  add({ channel, bytes }: OutputChunk): void {
    if (bytes.length === 0) return
    this.#totalBytes += bytes.length
    this.#newlines += countNewlines(bytes)
    this.#endsWithNewline = bytes.at(-1) === lineFeed
    if (this.#keptHeadBytes < this.#headBytes) {
      const first = bytes.slice(0, this.#headBytes - this.#keptHeadBytes)
      this.#head.push(first)
      this.#keptHeadBytes += first.length
    }
    const kept = bytes.length > this.#maxBytes ? bytes.subarray(bytes.length - this.#maxBytes) : bytes
    append(this.#pieces, this.#firstPiece, channel, kept)
    this.#keptBytes += kept.length
    if (this.#keptBytes > this.#maxBytes) this.#dropFront(this.#keptBytes - this.#maxBytes)
  }

  /** The number of bytes written, whether kept or not. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  /** The number of bytes before the kept end. The head may contain some of them. */
  get droppedBytes(): number {
    return this.#totalBytes - this.#keptBytes
  }

  /** Newlines in all output, plus one for a last line without a newline. */
  get totalLines(): number {
    return this.#newlines + (this.#endsWithNewline ? 0 : 1)
  }

  /** The first bytes as text, without an incomplete character. */
  get head(): string {
    return decodeHead(this.#head)
  }

  /** The kept output, or only its last `lastBytes`. Invalid UTF-8 becomes U+FFFD; a byte order mark stays. */
  text(lastBytes: number = this.#keptBytes): CapturedText {
    return decode(this.#pieces.slice(this.#firstPiece), Math.max(0, this.#keptBytes - lastBytes), this.droppedBytes > 0)
  }

  #dropFront(count: number): void {
    let left = count
    while (left > 0) {
      const piece = this.#pieces[this.#firstPiece]
      if (piece === undefined) return
      const dropped = Math.min(left, piece.end - piece.start)
      piece.start += dropped
      this.#keptBytes -= dropped
      left -= dropped
      if (piece.start === piece.end) this.#firstPiece += 1
    }
    if (this.#firstPiece > 1024 && this.#firstPiece * 2 > this.#pieces.length) {
      this.#pieces.splice(0, this.#firstPiece)
      this.#firstPiece = 0
    }
  }
}

const lineFeed = 0x0a

/** The number of line endings in `bytes`. */
function countNewlines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}

/** Leaves out an incomplete character at the end of the head. */
function decodeHead(parts: readonly Uint8Array[]): string {
  const decoder = streamDecoder()
  return parts.map(part => decoder.decode(part, { stream: true })).join('')
}

function append(pieces: Piece[], firstPiece: number, channel: Channel, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const last = pieces.length > firstPiece ? pieces.at(-1) : undefined
  if (last !== undefined && last.channel === channel && last.end + bytes.length <= sharedBufferBytes) {
    if (last.end + bytes.length > last.buffer.length) {
      const larger = new Uint8Array(Math.min(sharedBufferBytes, Math.max(1024, (last.end + bytes.length) * 2)))
      larger.set(last.buffer.subarray(0, last.end))
      last.buffer = larger
    }
    last.buffer.set(bytes, last.end)
    last.end += bytes.length
    return
  }
  // The bytes are copied, because the writer may reuse its buffer.
  pieces.push({ channel, buffer: bytes.slice(), start: 0, end: bytes.length })
}

function decode(pieces: readonly Piece[], skipBytes: number, isCut: boolean): CapturedText {
  const decoders = { stdout: streamDecoder(), stderr: streamDecoder(), merged: streamDecoder() }
  const output: string[] = []
  const stdout: string[] = []
  const stderr: string[] = []
  const emit = (channel: Channel, text: string): void => {
    output.push(text)
    if (channel === 'stderr') stderr.push(text)
    else stdout.push(text)
  }
  let left = skipBytes
  let atCut = isCut || skipBytes > 0
  for (const { channel, buffer, start, end } of pieces) {
    const skipped = Math.min(left, end - start)
    left -= skipped
    let bytes = buffer.subarray(start + skipped, end)
    if (atCut && bytes.length > 0) {
      bytes = bytes.subarray(restOfCharacterBytes(bytes))
      atCut = false
    }
    if (bytes.length > 0) emit(channel, decoders[channel].decode(bytes, { stream: true }))
  }
  // An incomplete character still shows that there was output.
  for (const channel of ['stdout', 'stderr', 'merged'] as const) emit(channel, decoders[channel].decode())
  return { output: output.join(''), stdout: stdout.join(''), stderr: stderr.join('') }
}

function streamDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true })
}

/** The number of bytes at the start that continue a character whose first byte was dropped: 0 to 3. */
function restOfCharacterBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count += 1
  return count
}
