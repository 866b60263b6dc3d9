// Reads the result of a WebContainer's `export`: a tree in MessagePack, `{d: {name: {d} | {f: {c, b?}} | {f: {l}}}}`. One call returns a
// whole tree, and a call for each file would take seconds. Only trees of this form are accepted. See docs/webcontainer.md, "Files".

import { AnchorageError } from '../../core/errors.ts'

export type SnapshotNode =
  | { readonly kind: 'directory'; readonly children: ReadonlyMap<string, SnapshotNode> }
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'symlink'; readonly target: string }

export interface SnapshotLimits {
  readonly maxEntries: number
  readonly maxDepth: number
}

const defaultLimits: SnapshotLimits = { maxEntries: 1_000_000, maxDepth: 512 }

/** The files share the memory of `data`. Throws `AnchorageError` `container-snapshot` for an invalid tree or one that exceeds a limit. */
export function readSnapshot(data: Uint8Array, limits: SnapshotLimits = defaultLimits): SnapshotNode {
  const reader = new Reader(data, limits)
  const root = reader.entry(0)
  if (!reader.isAtEnd) throw refused('there are bytes after the tree')
  return root
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class Reader {
  readonly #data: Uint8Array
  readonly #limits: SnapshotLimits
  #at = 0
  #entries = 0

  constructor(data: Uint8Array, limits: SnapshotLimits) {
    this.#data = data
    this.#limits = limits
  }

  get isAtEnd(): boolean {
    return this.#at === this.#data.length
  }

  entry(depth: number): SnapshotNode {
    if (depth > this.#limits.maxDepth) throw refused(`it is more than ${this.#limits.maxDepth} directories deep`)
    if (++this.#entries > this.#limits.maxEntries)
      throw refused(`it has more than ${this.#limits.maxEntries} entries; exclude directories such as node_modules`)
    let found: SnapshotNode | undefined
    for (let left = this.#mapSize(); left > 0; left--) {
      const key = this.#text()
      if (key === 'd') found = this.#directory(depth)
      else if (key === 'f') found = this.#file()
      else this.#skip(0)
    }
    if (found === undefined) throw refused('an entry is neither a directory nor a file')
    return found
  }

  #directory(depth: number): SnapshotNode {
    const children = new Map<string, SnapshotNode>()
    for (let left = this.#mapSize(); left > 0; left--) {
      const name = this.#text()
      children.set(name, this.entry(depth + 1))
    }
    return { kind: 'directory', children }
  }

  #file(): SnapshotNode {
    let content: { readonly bytes: Uint8Array; readonly isText: boolean } | undefined
    let target: string | undefined
    let isLatin1 = false
    for (let left = this.#mapSize(); left > 0; left--) {
      const key = this.#text()
      if (key === 'c') content = this.#bytes()
      else if (key === 'l') target = this.#text()
      else if (key === 'b') isLatin1 = this.#boolean()
      else this.#skip(0)
    }
    if (target !== undefined) return { kind: 'symlink', target }
    if (content === undefined) throw refused('a file has no content')
    return { kind: 'file', bytes: isLatin1 && content.isText ? fromLatin1(decoder.decode(content.bytes)) : content.bytes }
  }

  #mapSize(): number {
    const type = this.#byte()
    if (type >= 0x80 && type <= 0x8f) return type & 0x0f
    if (type === 0xde) return this.#number(2)
    if (type === 0xdf) return this.#number(4)
    throw refused(`a map was expected, not type 0x${type.toString(16)}`)
  }

  #text(): string {
    const { bytes, isText } = this.#bytes()
    if (!isText) throw refused('a name is not text')
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw refused('a name or a link is not UTF-8', cause)
    }
  }

  #bytes(): { readonly bytes: Uint8Array; readonly isText: boolean } {
    const type = this.#byte()
    if (type >= 0xa0 && type <= 0xbf) return { bytes: this.#take(type & 0x1f), isText: true }
    const widths: Readonly<Record<number, number>> = { 0xc4: 1, 0xc5: 2, 0xc6: 4, 0xd9: 1, 0xda: 2, 0xdb: 4 }
    const width = widths[type]
    if (width === undefined) throw refused(`text or bytes were expected, not type 0x${type.toString(16)}`)
    return { bytes: this.#take(this.#number(width)), isText: type >= 0xd9 }
  }

  #boolean(): boolean {
    const type = this.#byte()
    if (type === 0xc2 || type === 0xc3) return type === 0xc3
    throw refused('true or false was expected')
  }

  /** Skips a field that a later runtime may add: its value is a scalar, text, or a small map or list of such. */
  #skip(depth: number): void {
    if (depth > 8) throw refused('an unknown field is nested too deep')
    const type = this.#data[this.#at] ?? 0
    if (type <= 0x7f || type >= 0xe0 || type === 0xc0 || type === 0xc2 || type === 0xc3) this.#byte()
    else if ((type >= 0x80 && type <= 0x8f) || type === 0xde || type === 0xdf) {
      for (let left = this.#mapSize() * 2; left > 0; left--) this.#skip(depth + 1)
    } else if (type >= 0xca && type <= 0xd3) {
      this.#byte()
      this.#take([4, 8, 1, 2, 4, 8, 1, 2, 4, 8][type - 0xca] ?? 0)
    } else if (type >= 0x90 && type <= 0x9f) {
      this.#byte()
      for (let left = type & 0x0f; left > 0; left--) this.#skip(depth + 1)
    } else this.#bytes()
  }

  #byte(): number {
    const byte = this.#data[this.#at]
    if (byte === undefined) throw refused('it ends in the middle')
    this.#at++
    return byte
  }

  #number(widthBytes: number): number {
    let value = 0
    for (let left = widthBytes; left > 0; left--) value = value * 256 + this.#byte()
    return value
  }

  #take(sizeBytes: number): Uint8Array {
    if (this.#at + sizeBytes > this.#data.length) throw refused('it ends in the middle')
    this.#at += sizeBytes
    return this.#data.subarray(this.#at - sizeBytes, this.#at)
  }
}

function fromLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

function refused(why: string, cause?: unknown): AnchorageError {
  return new AnchorageError('container-snapshot', `The container's tree could not be read: ${why}.`, { details: { why }, cause })
}
