// Whole outputs that were too long to show. Each can be read again, page by page, as `artifact://<id>` (DESIGN §4.5).

import { SizedLru } from '../core/lru.ts'

export interface StoredOutput {
  readonly id: number
  /** What it is, for a person: `bash: npm test`. */
  readonly title: string
  readonly text: string
}

export class OutputStore {
  readonly #outputs: SizedLru<number, StoredOutput>
  #nextId = 1

  constructor(maxBytes: number) {
    this.#outputs = new SizedLru(maxBytes)
  }

  /** Keeps `text` and gives its address. */
  save(title: string, text: string): string {
    const id = this.#nextId++
    this.#outputs.set(id, { id, title, text }, text.length * 2)
    return `artifact://${id}`
  }

  /** `undefined` when it never was, or was dropped for newer ones. */
  get(id: number): StoredOutput | undefined {
    return this.#outputs.get(id)
  }
}
