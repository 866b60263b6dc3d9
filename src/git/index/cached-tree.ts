// The IDs of the trees for the index, by directory: the TREE extension. With them, a commit writes only the trees above changed files,
// and an index with a valid root is compared with a commit by one ID.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { joinBytes } from '../../core/bytes.ts'
import { compareTreeEntries, emptyTreeId, modes, type ObjectId, type TreeEntry } from '../store/object-format.ts'
import type { ObjectStore } from '../store/objects.ts'
import { fromHex, toHex } from '../store/sha1.ts'
import type { IndexEntry } from './git-index.ts'

export class CachedTree {
  /** The number of index entries below; -1: something changed, and the ID is unknown. */
  count: number
  oid: ObjectId | undefined
  readonly children: Map<string, CachedTree>

  constructor(count: number = -1, oid?: ObjectId, children: Map<string, CachedTree> = new Map<string, CachedTree>()) {
    this.count = count
    this.oid = oid
    this.children = children
  }

  get isValid(): boolean {
    return this.count >= 0
  }

  copy(): CachedTree {
    const children = new Map<string, CachedTree>()
    for (const [name, child] of this.children) children.set(name, child.copy())
    return new CachedTree(this.count, this.oid, children)
  }

  invalidate(path: string): void {
    this.count = -1
    const end = path.indexOf('/')
    if (end === -1) this.children.delete(path)
    else this.children.get(path.slice(0, end))?.invalidate(path.slice(end + 1))
  }
}

/** Writes the trees whose ID is unknown and returns the ID of the root. `entries` are those of stage 0 in order. */
export async function writeTrees(
  objects: ObjectStore,
  entries: readonly IndexEntry[],
  cached: CachedTree | undefined,
): Promise<CachedTree> {
  const root = cached ?? new CachedTree()
  await writeLevel(objects, entries, 0, entries.length, '', root)
  return root
}

async function writeLevel(
  objects: ObjectStore,
  entries: readonly IndexEntry[],
  start: number,
  end: number,
  prefix: string,
  node: CachedTree,
): Promise<void> {
  // The empty tree can be read without being stored, and what names it needs it stored.
  const isKnown = node.isValid && node.count === end - start && node.oid !== undefined && node.oid !== emptyTreeId
  if (isKnown && (await objects.has(node.oid ?? ''))) return
  const rows: TreeEntry[] = []
  const names = new Set<string>()
  let isComplete = true
  for (let at = start; at < end;) {
    const entry = entries[at]
    if (entry === undefined) break
    const rest = entry.path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash === -1) {
      // Entries from `add -N` are in no commit.
      if (!entry.isIntentToAdd) rows.push({ mode: entry.mode, name: rest, oid: entry.oid })
      else isComplete = false
      at++
      continue
    }
    const name = rest.slice(0, slash)
    const inside = `${prefix}${name}/`
    let next = at + 1
    while (next < end && entries[next]?.path.startsWith(inside)) next++
    const child = node.children.get(name) ?? new CachedTree()
    node.children.set(name, child)
    names.add(name)
    await writeLevel(objects, entries, at, next, inside, child)
    if (child.oid !== undefined && child.oid !== emptyDirectory) rows.push({ mode: modes.tree, name, oid: child.oid })
    if (!child.isValid) isComplete = false
    at = next
  }
  for (const name of node.children.keys()) if (!names.has(name)) node.children.delete(name)
  rows.sort(compareTreeEntries)
  node.oid = rows.length === 0 && prefix !== '' ? emptyDirectory : await objects.write('tree', encode(rows))
  node.count = isComplete ? end - start : -1
}

/** Marks a directory whose entries are all from `add -N`. */
const emptyDirectory = ''

function encode(rows: readonly TreeEntry[]): Uint8Array {
  return joinBytes(rows.flatMap(({ mode, name, oid }) => [encodeText(`${mode.toString(8)} ${name}\0`), fromHex(oid)]))
}

export function parseCachedTree(bytes: Uint8Array): CachedTree | undefined {
  let at = 0
  const read = (): readonly [string, CachedTree] | undefined => {
    const end = bytes.indexOf(0, at)
    const line = end === -1 ? -1 : bytes.indexOf(10, end)
    if (line === -1) return undefined
    const name = decodeText(bytes.subarray(at, end))
    const [count = Number.NaN, childCount = Number.NaN] = decodeText(bytes.subarray(end + 1, line))
      .split(' ')
      .map(Number)
    if (!Number.isInteger(count) || !Number.isInteger(childCount) || childCount < 0) return undefined
    at = line + 1
    let oid: ObjectId | undefined
    if (count >= 0) {
      if (at + 20 > bytes.length) return undefined
      oid = toHex(bytes, at, at + 20)
      at += 20
    }
    const children = new Map<string, CachedTree>()
    for (let index = 0; index < childCount; index++) {
      const child = read()
      if (child === undefined) return undefined
      children.set(child[0], child[1])
    }
    return [name, new CachedTree(count, oid, children)]
  }
  return read()?.[1]
}

export function encodeCachedTree(root: CachedTree): Uint8Array {
  const parts: Uint8Array[] = []
  const write = (name: string, { count, oid, children }: CachedTree): void => {
    const isKnown = count >= 0 && oid !== undefined && oid !== emptyDirectory
    parts.push(encodeText(`${name}\0${isKnown ? count : -1} ${children.size}\n`))
    if (isKnown) parts.push(fromHex(oid))
    // Shorter names first, because git searches in this order.
    const sorted = [...children].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    for (const [childName, child] of sorted) write(childName, child)
  }
  write('', root)
  return joinBytes(parts)
}
