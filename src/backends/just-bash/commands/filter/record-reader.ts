// Reads the records of a stream as text. Records that have already been read are returned synchronously, so that a filter waits
// once per piece of input and not once per record.

import { unfinishedBytes } from '../../../../shell/whole-characters.ts'
import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import { PendingInput, type ShellInput } from '../../../../shell/commands.ts'

export interface TextRecord {
  readonly text: string
  /** Whether a delimiter follows; false only for the last record. */
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

  /** `undefined` at the end of input; `more`: call and await `fill`, then call `take` again. */
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

  /** The next record; a promise only if more input is needed. */
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

  /** Reads until the buffer contains a delimiter or the input ends. */
  async fill(): Promise<void> {
    let piece = await this.source.read()
    while (piece !== undefined && !piece.includes(this.lastByte)) {
      this.pending.add(piece)
      piece = await this.source.read()
    }
    if (piece === undefined) this.isDone = true
    else this.pending.add(piece)
    const bytes = this.pending.take()
    const whole = bytes.length - (this.isDone ? 0 : unfinishedBytes(bytes))
    this.text = this.text.slice(this.at) + decodeText(bytes.subarray(0, whole))
    this.at = 0
    if (whole < bytes.length) this.pending.add(bytes.slice(whole))
  }
}
