// Reads the text of an input in pieces that end after whole values or whole lines, so that values of an endless input are
// available before its end.

import { PendingInput, readAll, type ShellInput } from '../../../../shell/commands.ts'
import { asUtf8 } from './as-utf8.ts'

export class ValuePieces {
  /** Text that was read but not yet consumed. */
  text = ''
  isDone = false
  private depth = 0
  private isInString = false
  private hasEscape = false
  /** The incomplete value at the end of the bytes read so far. */
  private readonly pending = new PendingInput()
  private readonly source: ShellInput
  private readonly isRaw: boolean

  constructor(source: ShellInput, isRaw: boolean) {
    this.source = source
    this.isRaw = isRaw
  }

  /** Reads until more text is available or the input ends. */
  async fill(): Promise<void> {
    let end = 0
    while (end === 0) {
      const piece = await this.source.read()
      if (piece === undefined) {
        this.isDone = true
        this.text += asUtf8(this.pending.take())
        return
      }
      end = this.isRaw ? piece.lastIndexOf(10) + 1 : this.endOfValues(piece)
      this.pending.add(end === 0 ? piece : piece.subarray(0, end))
      if (end === 0) continue
      this.text += asUtf8(this.pending.take())
      if (end < piece.length) this.pending.add(piece.slice(end))
    }
  }

  async fillAll(): Promise<void> {
    this.text += asUtf8(await readAll(this.source))
    this.isDone = true
  }

  takeWhole(): string {
    const { text } = this
    this.text = ''
    return text
  }

  drop(length: number): void {
    this.text = this.text.slice(length)
  }

  /** The offset after the last byte of `piece` at which no value is open. Invalid JSON is left for the JSON reader to report. */
  private endOfValues(piece: Uint8Array): number {
    let end = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (this.isInString) {
        if (this.hasEscape) this.hasEscape = false
        else if (byte === 92) this.hasEscape = true
        else if (byte === 34) this.isInString = false
        continue
      }
      if (byte === 34) this.isInString = true
      else if (byte === 91 || byte === 123) this.depth += 1
      else if (byte === 93 || byte === 125) {
        this.depth -= 1
        if (this.depth <= 0) end = at + 1
      } else if (byte <= 32 && this.depth <= 0) end = at + 1
    }
    return end
  }
}
