// The work that a text costs before a tool can use it (lines, normal form, tag), remembered for the files that a session is busy with:
// a read, its edit and the next edit are mostly about one text. Bytes are always read again and compared whole, so that nothing here
// depends on what a filesystem says about changes.

import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { documentOf, normalizedText, textOf, type TextDocument } from '../core/text.ts'
import { contentTag } from '../text/hashline/tag.ts'

export interface PreparedText {
  /** Exactly what the file holds, with BOM and endings. */
  readonly text: string
  readonly document: TextDocument
  /** No BOM, every ending LF: what tags are computed from. */
  readonly normalized: string
  readonly tag: string
}

/** Roughly what a text and its lines weigh for each of its characters. */
const bytesPerCharacter = 4
const maxBytes = 32 * 1024 * 1024

export class TextCache {
  readonly #prepared = new SizedLru<VfsPath, PreparedText>(maxBytes)

  /** What `path` held when the session last opened or prepared it, as far as it is kept. */
  last(path: VfsPath): string | undefined {
    return this.#prepared.get(path)?.text
  }

  /** The texts that are kept, by path, the one that was used last first. */
  newestFirst(): readonly (readonly [path: VfsPath, text: string])[] {
    return this.#prepared.newestFirst().map(([path, { text }]) => [path, text] as const)
  }

  /** `text` is what `path` holds. */
  open(path: VfsPath, text: string): PreparedText {
    const known = this.#prepared.get(path)
    return known?.text === text ? known : this.#keep(path, prepare(text, documentOf(text)))
  }

  /** `document` is what `path` is about to hold. */
  prepare(path: VfsPath, document: TextDocument): PreparedText {
    return this.#keep(path, prepare(textOf(document), document))
  }

  #keep(path: VfsPath, prepared: PreparedText): PreparedText {
    this.#prepared.set(path, prepared, prepared.text.length * bytesPerCharacter + 1)
    return prepared
  }
}

function prepare(text: string, document: TextDocument): PreparedText {
  const isNormal = !document.bom && !text.includes('\r')
  const normalized = isNormal ? text : normalizedText(document)
  return { text, document, normalized, tag: contentTag(normalized) }
}
