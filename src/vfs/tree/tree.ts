// The state of one filesystem, and the only code that changes it. It handles real paths and edits; permission is checked before. Invariant:
// a directory that this tree owns is in directories that it owns, up to the root.

import { basename, dirname, pathNames, type VfsPath } from '../../core/path.ts'
import { failure, type VfsError } from '../error.ts'
import type { Edit } from './edit.ts'
import {
  type DirectoryFacts,
  type DirectoryNode,
  type Entry,
  laterThan,
  type LinkableNode,
  makeDirectory,
  type Owner,
  type SharedEntry,
  type TreeNode,
} from './node.ts'
import { newFacts, type Stamps } from './stamps.ts'

/** A tree that is never changed any more. */
export interface Version {
  readonly root: DirectoryNode
  /** Nodes with several names, by the key in their entries. */
  readonly shared: ReadonlyMap<number, LinkableNode>
  readonly contentBytes: number
  readonly nodeCount: number
  readonly editCount: number
}

interface Spot {
  readonly parent: DirectoryNode
  readonly name: string
}

/** Where an operation found the directory that it changes, so that applying its edit need not resolve it again. */
export interface KnownSpot {
  /** The root has none. */
  readonly parent: DirectoryNode | undefined
  readonly name: string
}

export class Tree implements Version {
  declare root: DirectoryNode
  declare shared: ReadonlyMap<number, LinkableNode>
  declare contentBytes: number
  /** Not counting the root. */
  declare nodeCount: number
  /** How many edits were applied: within one history, equal counts mean that nothing changed. */
  declare editCount: number
  /** Set when the transaction of this tree has ended: its remaining references must not use the tree. */
  isEnded = false
  /**
   * The directory of the last path, and its path with a '/' at the end. Files are usually accessed directory by directory, and resolving
   * the same names again is most of the cost of finding one. Code that puts another directory at a path clears it.
   */
  recent: DirectoryNode | undefined
  recentPath = ''
  #owner: Owner = Symbol()
  /** `shared`, if it belongs to this tree and may be changed. */
  #ownedShared: Map<number, LinkableNode> | undefined

  /** A private copy of `version` to continue from. Copies nothing at first. */
  constructor(version: Version) {
    Object.assign(this, versionOf(version))
  }

  static empty(stamps: Stamps): Tree {
    return new Tree({
      root: makeDirectory({ kind: 'directory', ...newFacts(stamps, 0o755) }, Symbol()),
      shared: new Map(),
      contentBytes: 0,
      nodeCount: 0,
      editCount: 0,
    })
  }

  /** The current tree as an immutable version. Takes constant time; later writes copy the directories on their paths. */
  freeze(): Version {
    this.#owner = Symbol()
    this.#ownedShared = undefined
    return versionOf(this)
  }

  /** Takes over the state of `other`, which must not be used afterwards. */
  become(other: Tree): void {
    Object.assign(this, versionOf(other))
    other.isEnded = true
    this.#owner = other.#owner
    this.#ownedShared = other.#ownedShared
    this.recentPath = ''
  }

