// The result of a WebContainer's `export`: a tree in MessagePack. Only encoding, and only the forms of such a tree; the driver's reader is
// tested with it. See docs/webcontainer.md, "Files".

export type SnapshotEntry =
  | { readonly d: Readonly<Record<string, SnapshotEntry>> }
  | { readonly f: { readonly c: Uint8Array } }
  | { readonly f: { readonly l: string } }

/** As the service would write it: valid UTF-8 as a string, everything else as binary. */
export function encodeSnapshot(tree: SnapshotEntry): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  writeEntry(parts, tree)
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const encoder = new TextEncoder()

function writeEntry(parts: Uint8Array[], entry: SnapshotEntry): void {
  writeMapSize(parts, 1)
  if ('d' in entry) {
    writeText(parts, 'd')
    const children = Object.entries(entry.d)
    writeMapSize(parts, children.length)
    for (const [name, child] of children) {
      writeText(parts, name)
      writeEntry(parts, child)
    }
    return
  }
  writeText(parts, 'f')
  writeMapSize(parts, 1)
  if ('l' in entry.f) {
    writeText(parts, 'l')
    writeText(parts, entry.f.l)
  } else {
    writeText(parts, 'c')
    writeSized(parts, entry.f.c, [0xc4, 0xc5, 0xc6])
  }
}

function writeText(parts: Uint8Array[], text: string): void {
  const bytes = encoder.encode(text)
  if (bytes.length < 32) parts.push(Uint8Array.of(0xa0 | bytes.length), bytes)
  else writeSized(parts, bytes, [0xd9, 0xda, 0xdb])
}

function writeSized(parts: Uint8Array[], bytes: Uint8Array, [byte, two, four]: readonly [number, number, number]): void {
  const { length } = bytes
  if (length < 2 ** 8) parts.push(Uint8Array.of(byte, length))
  else if (length < 2 ** 16) parts.push(Uint8Array.of(two, length >> 8, length & 255))
  else parts.push(Uint8Array.of(four, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255))
  parts.push(bytes)
}

function writeMapSize(parts: Uint8Array[], size: number): void {
  if (size < 16) parts.push(Uint8Array.of(0x80 | size))
  else if (size < 2 ** 16) parts.push(Uint8Array.of(0xde, size >> 8, size & 255))
  else parts.push(Uint8Array.of(0xdf, size >>> 24, (size >>> 16) & 255, (size >>> 8) & 255, size & 255))
}
