// Records of a stream, one after the other, as text. What is already there is given at once, so that a filter waits once for each piece
// and not for each line.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import { PendingInput, type ShellInput } from '../../../../shell/commands.ts'

export interface TextRecord {
  readonly text: string
  /** The last one may lack its end. */
  readonly isEnded: boolean
}

export class RecordReader {
  private text = ''
  private at = 0
  private isDone = false
  private readonly pending = new PendingInput()
  private readonly source: ShellInput
  private readonly end: string
  private readonly lastByte: number

  constructor(source: ShellInput, end: string) {
    this.source = source
    this.end = end
    this.lastByte = encodeText(end).at(-1) ?? 10
  }

  /** `undefined`: there is none; `more`: await `fill` and ask again. */
  take(): TextRecord | 'more' | undefined {
    const end = this.text.indexOf(this.end, this.at)
    if (end >= 0) {
      const text = this.text.slice(this.at, end)
      this.at = end + 1
      return { text, isEnded: true }
    }
    if (!this.isDone) return 'more'
    if (this.at >= this.text.length) return undefined
    const text = this.text.slice(this.at)
    this.at = this.text.length
    return { text, isEnded: false }
  }

  /** The next one, whenever it comes. */
  next(): TextRecord | undefined | Promise<TextRecord | undefined> {
    const record = this.take()
    return record === 'more' ? this.filled() : record
  }

  private async filled(): Promise<TextRecord | undefined> {
    for (;;) {
      await this.fill()
      const record = this.take()
      if (record !== 'more') return record
    }
  }

  /** Reads until a record may be complete. */
  async fill(): Promise<void> {
    let piece = await this.source.read()
    while (piece !== undefined && !piece.includes(this.lastByte)) {
      this.pending.add(piece)
      piece = await this.source.read()
    }
    if (piece === undefined) this.isDone = true
    else this.pending.add(piece)
    const bytes = this.pending.take()
    const whole = bytes.length - (this.isDone ? 0 : incompleteTail(bytes))
    this.text = this.text.slice(this.at) + decodeText(bytes.subarray(0, whole))
    this.at = 0
    if (whole < bytes.length) this.pending.add(bytes.slice(whole))
  }
}

/** How many bytes at the end of `bytes` begin a character that bytes to come may complete. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0
  }
  return 0
}