  /** `spot`, if given, is where `edit.path` is (for a move, the new path). */
  apply(edit: Edit, spot?: KnownSpot): void {
    const { parent, name } = this.#ownSpot(edit.path, spot)
    if ('entry' in edit && edit.entry === 'directory') this.recentPath = ''
    switch (edit.kind) {
      case 'put':
        this.#put(edit, parent, name)
        break
      case 'link':
        parent.entries.set(name, this.#share(edit.existing, edit.atMs))
        break
      case 'drop':
        this.#release(parent.entries.get(name), edit.atMs)
        parent.entries.delete(name)
        break
      case 'move': {
        const from = this.#ownSpot(edit.from)
        const entry = from.parent.entries.get(from.name)
        if (entry === undefined) throw gone(edit.from)
        this.#release(parent.entries.get(name), edit.atMs)
        from.parent.entries.delete(from.name)
        // A rename changes the status of what is renamed, under all of its names.
        if (entry.key !== undefined) this.#countNames(entry, 0, edit.atMs)
        const renamed = entry.kind === 'directory' ? this.#own(entry) : { ...entry }
        if (renamed.key === undefined) renamed.ctimeMs = laterThan(renamed.ctimeMs, edit.atMs)
        parent.entries.set(name, renamed)
        if (parent !== from.parent) touch(from.parent, edit)
        break
      }
    }
    if (edit.kind !== 'put' || edit.change === 'create') touch(parent, edit)
    this.editCount++
  }

  #put(edit: Edit & { kind: 'put' }, parent: DirectoryNode, name: string): void {
    const { node } = edit
    const isNew = edit.change === 'create'
    const old = isNew ? undefined : parent.entries.get(name)
    if (isNew) {
      parent.entries.set(name, node.kind === 'directory' ? makeDirectory(node, this.#owner) : node)
      this.nodeCount++
    } else if (node.kind === 'directory') {
      Object.assign(this.#ownDirectory(edit.path), node)
    } else if (old?.key !== undefined) {
      const current = sharedNode(this, old)
      this.contentBytes -= fileSize(current)
      // Names may have been added or removed since the edit was made. An edit does not include them.
      this.#ownShared().set(old.key, { ...node, nlink: current.nlink })
    } else {
      this.contentBytes -= fileSize(old)
      parent.entries.set(name, node)
    }
    this.contentBytes += fileSize(node)
  }

  /** Moves the node at `path` to the table of shared nodes, unless it is there already, and counts one more name. */
  #share(path: VfsPath, atMs: number): Entry {
    const { parent, name } = this.#ownSpot(path)
    let entry = parent.entries.get(name)
    if (entry === undefined || entry.kind === 'directory') throw gone(path)
    if (entry.key === undefined) {
      this.#ownShared().set(entry.ino, entry)
      entry = { kind: entry.kind, key: entry.ino }
      parent.entries.set(name, entry)
    }
    return this.#countNames(entry, 1, atMs)
  }

  #countNames(entry: SharedEntry, added: number, atMs: number): Entry {
    const node = sharedNode(this, entry)
    this.#ownShared().set(entry.key, { ...node, nlink: node.nlink + added, ctimeMs: laterThan(node.ctimeMs, atMs) })
    return entry
  }

  /** Updates the counters for a removed entry; the caller removes the entry from its directory. */
  #release(entry: Entry | undefined, atMs: number): void {
    if (entry === undefined) return
    let node = entry
    if (entry.key !== undefined) {
      node = sharedNode(this, entry)
      this.#countNames(entry, -1, atMs)
      if (node.nlink > 1) return
      this.#ownShared().delete(entry.key)
    }
    this.contentBytes -= fileSize(node)
    this.nodeCount--
  }

  #ownSpot(path: VfsPath, spot?: KnownSpot): Spot {
    if (isIn(spot, this.#owner)) return spot
    return { parent: this.#ownDirectory(dirname(path)), name: basename(path) }
  }

  /** The directory at a real path, after copying the directories on the way that have another owner. */
  #ownDirectory(path: VfsPath): DirectoryNode {
    let directory = (this.root = this.#own(this.root))
    for (const name of pathNames(path)) {
      const child = directory.entries.get(name)
      if (child?.kind !== 'directory') throw gone(path)
      const owned = this.#own(child)
      if (owned !== child) directory.entries.set(name, owned)
      directory = owned
    }
    return directory
  }

  #own(directory: DirectoryNode): DirectoryNode {
    if (directory.owner === this.#owner) return directory
    this.recentPath = ''
    return makeDirectory(directory, this.#owner, directory.entries)
  }

  #ownShared(): Map<number, LinkableNode> {
    this.#ownedShared ??= new Map(this.shared)
    this.shared = this.#ownedShared
    return this.#ownedShared
  }
}

function versionOf({ root, shared, contentBytes, nodeCount, editCount }: Version): Version {
  return { root, shared, contentBytes, nodeCount, editCount }
}

function isIn(spot: KnownSpot | undefined, owner: Owner): spot is Spot {
  return spot?.parent?.owner === owner
}

/** The node behind an entry of `version`. */
export function nodeOf(version: Pick<Version, 'shared'>, entry: Entry): TreeNode {
  return entry.key === undefined ? entry : sharedNode(version, entry)
}

function sharedNode({ shared }: Pick<Version, 'shared'>, { key }: SharedEntry): LinkableNode {
  const node = shared.get(key)
  if (node === undefined) throw new Error(`no shared node ${key}`)
  return node
}

function touch(directory: DirectoryNode, edit: Edit): void {
  directory.mtimeMs = laterThan(directory.mtimeMs, edit.atMs)
  directory.ctimeMs = laterThan(directory.ctimeMs, edit.atMs)
  directory.rev = edit.rev
}

/** 0 for all but files. */
export function fileSize(node: Entry | DirectoryFacts | undefined): number {
  return node !== undefined && 'bytes' in node ? node.bytes.length : 0
}

/** Only an overtaken transaction can meet this: a direct operation has just seen the path. */
function gone(path: VfsPath): VfsError {
  return failure('ESTALE', 'commit', path, 'it was removed')
}
