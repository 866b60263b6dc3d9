// The nodes of a tree. Files and links are immutable: a change makes a new one. Only a directory may be changed in place, and only by the
// tree that owns it. So taking a snapshot copies nothing, and a write copies each directory on its path at most once.

import type { Stat } from '../backend.ts'
import { Entries } from './entries.ts'

/** Identifies who may change a directory in place. A new owner is created whenever a snapshot or a transaction holds the tree. */
export type Owner = symbol

/** Attributes of every node, with the meaning that they have in {@link Stat}. */
export interface Facts {
  readonly mode: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
  readonly rev: number
  /** Attributes that most nodes do not have. */
  readonly extra?: Extra | undefined
}

/** Owners, and the time of the last read. */
export type Extra = Pick<Stat, 'uid' | 'gid' | 'atimeMs'>

/** The content of a file: bytes in memory, or an object that reads them from where they are stored. */
export interface FileContent {
  readonly length: number
  /** A copy, like `Uint8Array.prototype.slice`. */
  slice(start?: number, end?: number): Uint8Array
  /** The bytes themselves, if they are in memory. Only for vfs/borrow.ts. */
  readonly view?: () => Uint8Array
  /** For a content in a store: its bytes for immediate use, without a copy if they are in memory. Fails as `slice` does. */
  readonly peek?: () => Uint8Array
  /** Reads stored contents, of which this is one, in few accesses, so that `peek` finds them in memory. It never fails. */
  readonly readAhead?: (contents: readonly FileContent[]) => void
}

/** A node that may have several names. */
interface Linkable extends Facts {
  readonly nlink: number
  readonly key?: never
}

export interface FileNode extends Linkable {
  readonly kind: 'file'
  /** Never handed out and never changed: readers get a copy. */
  readonly bytes: FileContent
}

export interface SymlinkNode extends Linkable {
  readonly kind: 'symlink'
  readonly target: string
  readonly sizeBytes: number
}

/** A directory without its entries. */
export interface DirectoryFacts extends Facts {
  readonly kind: 'directory'
}

export interface DirectoryNode {
  readonly kind: 'directory'
  readonly key?: never
  readonly owner: Owner
  readonly entries: Entries<Entry>
  readonly ino: number
  mode: number
  mtimeMs: number
  ctimeMs: number
  rev: number
  extra?: Extra | undefined
}

/** A file or symlink that may have several names. */
export type LinkableNode = FileNode | SymlinkNode

/** One of several names of a node: the node is in the tree's table of shared nodes, under `key`. */
export interface SharedEntry {
  readonly kind: LinkableNode['kind']
  readonly key: number
}

export type TreeNode = FileNode | SymlinkNode | DirectoryNode
export type Entry = TreeNode | SharedEntry

/** With the entries of `before`, if given. */
export function makeDirectory(facts: DirectoryFacts, owner: Owner, before?: Entries<Entry>): DirectoryNode {
  // Written out, because an object made by a spread is read much more slowly.
  const { mode, mtimeMs, ctimeMs, ino, rev, extra } = facts
  return { kind: 'directory', owner, entries: new Entries(owner, before), ino, mode, mtimeMs, ctimeMs, rev, extra }
}

/** The current time, but later than `beforeMs`: the times of a node only increase, whatever the clock does. */
export function laterThan(beforeMs: number | undefined, nowMs: number): number {
  return Math.max(nowMs, (beforeMs ?? -1) + 1)
}

/** A directory has one link, as on btrfs: programs that count subdirectories by `nlink` take 1 for "unknown". */
export function statOf(node: TreeNode): Stat {
  const stat = {
    kind: node.kind,
    sizeBytes: node.kind === 'file' ? node.bytes.length : node.kind === 'symlink' ? node.sizeBytes : 0,
    mode: node.mode,
    mtimeMs: node.mtimeMs,
    ctimeMs: node.ctimeMs,
    ino: node.ino,
    rev: node.rev,
    nlink: node.kind === 'directory' ? 1 : node.nlink,
  }
  // A spread doubles the time of a lookup, and few nodes have more attributes.
  return node.extra === undefined ? stat : { ...stat, ...node.extra }
}
