// The output of `--line-prefix`.

import { joinBytes } from '../core/bytes.ts'
import { encodeText } from '../shell/byte-text.ts'
import type { ShellOutput } from '../shell/commands.ts'

export class PrefixedOutput implements ShellOutput {
  readonly #target: ShellOutput
  readonly #prefix: Uint8Array
  #isAtStart = true

  constructor(target: ShellOutput, prefix: Uint8Array) {
    this.#target = target
    this.#prefix = prefix
  }

  async write(data: Uint8Array | string): Promise<void> {
    const bytes = typeof data === 'string' ? encodeText(data) : data
    const parts: Uint8Array[] = []
    for (let at = 0; at < bytes.length;) {
      const found = bytes.indexOf(10, at)
      const end = found === -1 ? bytes.length : found + 1
      if (this.#isAtStart) parts.push(this.#prefix)
      parts.push(bytes.subarray(at, end))
      this.#isAtStart = found !== -1
      at = end
    }
    await this.#target.write(joinBytes(parts))
  }
}
