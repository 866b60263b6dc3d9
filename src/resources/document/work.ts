// What every reader gets: how to give the thread back, and how much it may make.

import { createPauser } from '../../core/pause.ts'
import { DocumentTrouble } from './trouble.ts'

/** Characters of Markdown that one document becomes. What follows is left out, and said. */
const outputMaxCharacters = 8_000_000
/** Bytes that the parts of one packed document may have together when they are unpacked. */
const unpackedMaxBytes = 192 * 1024 * 1024
/** Small files may unpack to this much whatever their ratio. */
const unpackedFreeBytes = 16 * 1024 * 1024
const unpackedMaxRatio = 200

/** The work on one document. */
export class DocumentWork {
  readonly signal: AbortSignal
  /** Sentences for the model about what is not shown. */
  readonly notes: string[] = []
  readonly #pause = createPauser()
  #unpackedBytes = 0
  #characters = 0
  #isCut = false

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  /** To be awaited often: lets others run now and then, and throws when the call was aborted. */
  async pause(): Promise<void> {
    await this.#pause()
    this.signal.throwIfAborted()
  }

  /** Counts unpacked bytes of a package of `packedBytes`. Throws {@link DocumentTrouble} `too-large`. */
  countUnpacked(bytes: number, packedBytes: number): void {
    this.#unpackedBytes += bytes
    const most = Math.min(unpackedMaxBytes, Math.max(unpackedFreeBytes, packedBytes * unpackedMaxRatio))
    if (this.#unpackedBytes <= most) return
    throw new DocumentTrouble('too-large', `it unpacks to more than ${Math.round(most / 1024 / 1024)} MB`)
  }

  /** Whether there is room for `text`. Once there was none, nothing more is taken. */
  takes(text: string): boolean {
    if (this.#isCut) return false
    this.#characters += text.length
    if (this.#characters <= outputMaxCharacters) return true
    this.#isCut = true
    this.notes.push(`The text is cut after ${outputMaxCharacters.toLocaleString('en-US')} characters`)
    return false
  }
}

/** A page, sheet, slide or chapter. */
export interface DocumentPart {
  /** `page 3`, `sheet Costs`: how a selector names it. Absent where the document has no such parts. */
  readonly name?: string
  readonly markdown: string
}

/** A document as Markdown, in its parts. */
export interface ReadDocument {
  readonly parts: readonly DocumentPart[]
}
