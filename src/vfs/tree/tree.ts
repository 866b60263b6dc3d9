// The state of one filesystem, and the only code that changes it. It knows real paths and edits; what is allowed was decided
// before. Invariant: a directory that this tree owns lies in directories that it owns, up to the root.

import { basename, dirname, type VfsPath } from '../../core/path.ts'
import { failure, type VfsError } from '../error.ts'
import type { Edit } from './edit.ts'
import {
  type DirectoryFacts,
  type DirectoryNode,
  type Entry,
  type FileNode,
  laterThan,
  makeDirectory,
  type Owner,
  type TreeNode,
} from './node.ts'
import { newFacts, type Stamps } from './stamps.ts'

/** A tree that nobody changes any more. */
export interface Version {
  readonly root: DirectoryNode
  /** Files with several names, by the key in their entries. */
  readonly shared: ReadonlyMap<number, FileNode>
  readonly contentBytes: number
  readonly nodeCount: number
  readonly editCount: number
}

interface Spot {
  readonly parent: DirectoryNode
  readonly name: string
}

/** Where an operation found the directory it changes, so that applying its edit need not look for it again. */
export interface KnownSpot {
  /** The root has none. */
  readonly parent: DirectoryNode | undefined
  readonly name: string
}

export class Tree implements Version {
  declare root: DirectoryNode
  declare shared: ReadonlyMap<number, FileNode>
  declare contentBytes: number
  /** Without the root. */
  declare nodeCount: number
  /** How many edits led here: equal counts on one line of history mean that nothing changed. */
  declare editCount: number
  /** Set when the transaction that this tree was made for is over: whatever still holds it must not use it. */
  isEnded = false
  /**
   * Where the last path led to, up to its last name, and that with its '/'. Files are mostly used directory by directory, and looking
   * up the same names again is most of what finding one costs. Whoever puts another directory under a path forgets it.
   */
  recent: DirectoryNode | undefined
  recentPath = ''
  #owner: Owner = Symbol('owner')
  /** `shared` again, when it is this tree's own to change. */
  #ownedShared: Map<number, FileNode> | undefined

  /** A private continuation of `version`. Copies nothing. */
  constructor(version: Version) {
    Object.assign(this, versionOf(version))
  }

  static empty(stamps: Stamps): Tree {
    return new Tree({
      root: makeDirectory({ kind: 'directory', ...newFacts(stamps, 0o755) }, Symbol('nobody')),
      shared: new Map(),
      contentBytes: 0,
      nodeCount: 0,
      editCount: 0,
    })
  }

  /** The tree as it is now, for good. Costs nothing now; later writes copy the directories on their paths. */
  freeze(): Version {
    this.#owner = Symbol('owner')
    this.#ownedShared = undefined
    return versionOf(this)
  }

  /** Becomes `other`, which must be done with. */
  become(other: Tree): void {
    Object.assign(this, versionOf(other))
    other.isEnded = true
    this.#owner = other.#owner
    this.#ownedShared = other.#ownedShared
    this.recentPath = ''
  }

