// A transaction's private view of a disk. Its changes are stored here, and unchanged parts are read from the disk on first access. It
// records what it found there, so that its commit can detect whether its work is based on something that has changed.

import { joinBytes } from '../../core/bytes.ts'
import { basename, childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { Dirent, Stat } from '../backend.ts'
import { VfsError } from '../error.ts'
import type { Disk, DiskStat, DiskWrite } from './disk.ts'
import type { HostAttributes } from './host.ts'
import type { Ledger } from './ledger.ts'

/** Where an entry was on the disk at the first access, and its stat at that time. */
interface Origin {
  readonly path: VfsPath
  readonly stat: DiskStat
}

interface Common {
  stat: DiskStat
  readonly origin: Origin | undefined
  /** Its stat was assigned by this transaction and is visible only in it. */
  isChanged: boolean
}
interface DraftFile extends Common {
  readonly kind: 'file'
  /** `undefined` while the content is unchanged from the disk. */
  bytes: Uint8Array | undefined
}
interface DraftSymlink extends Common {
  readonly kind: 'symlink'
  readonly target: string
}
interface DraftDirectory extends Common {
  readonly kind: 'directory'
  /** Entries that were read or changed; `undefined` for a missing one. */
  readonly children: Map<string, DraftNode | undefined>
  /** What was found on the disk under a name, whatever happened to it since. */
  readonly found: Map<string, DiskStat | undefined>
}
export type DraftNode = DraftFile | DraftSymlink | DraftDirectory

/** The actions of the transaction, in order, to be repeated on the disk. */
export type Action =
  | { readonly kind: 'write'; readonly path: VfsPath; readonly bytes: Uint8Array; readonly options: DiskWrite }
  | { readonly kind: 'mkdir'; readonly path: VfsPath; readonly mode: number }
  | { readonly kind: 'symlink'; readonly path: VfsPath; readonly target: string }
  | { readonly kind: 'link'; readonly path: VfsPath; readonly existing: VfsPath }
  | { readonly kind: 'unlink' | 'rmdir'; readonly path: VfsPath }
  | { readonly kind: 'rename'; readonly path: VfsPath; readonly from: VfsPath }
  | { readonly kind: 'setattr'; readonly path: VfsPath; readonly attributes: HostAttributes }

export interface Draft extends Disk {
  readonly actions: readonly Action[]
  /** The state on which the actions depend, by path on the disk. It must be unchanged at the commit. */
  readonly touched: ReadonlyMap<VfsPath, DiskStat | undefined>
  /** Directories on the disk in which names are added or removed: they must still exist. */
  readonly containers: ReadonlyMap<VfsPath, DiskStat>
  /** Every node with a stat of this transaction, and its current path. */
  changedNodes(): readonly { readonly path: VfsPath; readonly node: DraftNode }[]
}

const encoder = new TextEncoder()

export function createDraft(disk: Disk, ledger: Ledger): Draft {
  const { stamps } = ledger
  const actions: Action[] = []
  const touched = new Map<VfsPath, DiskStat | undefined>()
  const containers = new Map<VfsPath, DiskStat>()
  /** Several names of one file on the disk are names of one file here. */
  const sharedNodes = new Map<number, DraftNode>()

  const rootStat = disk.lstat(rootPath)
  if (rootStat === undefined) throw new VfsError('ENOENT', 'stat', { path: rootPath })
  const root = loaded(rootPath, rootStat)
  if (root.kind !== 'directory') throw new VfsError('ENOTDIR', 'stat', { path: rootPath })

  function loaded(path: VfsPath, stat: DiskStat): DraftNode {
    const common = { stat, origin: { path, stat }, isChanged: false }
    switch (stat.kind) {
      case 'directory':
        return { kind: 'directory', ...common, children: new Map(), found: new Map() }
      default: {
        const known = sharedNodes.get(stat.ino)
        if (known !== undefined) return known
        const node: DraftNode =
          stat.kind === 'file'
            ? { kind: 'file', ...common, bytes: undefined }
            : { kind: 'symlink', ...common, target: disk.readlink(path) }
        if (stat.nlink > 1) sharedNodes.set(stat.ino, node)
        return node
      }
    }
  }

  /** The path of `directory` on the disk, while it is the directory that was found there. */
  const baseOf = (directory: DraftDirectory): VfsPath | undefined => {
    const { origin } = directory
    if (origin === undefined) return undefined
    if (disk.isPlainDirectory(origin.path) && disk.lstat(origin.path)?.ino === origin.stat.ino) return origin.path
    throw overtaken(origin.path)
  }

  const child = (directory: DraftDirectory, name: string): DraftNode | undefined => {
    if (directory.children.has(name)) return directory.children.get(name)
    const base = baseOf(directory)
    if (base === undefined) return undefined
    const path = childPath(base, name)
    const stat = disk.lstat(path)
    const node = stat === undefined ? undefined : loaded(path, stat)
    directory.children.set(name, node)
    directory.found.set(name, stat)
    return node
  }

  const nodeAt = (path: VfsPath): DraftNode | undefined => {
    let node: DraftNode | undefined = root
    for (const name of pathNames(path)) {
      if (node?.kind !== 'directory') return undefined
      node = child(node, name)
    }
    return node
  }

  const existing = (path: VfsPath): DraftNode => {
    const node = nodeAt(path)
    if (node === undefined) throw overtaken(path)
    return node
  }

  const directoryAt = (path: VfsPath): DraftDirectory => {
    const node = existing(path)
    if (node.kind !== 'directory') throw overtaken(path)
    return node
  }

  /** Returns the directory of `path` and the entry there, which from now on must not change on the disk. */
  const touch = (
    path: VfsPath,
  ): { readonly parent: DraftDirectory; readonly name: string; readonly node: DraftNode | undefined } => {
    const parent = directoryAt(dirname(path))
    const name = basename(path)
    const node = child(parent, name)
    if (parent.origin !== undefined) {
      touched.set(childPath(parent.origin.path, name), parent.found.get(name))
      containers.set(parent.origin.path, parent.origin.stat)
    }
    return { parent, name, node }
  }

  const contentOf = (file: DraftFile): Uint8Array => {
    if (file.bytes !== undefined) return file.bytes
    if (file.origin === undefined) return new Uint8Array()
    const { path, stat } = file.origin
    const isThere = (): boolean => disk.isPlainDirectory(dirname(path)) && disk.lstat(path)?.rev === stat.rev
    if (!isThere()) throw overtaken(path)
    const bytes = disk.read(path, 0, Infinity)
    if (!isThere()) throw overtaken(path)
    return bytes
  }

  const made = (kind: Stat['kind'], mode: number, sizeBytes: number): Stat => {
    const atMs = stamps.nowMs()
    return { kind, sizeBytes, mode, mtimeMs: atMs, ctimeMs: atMs, ino: ledger.nextIno(), rev: stamps.nextRev(), nlink: 1 }
  }

  const moveOn = (node: DraftNode, change: Partial<DiskStat>): Stat => {
    const ctimeMs = Math.max(stamps.nowMs(), node.stat.ctimeMs + 1)
    node.stat = { ...node.stat, ctimeMs, rev: stamps.nextRev(), ...change }
    node.isChanged = true
    return node.stat
  }

  const later = (stat: Stat): number => Math.max(stamps.nowMs(), stat.mtimeMs + 1)

  const place = (parent: DraftDirectory, name: string, node: DraftNode | undefined): void => {
    parent.children.set(name, node)
    moveOn(parent, { mtimeMs: later(parent.stat) })
  }

  const release = (node: DraftNode | undefined): void => {
    if (node !== undefined && node.kind !== 'directory') node.stat = { ...node.stat, nlink: node.stat.nlink - 1 }
  }

  const add = (path: VfsPath, node: DraftNode): Stat => {
    const { parent, name } = touch(path)
    place(parent, name, node)
    return node.stat
  }

  const listed = (directory: DraftDirectory): Dirent[] => {
    const entries = new Map<string, Dirent>()
    const base = baseOf(directory)
    if (base !== undefined) for (const entry of disk.list(base)) entries.set(entry.name, entry)
    for (const [name, node] of directory.children) {
      if (node === undefined) entries.delete(name)
      else entries.set(name, { name, kind: node.kind })
    }
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    actions,
    touched,
    containers,

    isPlainDirectory: path => nodeAt(path)?.kind === 'directory',
    lstat: path => nodeAt(path)?.stat,
    list: path => listed(directoryAt(path)),

    read(path, start, end) {
      const node = existing(path)
      if (node.kind !== 'file') throw overtaken(path)
      return contentOf(node).slice(start, end)
    },

    readlink(path) {
      const node = existing(path)
      if (node.kind !== 'symlink') throw overtaken(path)
      return node.target
    },

    write(path, data, options) {
      const { parent, name, node } = touch(path)
      const bytes = new Uint8Array(data)
      actions.push({ kind: 'write', path, bytes, options })
      if (node?.kind !== 'file') {
        const stat = made('file', options.mode, bytes.length)
        place(parent, name, { kind: 'file', stat, origin: undefined, isChanged: true, bytes })
        return stat
      }
      node.bytes = options.append ? joinBytes([contentOf(node), bytes]) : bytes
      return moveOn(node, { mtimeMs: later(node.stat), sizeBytes: node.bytes.length, ino: ledger.nextIno() })
    },

    mkdir(path, mode) {
      actions.push({ kind: 'mkdir', path, mode })
      const stat = made('directory', mode, 0)
      return add(path, { kind: 'directory', stat, origin: undefined, isChanged: true, children: new Map(), found: new Map() })
    },

    symlink(target, path) {
      actions.push({ kind: 'symlink', path, target })
      const stat = made('symlink', 0o777, encoder.encode(target).length)
      return add(path, { kind: 'symlink', stat, origin: undefined, isChanged: true, target })
    },

    link(existingPath, path) {
      actions.push({ kind: 'link', path, existing: existingPath })
      const { node } = touch(existingPath)
      if (node === undefined) throw overtaken(existingPath)
      node.stat = { ...node.stat, nlink: node.stat.nlink + 1 }
      return add(path, node)
    },

    unlink(path) {
      actions.push({ kind: 'unlink', path })
      const { parent, name, node } = touch(path)
      release(node)
      place(parent, name, undefined)
    },

    rmdir(path) {
      actions.push({ kind: 'rmdir', path })
      const { parent, name } = touch(path)
      place(parent, name, undefined)
    },

    rename(from, path) {
      actions.push({ kind: 'rename', path, from })
      const source = touch(from)
      const target = touch(path)
      if (source.node === undefined) throw overtaken(from)
      release(target.node)
      place(source.parent, source.name, undefined)
      place(target.parent, target.name, source.node)
    },

    setattr(path, attributes) {
      actions.push({ kind: 'setattr', path, attributes })
      if (path !== rootPath) touch(path)
      return moveOn(existing(path), attributes)
    },

    changedNodes() {
      const found: { path: VfsPath; node: DraftNode }[] = []
      const visit = (path: VfsPath, node: DraftNode): void => {
        if (node.isChanged) found.push({ path, node })
        if (node.kind !== 'directory') return
        for (const [name, inner] of node.children) if (inner !== undefined) visit(childPath(path, name), inner)
      }
      visit(rootPath, root)
      return found
    },
  }
}

export function overtaken(path: VfsPath): VfsError {
  return new VfsError('ESTALE', 'commit', {
    path,
    hint: 'another writer changed it during the transaction; read it again and retry',
  })
}
