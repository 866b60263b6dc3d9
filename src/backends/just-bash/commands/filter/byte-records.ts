// Reads the lines of a stream as byte strings (one character per byte), in batches: each batch holds the lines that one piece of
// input completes.

import { PendingInput, type ShellInput } from '../../../../shell/commands.ts'
import { latin1Text } from '../../encoding.ts'

export class ByteRecords {
  private readonly pending = new PendingInput()
  private isDone = false
  private readonly source: ShellInput
  private readonly end: string

  constructor(source: ShellInput, end = '\n') {
    this.source = source
    this.end = end
  }

  /** The next lines, without their newlines; `undefined` at the end of the input. The last line of the input may lack a newline. */
  async next(): Promise<readonly string[] | undefined> {
    while (!this.isDone) {
      const piece = await this.source.read()
      if (piece === undefined) {
        this.isDone = true
        const rest = this.pending.take()
        return rest.length === 0 ? undefined : [latin1Text(rest)]
      }
      const end = piece.lastIndexOf(this.end.charCodeAt(0)) + 1
      if (end === 0) {
        this.pending.add(piece)
        continue
      }
      this.pending.add(piece.subarray(0, end))
      const records = latin1Text(this.pending.take()).split(this.end)
      records.pop()
      if (end < piece.length) this.pending.add(piece.slice(end))
      return records
    }
    return undefined
  }
}
