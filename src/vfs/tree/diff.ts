// Compares two states of a tree. Unchanged directories are the same object in both, so only changes are visited. A node keeps its inode
// number wherever it is moved, so a move can be distinguished from a removal and a copy.

import type { VfsPath } from '../../core/path.ts'
import type { Difference } from '../backend.ts'
import type { Slot } from './entries.ts'
import type { DirectoryNode, Entry, TreeNode } from './node.ts'
import type { Version } from './tree.ts'

/** A version, and the last inode number at that time: a node with a higher one was created later. */
export interface Moment extends Version {
  readonly lastIno: number
}

/** Passed in, because this file is loaded on first use and must share no code with what is always loaded. */
export interface Helpers {
  readonly rootPath: VfsPath
  readonly childPath: (parent: VfsPath, name: string) => VfsPath
  readonly nodeOf: (version: Version, entry: Entry) => TreeNode
  readonly entryOf: (slot: Slot<Entry>) => Entry
}

interface Found {
  readonly path: VfsPath
  readonly node: TreeNode
  /** The entry is in a removed directory, so it is not reported separately. */
  readonly isInside: boolean
  /** The previous entry at the same place of the same directory. */
  readonly replaced?: Found
}

interface Pair {
  readonly path: VfsPath
  readonly oldPath: VfsPath
  readonly before: DirectoryNode
  readonly after: DirectoryNode
}

/**
 * Sorted by path. A removed directory is one difference, and so is a moved one; of a new directory each entry is reported. The result is
 * not a sequence of operations: two files that were swapped are two moves.
 *
 * Time: proportional to the changes, and to the removed entries if something was moved out of a removed directory. If a file with several
 * names was written, every name in the tree is visited, because only that finds the others.
 */
export function differences(before: Moment, after: Version, helpers: Helpers): readonly Difference[] {
  const comparison = new Comparison(before, after, helpers)
  comparison.run()
  return comparison.report()
}

class Comparison {
  readonly #before: Moment
  readonly #after: Version
  readonly #helpers: Helpers
  readonly #told: Difference[] = []
  /** The same directory in both versions, possibly under another path: its entries are to be compared. */
  readonly #pairs: Pair[] = []
  readonly #gone: Found[] = []
  readonly #come: Found[] = []
  readonly #goneByIno = new Map<number, Found>()
  readonly #comeByIno = new Map<number, Found>()
  readonly #matched = new Set<Found>()
  /** Directories whose entries were reported one by one as removed or created. */
  readonly #opened = new Set<Found>()
  /** New directories: entries may have been moved into them. */
  readonly #unopenedNew: Found[] = []
  /** Removed directories: entries may have been moved out of them. */
  readonly #unopenedGone: Found[] = []
  /** Directories that existed before, now at a new path: they came from a removed directory. */
  readonly #strangers = new Set<Found>()

  constructor(before: Moment, after: Version, helpers: Helpers) {
    this.#before = before
    this.#after = after
    this.#helpers = helpers
  }

