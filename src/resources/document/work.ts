// What every reader receives: how to pause, and the limits of its output.

import { createPauser } from '../../core/pause.ts'
import { DocumentTrouble } from './trouble.ts'

/** Limit for the Markdown of one document, in characters. The rest is left out, with a note. */
const outputMaxCharacters = 8_000_000
/** Limit for the unpacked parts of one packed document, in bytes. */
const unpackedMaxBytes = 192 * 1024 * 1024
/** Small files may be unpacked to this size whatever their ratio is. */
const unpackedFreeBytes = 16 * 1024 * 1024
const unpackedMaxRatio = 200

/** The work on one document. */
export class DocumentWork {
  readonly signal: AbortSignal
  /** Sentences for the model about content that is not shown. */
  readonly notes: string[] = []
  readonly #pause = createPauser()
  #unpackedBytes = 0
  #characters = 0
  #isCut = false

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  /** To be awaited often: lets other work run, and throws if the call was aborted. */
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

  /** Whether there is room for `text`. Once there is none, nothing more is accepted. */
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
  /** `page 3`, `sheet Costs`: the selector of the part. Absent if the document has no such parts. */
  readonly name?: string
  readonly markdown: string
}

/** A document as Markdown, divided into its parts. */
export interface ReadDocument {
  readonly parts: readonly DocumentPart[]
}
