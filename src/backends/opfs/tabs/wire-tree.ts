// A whole tree as plain data, in pages: parents before children, each directory with its number of entries. Contents are fetched
// separately.

import { childPath, rootPath, type VfsPath } from '../../../core/path.ts'
import {
  type DirectoryNode,
  type Entry,
  type Extra,
  type FileContent,
  type LinkableNode,
  makeDirectory,
  type SharedEntry,
  type TreeNode,
} from '../../../vfs/tree/node.ts'
import type { Version } from '../../../vfs/tree/tree.ts'

/** Older releases send no `extra`. */
type Facts = readonly [mode: number, mtimeMs: number, ctimeMs: number, ino: number, rev: number, extra?: Extra | undefined]

export type Row =
  | readonly ['directory', name: string, entryCount: number, ...Facts]
  | readonly ['file', name: string, lengthBytes: number, ...Facts]
  | readonly ['symlink', name: string, target: string, sizeBytes: number, ...Facts]
  /** One of the names of a node that has several. Older releases have no symlinks with several names, and send no kind. */
  | readonly ['name', name: string, key: number, kind?: SharedEntry['kind']]
  /** A file that has several names, and a symlink that has. These rows come last. */
  | readonly ['shared', key: number, nlink: number, lengthBytes: number, ...Facts]
  | readonly ['sharedSymlink', key: number, nlink: number, target: string, sizeBytes: number, ...Facts]

/** The counters of a tree. */
export interface TreeFacts {
  readonly contentBytes: number
  readonly nodeCount: number
}

const pageRows = 4_000

export function encodeTree(tree: Version): readonly (readonly Row[])[] {
  const pages: Row[][] = []
  let page: Row[] = []
  const add = (row: Row): void => {
    if (page.length === 0) pages.push(page)
    page.push(row)
    if (page.length === pageRows) page = []
  }
  const visit = (name: string, entry: Entry): void => {
    if (entry.key !== undefined) return add(['name', name, entry.key, entry.kind])
    const facts = factsOf(entry)
    if (entry.kind === 'file') return add(['file', name, entry.bytes.length, ...facts])
    if (entry.kind === 'symlink') return add(['symlink', name, entry.target, entry.sizeBytes, ...facts])
    add(['directory', name, entry.entries.size, ...facts])
    for (const [childName, child] of entry.entries) visit(childName, child)
  }
  visit('', tree.root)
  for (const [key, node] of tree.shared) {
    const facts = factsOf(node)
    if (node.kind === 'file') add(['shared', key, node.nlink, node.bytes.length, ...facts])
    else add(['sharedSymlink', key, node.nlink, node.target, node.sizeBytes, ...facts])
  }
  return pages
}

function factsOf({ mode, mtimeMs, ctimeMs, ino, rev, extra }: TreeNode): Facts {
  return [mode, mtimeMs, ctimeMs, ino, rev, extra]
}

/** `contentOf` is called once for each file, with one of its paths. */
export function decodeTree(
  pages: readonly (readonly Row[])[],
  facts: TreeFacts,
  contentOf: (ino: number, lengthBytes: number, path: VfsPath) => FileContent,
): Version {
  const owner = Symbol('received')
  const open: { readonly directory: DirectoryNode; readonly path: VfsPath; left: number }[] = []
  const shared = new Map<number, LinkableNode>()
  const pathByKey = new Map<number, VfsPath>()
  let root: DirectoryNode | undefined
  const put = (name: string, entry: Entry): VfsPath => {
    const parent = open.at(-1)
    if (parent === undefined) return rootPath
    parent.directory.entries.set(name, entry)
    parent.left--
    return childPath(parent.path, name)
  }
  const pathOf = (name: string): VfsPath => childPath(open.at(-1)?.path ?? rootPath, name)
  for (const row of pages.flat()) {
    switch (row[0]) {
      case 'directory': {
        const [, name, entryCount, mode, mtimeMs, ctimeMs, ino, rev, extra] = row
        const directory = makeDirectory({ kind: 'directory', mode, mtimeMs, ctimeMs, ino, rev, extra }, owner)
        const path = put(name, directory)
        root ??= directory
        open.push({ directory, path, left: entryCount })
        break
      }
      case 'file': {
        const [, name, lengthBytes, mode, mtimeMs, ctimeMs, ino, rev, extra] = row
        const bytes = contentOf(ino, lengthBytes, pathOf(name))
        put(name, { kind: 'file', bytes, nlink: 1, mode, mtimeMs, ctimeMs, ino, rev, extra })
        break
      }
      case 'symlink': {
        const [, name, target, sizeBytes, mode, mtimeMs, ctimeMs, ino, rev, extra] = row
        put(name, { kind: 'symlink', target, sizeBytes, nlink: 1, mode, mtimeMs, ctimeMs, ino, rev, extra })
        break
      }
      case 'name':
        pathByKey.set(row[2], put(row[1], { kind: row[3] ?? 'file', key: row[2] }))
        break
      case 'sharedSymlink': {
        const [, key, nlink, target, sizeBytes, mode, mtimeMs, ctimeMs, ino, rev, extra] = row
        shared.set(key, { kind: 'symlink', target, sizeBytes, nlink, mode, mtimeMs, ctimeMs, ino, rev, extra })
        break
      }
      case 'shared': {
        const [, key, nlink, lengthBytes, mode, mtimeMs, ctimeMs, ino, rev, extra] = row
        const bytes = contentOf(ino, lengthBytes, pathByKey.get(key) ?? rootPath)
        shared.set(key, { kind: 'file', bytes, nlink, mode, mtimeMs, ctimeMs, ino, rev, extra })
        break
      }
    }
    while (open.at(-1)?.left === 0) open.pop()
  }
  if (root === undefined) throw new Error('a tree came without its root')
  return { root, shared, ...facts, editCount: 0 }
}
