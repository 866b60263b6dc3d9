// Records of a stream, as RS says: up to a character, up to what a pattern matches, or paragraphs.

import { decodeText } from '../../../../shell/byte-text.ts'
import type { ShellInput } from '../../../../shell/commands.ts'
import { joinBytes } from '../../../../core/bytes.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { incompleteTail } from '../filter/record-reader.ts'

export interface AwkRecord {
  readonly text: string
  /** RT: what ended it. */
  readonly end: string
}

export class RecordInput {
  private text = ''
  private at = 0
  private isDone = false
  private tail: Uint8Array = new Uint8Array(0)
  private separator = '\n'
  private pattern: Regex | undefined
  private readonly source: ShellInput

  constructor(source: ShellInput) {
    this.source = source
  }

  /** `more`: await `fill` and ask again. */
  take(separator: string): AwkRecord | 'more' | undefined {
    if (separator === '') return this.takeParagraph()
    if (separator.length === 1) return this.takeUpTo(this.text.indexOf(separator, this.at), 1)
    if (separator !== this.separator) {
      this.separator = separator
      this.pattern = posixRegex(separator, { syntax: 'extended', escapes: 'awk' })
    }
    const [start = -1, end = -1] = this.pattern?.find(this.text, this.at) ?? []
    // More input could make the match longer.
    if (start >= 0 && end === this.text.length && !this.isDone) return 'more'
    return this.takeUpTo(start === end ? -1 : start, end - start)
  }

  private takeUpTo(end: number, endLength: number): AwkRecord | 'more' | undefined {
    if (end < 0) {
      if (!this.isDone) return 'more'
      if (this.at >= this.text.length) return undefined
      const text = this.text.slice(this.at)
      this.at = this.text.length
      // A last line end that RS does not speak of belongs to the record.
      return { text, end: '' }
    }
    const record = { text: this.text.slice(this.at, end), end: this.text.slice(end, end + endLength) }
    this.at = end + endLength
    return record
  }

  private takeParagraph(): AwkRecord | 'more' | undefined {
    while (this.text.charAt(this.at) === '\n') this.at += 1
    const end = this.text.indexOf('\n\n', this.at)
    if (end < 0) {
      if (!this.isDone) return 'more'
      if (this.at >= this.text.length) return undefined
      const rest = this.text.slice(this.at)
      this.at = this.text.length
      return rest.endsWith('\n') ? { text: rest.slice(0, -1), end: '\n' } : { text: rest, end: '' }
    }
    let behind = end + 2
    while (this.text.charAt(behind) === '\n') behind += 1
    if (behind === this.text.length && !this.isDone) return 'more'
    const record = { text: this.text.slice(this.at, end), end: this.text.slice(end, behind) }
    this.at = behind
    return record
  }

  async fill(): Promise<void> {
    const piece = await this.source.read()
    const rest = this.text.slice(this.at)
    this.at = 0
    if (piece === undefined) {
      this.isDone = true
      this.text = this.tail.length > 0 ? rest + decodeText(this.tail) : rest
      this.tail = new Uint8Array(0)
      return
    }
    const bytes = this.tail.length === 0 ? piece : joinBytes([this.tail, piece])
    const whole = bytes.length - incompleteTail(bytes)
    this.tail = bytes.subarray(whole)
    this.text = rest + decodeText(bytes.subarray(0, whole))
  }
}