  run(): void {
    const [before, after] = [this.#before.root, this.#after.root]
    if (before !== after) this.#pair({ path: this.#helpers.rootPath, oldPath: this.#helpers.rootPath, before, after })
    for (;;) {
      const pair = this.#pairs.pop()
      if (pair !== undefined) {
        this.#compare(pair)
        continue
      }
      const opened = this.#unopenedNew.pop()
      if (opened !== undefined) {
        for (const found of this.#open(this.#after, opened, false)) this.#addCome(found)
        continue
      }
      if (this.#strangers.size === 0) break
      const removed = this.#unopenedGone.pop()
      if (removed !== undefined) {
        for (const found of this.#open(this.#before, removed, true)) this.#addGone(found)
        continue
      }
      // They are not in the older tree's unopened directories: they are from another history, or were moved out of an opened directory.
      for (const found of this.#strangers) if (found.node.kind === 'directory') this.#unopenedNew.push(found)
      this.#strangers.clear()
    }
    if (this.#before.shared !== this.#after.shared) this.#compareShared()
  }

  report(): readonly Difference[] {
    const told = this.#told
    const overwritten = new Set<Found>()
    for (const found of this.#come) {
      if (this.#matched.has(found)) continue
      const { path, node, replaced } = found
      if (
        replaced !== undefined &&
        !this.#matched.has(replaced) &&
        replaced.node.kind === node.kind &&
        node.kind !== 'directory'
      ) {
        overwritten.add(replaced)
        this.#tellChange(path, replaced.node, node)
      } else told.push({ type: 'create', path, kind: node.kind, rev: node.rev })
    }
    for (const found of this.#gone) {
      const { path, node, isInside } = found
      if (isInside || this.#matched.has(found) || overwritten.has(found)) continue
      told.push({ type: 'delete', path, kind: node.kind, rev: node.rev })
    }
    return told.sort((a, b) => (a.path === b.path ? rank(a) - rank(b) : a.path < b.path ? -1 : 1))
  }

  #pair(pair: Pair): void {
    this.#tellChange(pair.path, pair.before, pair.after)
    this.#pairs.push(pair)
  }

  #compare({ path, oldPath, before, after }: Pair): void {
    for (const [name, entry] of this.#apart(before, after)) {
      const other = after.entries.get(name)
      if (other === entry) continue
      const node = this.#helpers.nodeOf(this.#before, entry)
      const otherNode = other === undefined ? undefined : this.#helpers.nodeOf(this.#after, other)
      const at = this.#helpers.childPath(path, name)
      const wasAt = this.#helpers.childPath(oldPath, name)
      if (otherNode !== undefined && otherNode.ino === node.ino) this.#compareNodes(at, wasAt, node, otherNode)
      else {
        const replaced = { path: wasAt, node, isInside: false }
        this.#addGone(replaced)
        if (otherNode !== undefined) this.#addCome({ path: at, node: otherNode, isInside: false, replaced })
      }
    }
    for (const [name, entry] of this.#apart(after, before)) {
      if (before.entries.get(name) !== undefined) continue
      this.#addCome({
        path: this.#helpers.childPath(path, name),
        node: this.#helpers.nodeOf(this.#after, entry),
        isInside: false,
      })
    }
  }

  /** The entries of `one`, without the pieces that it shares with `other`, whose entries are equal. */
  *#apart(one: DirectoryNode, other: DirectoryNode): Generator<[string, Entry]> {
    const shared = new Set(other.entries.pieces)
    for (const piece of one.entries.pieces) {
      if (shared.has(piece)) continue
      for (const slot of piece.slots) yield [slot.name, this.#helpers.entryOf(slot)]
    }
  }

  #compareNodes(path: VfsPath, oldPath: VfsPath, before: TreeNode, after: TreeNode): void {
    if (before.kind !== 'directory' || after.kind !== 'directory') this.#tellChange(path, before, after)
    else if (before !== after) this.#pair({ path, oldPath, before, after })
  }

  #tellChange(path: VfsPath, before: TreeNode, after: TreeNode): void {
    const type = changeType(before, after)
    if (type !== undefined) this.#told.push({ type, path, kind: after.kind, rev: after.rev })
  }

  #addGone(found: Found): void {
    this.#gone.push(found)
    if (!isOnlyName(found.node)) return
    const come = this.#comeByIno.get(found.node.ino)
    if (come !== undefined && this.#match(found, come)) return
    this.#goneByIno.set(found.node.ino, found)
    if (found.node.kind === 'directory') this.#unopenedGone.push(found)
  }

  #addCome(found: Found): void {
    this.#come.push(found)
    if (isOnlyName(found.node)) {
      const gone = this.#goneByIno.get(found.node.ino)
      if (gone !== undefined && this.#match(gone, found)) return
      this.#comeByIno.set(found.node.ino, found)
      if (found.node.ino <= this.#before.lastIno) {
        this.#strangers.add(found)
        return
      }
    }
    if (found.node.kind === 'directory') this.#unopenedNew.push(found)
  }

  /** Whether they are one node that was moved. A directory that was already opened is not, because its entries were reported. */
  #match(gone: Found, come: Found): boolean {
    if (gone.node.kind !== come.node.kind || this.#opened.has(gone) || this.#opened.has(come)) return false
    this.#goneByIno.delete(gone.node.ino)
    this.#comeByIno.delete(come.node.ino)
    this.#matched.add(gone)
    this.#matched.add(come)
    this.#strangers.delete(come)
    const { path, node } = come
    this.#told.push({ type: 'move', path, oldPath: gone.path, kind: node.kind, rev: node.rev })
    this.#compareNodes(path, gone.path, gone.node, node)
    return true
  }

  #open(version: Version, directory: Found, isInside: boolean): readonly Found[] {
    const { path, node } = directory
    if (node.kind !== 'directory' || this.#matched.has(directory)) return []
    this.#opened.add(directory)
    const child = ([name, entry]: [string, Entry]): Found => ({
      path: this.#helpers.childPath(path, name),
      node: this.#helpers.nodeOf(version, entry),
      isInside,
    })
    return Array.from(node.entries, child)
  }

  /** The table of nodes with several names is not part of any directory, so the walk above misses changes in it. */
  #compareShared(): void {
    const changed = new Set<number>()
    for (const [key, file] of this.#after.shared) {
      const old = this.#before.shared.get(key)
      if (old !== undefined && old !== file && changeType(old, file) !== undefined) changed.add(key)
    }
    if (changed.size === 0) return
    const known = new Set(this.#told.map(({ path }) => path))
    for (const { path } of this.#come) known.add(path)
    const pending: Found[] = [{ path: this.#helpers.rootPath, node: this.#after.root, isInside: false }]
    for (let found = pending.pop(); found !== undefined; found = pending.pop()) {
      if (found.node.kind !== 'directory') continue
      for (const [name, entry] of found.node.entries) {
        const path = this.#helpers.childPath(found.path, name)
        if (entry.kind === 'directory') pending.push({ path, node: entry, isInside: false })
        else if (entry.key !== undefined && changed.has(entry.key) && !known.has(path)) {
          const [old, file] = [this.#before.shared.get(entry.key), this.#after.shared.get(entry.key)]
          if (old !== undefined && file !== undefined) this.#tellChange(path, old, file)
        }
      }
    }
  }
}

/** The change of a node at the same place, or `undefined`. Names that were added to or removed from a directory are reported separately. */
function changeType(before: TreeNode, after: TreeNode): 'modify' | 'attributes' | undefined {
  if (before.kind === 'file' && after.kind === 'file' && before.bytes !== after.bytes) return 'modify'
  if (before.kind === 'symlink' && after.kind === 'symlink' && before.target !== after.target) return 'modify'
  if (before.mode !== after.mode) return 'attributes'
  return after.kind !== 'directory' && before.mtimeMs !== after.mtimeMs ? 'attributes' : undefined
}

/** A node with several names cannot be recognised as moved: one name may be removed and another one new. */
function isOnlyName(node: TreeNode): boolean {
  return node.kind === 'directory' || node.nlink === 1
}

/** Removals are sorted before the other differences. */
function rank({ type }: Difference): number {
  return type === 'delete' ? 0 : type === 'attributes' || type === 'modify' ? 2 : 1
}
