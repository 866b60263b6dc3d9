// Records of a stream, one after the other, as text. What is already there is given at once, so that a filter waits once for each piece
// and not for each line.

import { joinBytes } from '../../../../core/bytes.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellInput } from '../../../../shell/commands.ts'

export interface TextRecord {
  readonly text: string
  /** The last one may lack its end. */
  readonly isEnded: boolean
}

export class RecordReader {
  private text = ''
  private at = 0
  private isDone = false
  private tail: Uint8Array = new Uint8Array(0)
  private readonly source: ShellInput
  private readonly end: string

  constructor(source: ShellInput, end: string) {
    this.source = source
    this.end = end
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

  async fill(): Promise<void> {
    const piece = await this.source.read()
    if (piece === undefined) {
      this.isDone = true
      if (this.tail.length > 0) this.text = this.text.slice(this.at) + decodeText(this.tail)
      else this.text = this.text.slice(this.at)
      this.at = 0
      this.tail = new Uint8Array(0)
      return
    }
    const bytes = this.tail.length === 0 ? piece : joinBytes([this.tail, piece])
    const whole = bytes.length - incompleteTail(bytes)
    this.tail = bytes.subarray(whole)
    this.text = this.text.slice(this.at) + decodeText(bytes.subarray(0, whole))
    this.at = 0
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
