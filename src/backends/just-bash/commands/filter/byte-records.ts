// Lines of a stream as bytes, one character for each, in batches: what one piece of the input completes.

import type { ShellInput } from '../../../../shell/commands.ts'
import { latin1Text } from '../../encoding.ts'

export class ByteRecords {
  private rest = ''
  private isDone = false
  private readonly source: ShellInput
  private readonly end: string

  constructor(source: ShellInput, end = '\n') {
    this.source = source
    this.end = end
  }

  /** Each without its end; the last one of the input may have had none. `undefined`: there are no more. */
  async next(): Promise<readonly string[] | undefined> {
    while (!this.isDone) {
      const piece = await this.source.read()
      if (piece === undefined) {
        this.isDone = true
        return this.rest === '' ? undefined : [this.rest]
      }
      const records = (this.rest + latin1Text(piece)).split(this.end)
      this.rest = records.pop() ?? ''
      if (records.length > 0) return records
    }
    return undefined
  }
}