  /** `spot`, when given, is where `edit.path` lies (of a move: where it goes). */
  apply(edit: Edit, spot?: KnownSpot): void {
    const { parent, name } = this.#ownSpot(edit.path, spot)
    if ('entry' in edit && edit.entry === 'directory') this.recentPath = ''
    switch (edit.kind) {
      case 'put':
        this.#put(edit, parent, name)
        break
      case 'link':
        parent.entries.set(name, this.#share(edit.existing, edit.atMs))
        touch(parent, edit)
        break
      case 'drop':
        this.#release(parent.entries.get(name), edit.atMs)
        parent.entries.delete(name)
        touch(parent, edit)
        break
      case 'move': {
        const from = this.#ownSpot(edit.from)
        const entry = from.parent.entries.get(from.name)
        if (entry === undefined) throw gone(edit.from)
        this.#release(parent.entries.get(name), edit.atMs)
        from.parent.entries.delete(from.name)
        parent.entries.set(name, entry)
        touch(from.parent, edit)
        if (parent !== from.parent) touch(parent, edit)
        break
      }
    }
    this.editCount++
  }

  #put(edit: Edit & { kind: 'put' }, parent: DirectoryNode, name: string): void {
    const { node } = edit
    const old = edit.change === 'create' ? undefined : parent.entries.get(name)
    if (edit.change === 'create') {
      parent.entries.set(name, node.kind === 'directory' ? makeDirectory(node, this.#owner) : node)
      touch(parent, edit)
      this.nodeCount++
    } else if (node.kind === 'directory') {
      const { mode, mtimeMs, ctimeMs, rev, extra } = node
      Object.assign(this.#ownDirectory(edit.path), { mode, mtimeMs, ctimeMs, rev, extra })
    } else if (old?.kind === 'shared' && node.kind === 'file') {
      const current = this.shared.get(old.key)
      if (current === undefined) throw gone(edit.path)
      this.contentBytes -= current.bytes.length
      // Names may have come and gone since the edit was made: they are no part of what it says.
      this.#ownShared().set(old.key, { ...node, nlink: current.nlink })
    } else {
      this.contentBytes -= fileSize(old)
      parent.entries.set(name, node)
    }
    this.contentBytes += fileSize(node)
  }

  /** Moves the file at `path` to the table of shared files, unless it is there, and counts one more name. */
  #share(path: VfsPath, atMs: number): Entry {
    const { parent, name } = this.#ownSpot(path)
    const entry = parent.entries.get(name)
    if (entry?.kind === 'file') {
      const shared = { kind: 'shared', key: entry.ino } as const
      this.#setLinks(shared.key, entry, 2, atMs)
      parent.entries.set(name, shared)
      return shared
    }
    const file = entry?.kind === 'shared' ? this.shared.get(entry.key) : undefined
    if (entry?.kind !== 'shared' || file === undefined) throw gone(path)
    this.#setLinks(entry.key, file, file.nlink + 1, atMs)
    return entry
  }

  #setLinks(key: number, file: FileNode, nlink: number, atMs: number): void {
    this.#ownShared().set(key, { ...file, nlink, ctimeMs: laterThan(file.ctimeMs, atMs) })
  }

  /** Takes what an entry stood for out of the books; the caller takes the entry out of its directory. */
  #release(entry: Entry | undefined, atMs: number): void {
    if (entry === undefined) return
    if (entry.kind === 'shared') {
      const file = this.shared.get(entry.key)
      if (file === undefined) return
      if (file.nlink > 1) {
        this.#setLinks(entry.key, file, file.nlink - 1, atMs)
        return
      }
      this.#ownShared().delete(entry.key)
      this.contentBytes -= file.bytes.length
    } else {
      this.contentBytes -= fileSize(entry)
    }
    this.nodeCount--
  }

  #ownSpot(path: VfsPath, spot?: KnownSpot): Spot {
    if (isIn(spot, this.#owner)) return spot
    return { parent: this.#ownDirectory(dirname(path)), name: basename(path) }
  }

  /** The directory at a real path, after copying whatever on the way belongs to somebody else. */
  #ownDirectory(path: VfsPath): DirectoryNode {
    let directory = (this.root = this.#own(this.root))
    for (let start = 1; start < path.length;) {
      const slash = path.indexOf('/', start)
      const end = slash === -1 ? path.length : slash
      const name = path.slice(start, end)
      const child = directory.entries.get(name)
      if (child?.kind !== 'directory') throw gone(path)
      const owned = this.#own(child)
      if (owned !== child) directory.entries.set(name, owned)
      directory = owned
      start = end + 1
    }
    return directory
  }

  #own(directory: DirectoryNode): DirectoryNode {
    if (directory.owner === this.#owner) return directory
    this.recentPath = ''
    return makeDirectory(directory, this.#owner, directory.entries)
  }

  #ownShared(): Map<number, FileNode> {
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
  if (entry.kind !== 'shared') return entry
  const file = version.shared.get(entry.key)
  if (file === undefined) throw new Error(`no shared file ${entry.key}`)
  return file
}

function touch(directory: DirectoryNode, edit: Edit): void {
  directory.mtimeMs = laterThan(directory.mtimeMs, edit.atMs)
  directory.ctimeMs = laterThan(directory.ctimeMs, edit.atMs)
  directory.rev = edit.rev
}

function fileSize(node: Entry | DirectoryFacts | undefined): number {
  return node?.kind === 'file' ? node.bytes.length : 0
}

/** Only a transaction that others overtook can meet this: an operation of its own has just seen the path. */
function gone(path: VfsPath): VfsError {
  return failure('ESTALE', 'commit', path, 'it is gone')
}
