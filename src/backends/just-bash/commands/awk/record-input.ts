// Splits a stream into records by RS: at a character, at matches of a regex, or into paragraphs.

import { unfinishedBytes } from '../../../../shell/whole-characters.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { PendingInput, type ShellInput } from '../../../../shell/commands.ts'
import { mostInputBytes } from '../../../../shell/input-limit.ts'
import type { Regex } from '../../regex/regex.ts'

export interface AwkRecord {
  readonly text: string
  /** RT: the text that terminated the record. */
  readonly end: string
}

export class RecordInput {
  private text = ''
  private at = 0
  private isDone = false
  private readonly pending = new PendingInput()
  private readonly source: ShellInput

  constructor(source: ShellInput) {
    this.source = source
  }

  /** `more`: call and await `fill`, then call `take` again. */
  take(separator: string | Regex): AwkRecord | 'more' | undefined {
    if (separator === '') return this.takeParagraph()
    if (typeof separator === 'string') return this.takeUpTo(this.text.indexOf(separator, this.at), separator.length)
    const [start = -1, end = -1] = separator.find(this.text, this.at) ?? []
    // The match ends at the end of the buffer, so more input could extend it.
    if (start >= 0 && end === this.text.length && !this.isDone) return 'more'
    return this.takeUpTo(start === end ? -1 : start, end - start)
  }

  private takeUpTo(end: number, endLength: number): AwkRecord | 'more' | undefined {
    if (end < 0) {
      if (!this.isDone) return 'more'
      if (this.at >= this.text.length) return undefined
      const text = this.text.slice(this.at)
      this.at = this.text.length
      // A final newline that RS does not match is part of the record.
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
    const rest = this.text.slice(this.at)
    this.at = 0
    // An incomplete record is searched again only after it has doubled in length; otherwise the cost would be quadratic.
    let [readBytes, piece] = [0, await this.source.read()]
    while (piece !== undefined) {
      this.pending.add(piece)
      readBytes += piece.length
      if (readBytes >= rest.length) break
      piece = await this.source.read()
    }
    if (piece === undefined) this.isDone = true
    const bytes = this.pending.take()
    const whole = bytes.length - (this.isDone ? 0 : unfinishedBytes(bytes))
    this.text = rest + decodeText(bytes.subarray(0, whole))
    if (this.text.length > mostInputBytes) throw new Error('a record has more than 256 MiB; shorten it, for example with head -c')
    if (whole < bytes.length) this.pending.add(bytes.slice(whole))
  }
}
