// Caches the data that tools need of a text (lines, normalized form, tag) for recently used files, because a read, its edit and the next
// edit usually concern one text. Bytes are always read again and compared completely, so the cache does not depend on reported changes.

import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { documentOf, normalizedFrom, textOf, type TextDocument } from '../core/text.ts'
import { contentTag } from '../text/hashline/tag.ts'

export interface PreparedText {
  /** The exact content of the file, including BOM and line endings. */
  readonly text: string
  readonly document: TextDocument
  /** The text without BOM and with LF as the only line ending. Tags are computed from it. */
  readonly normalized: string
  readonly tag: string
}

/** The approximate memory of a text and its lines, per character. */
const bytesPerCharacter = 4
const maxBytes = 32 * 1024 * 1024

export class TextCache {
  readonly #prepared = new SizedLru<VfsPath, PreparedText>(maxBytes)

  /** The content of `path` when the session last opened or prepared it, if it is still cached. */
  last(path: VfsPath): string | undefined {
    return this.#prepared.get(path)?.text
  }

  /** The cached texts by path, the last used first. */
  newestFirst(): readonly (readonly [path: VfsPath, text: string])[] {
    return this.#prepared.newestFirst().map(([path, { text }]) => [path, text] as const)
  }

  /** `text` is the current content of `path`. */
  open(path: VfsPath, text: string): PreparedText {
    const known = this.#prepared.get(path)
    return known?.text === text ? known : this.#keep(path, prepare(text, documentOf(text)))
  }

  /** `document` is the future content of `path`. */
  prepare(path: VfsPath, document: TextDocument): PreparedText {
    return this.#keep(path, prepare(textOf(document), document))
  }

  #keep(path: VfsPath, prepared: PreparedText): PreparedText {
    this.#prepared.set(path, prepared, prepared.text.length * bytesPerCharacter + 1)
    return prepared
  }
}

function prepare(text: string, document: TextDocument): PreparedText {
  const normalized = normalizedFrom(text, document)
  return { text, document, normalized, tag: contentTag(normalized) }
}
