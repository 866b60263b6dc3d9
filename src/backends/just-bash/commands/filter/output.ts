// Buffers the output of a filter, so that it is written in large pieces. `write` is synchronous; a caller that writes in a loop
// awaits `flush` when `isFull` is true.

import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellOutput } from '../../../../shell/commands.ts'

const pieceLength = 64 * 1024

export class TextOutput {
  private parts: string[] = []
  private length = 0
  private readonly target: ShellOutput

  constructor(target: ShellOutput) {
    this.target = target
  }

  get isFull(): boolean {
    return this.length >= pieceLength
  }

  write(text: string): void {
    if (text === '') return
    this.parts.push(text)
    this.length += text.length
  }

  /** Writes whole blocks of `size` bytes and keeps the rest in the buffer. */
  async flushBlocks(size: number): Promise<void> {
    const bytes = encodeText(this.parts.join(''))
    const whole = bytes.length - (bytes.length % size)
    if (whole === 0) return
    const rest = decodeText(bytes.subarray(whole))
    this.parts = [rest]
    this.length = rest.length
    await this.target.write(bytes.subarray(0, whole))
  }

  async flush(): Promise<void> {
    if (this.length === 0) return
    const bytes = encodeText(this.parts.join(''))
    this.parts = []
    this.length = 0
    await this.target.write(bytes)
  }
}
