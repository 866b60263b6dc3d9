// The text of an input as it comes, cut behind whole values, or behind lines: an endless input has values before its end.

import { PendingInput, readAll, type ShellInput } from '../../../../shell/commands.ts'
import { asUtf8 } from './as-utf8.ts'

export class ValuePieces {
  /** What was read and not taken. */
  text = ''
  isDone = false
  private depth = 0
  private isInString = false
  private hasEscape = false
  /** What of the end of the input is no whole value yet. */
  private readonly pending = new PendingInput()
  private readonly source: ShellInput
  private readonly isRaw: boolean

  constructor(source: ShellInput, isRaw: boolean) {
    this.source = source
    this.isRaw = isRaw
  }

  /** Reads until there is more to take, or all is read. */
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

  /** Behind the last byte of `piece` where no value is open. What is no JSON is left to its reader. */
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
