// Reconstructs a stream of a command's output from its progress updates, which have the newest part and the total length.

import { textOf } from '../core/text-of.ts'
import type { ToolResult } from '../core/tool.ts'

export class TailStream {
  readonly stream: ReadableStream<Uint8Array>
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #sentBytes = 0

  constructor() {
    this.stream = new ReadableStream({
      start: controller => {
        this.#controller = controller
      },
      cancel: () => {
        this.#controller = undefined
      },
    })
  }

  /** `tail` is the end of an output of `totalBytes`. Bytes before it that were never shown are sent by `end`. */
  show(tail: string, totalBytes: number): void {
    const bytes = new TextEncoder().encode(tail)
    const newBytes = totalBytes - this.#sentBytes
    if (newBytes > 0 && newBytes <= bytes.length) this.#send(bytes.subarray(bytes.length - newBytes))
  }

  /** Sends the missing bytes and closes the stream. Without a result, no more bytes are known. */
  end(result: ToolResult | undefined): void {
    if (result !== undefined) this.#send(new TextEncoder().encode(outputOf(result)).subarray(this.#sentBytes))
    this.#controller?.close()
    this.#controller = undefined
  }

  #send(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#sentBytes += bytes.length
    this.#controller?.enqueue(bytes)
  }
}

/** The output of the command, without the lines that the tool adds. */
function outputOf(result: ToolResult): string {
  const text = textOf(result)
  const { exitCode } = result.details
  const end = typeof exitCode === 'number' ? `\n\nCommand exited with code ${exitCode}` : ''
  const said = end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text
  return said === '(no output)' ? '' : said
}
