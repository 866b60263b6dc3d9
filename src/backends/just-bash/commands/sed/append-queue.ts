// What `a`, `r` and `R` append: it is written at the end of a cycle.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { openInput } from '../filter/input.ts'
import { RecordReader } from '../filter/record-reader.ts'
import type { SedOutputs } from './outputs.ts'

type Appended =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'line'; readonly name: string }

export class AppendQueue {
  readonly #context: ShellCommandContext
  readonly #outputs: SedOutputs
  readonly #delimiter: string
  readonly #lineReaders = new Map<string, RecordReader>()
  #items: Appended[] = []

  constructor(context: ShellCommandContext, outputs: SedOutputs, delimiter: string) {
    this.#context = context
    this.#outputs = outputs
    this.#delimiter = delimiter
  }

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  push(item: Appended): void {
    this.#items.push(item)
  }

  /** With -s or -i, `R` begins again with the first line at the start of each file. */
  beginFile(): void {
    this.#lineReaders.clear()
  }

  /** Writes what is queued. */
  async write(): Promise<void> {
    const appended = this.#items
    this.#items = []
    for (const item of appended) {
      if (item.kind === 'text') this.#outputs.main.writeText(item.text)
      else if (item.kind === 'file') await this.#appendFile(item.name)
      else await this.#appendLineOf(item.name)
    }
  }

  async #appendFile(name: string): Promise<void> {
    let reader: RecordReader
    this.#outputs.main.writeText('')
    try {
      await this.#outputs.flushFiles()
      reader = new RecordReader(await openInput(name, this.#context), '\n')
    } catch {
      // POSIX: an unreadable file is treated as an empty file.
      return
    }
    for (;;) {
      const line = reader.take()
      if (line === undefined) return
      if (line === 'more') await reader.fill()
      else this.#outputs.main.writeText(line.isEnded ? `${line.text}\n` : line.text)
    }
  }

  async #appendLineOf(name: string): Promise<void> {
    let reader = this.#lineReaders.get(name)
    if (reader === undefined) {
      try {
        reader = new RecordReader(await openInput(name, this.#context), this.#delimiter)
      } catch {
        // Treated as an empty file, as for r.
        return
      }
      this.#lineReaders.set(name, reader)
    }
    for (;;) {
      const line = reader.take()
      if (line === 'more') await reader.fill()
      else {
        if (line !== undefined) this.#outputs.main.writeText(line.isEnded ? line.text + this.#delimiter : line.text)
        return
      }
    }
  }
}
