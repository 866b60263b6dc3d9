// Open files. The filesystem has no descriptors. A descriptor here remembers which file it refers to, follows the file when it is renamed,
// and keeps its content when its last name is removed or replaced by another file.

import { joinBytes } from '../../../core/bytes.ts'
import { basename, childPath, dirname, isInside, rootPath, type VfsPath } from '../../../core/path.ts'
import type { Attributes, Change, Stat, Unsubscribe, VfsBackend, WriteOptions } from '../../backend.ts'
import { patchOffer } from '../../patch-offer.ts'
import { patchedContent, writePart } from '../../patch.ts'
import { statIfAny } from '../../derived/exists.ts'
import { isVfsError } from '../../error.ts'
import { call, type Primitives, runNow, type Steps } from '../../steps.ts'
import { systemError } from './errors.ts'
import type { OpenMode } from './flags.ts'
import { changeImage, type Image, imageOf, keptBytes } from './file-image.ts'

/** The known state of a file that may lose its names. */
interface Known {
  readonly bytes: () => Uint8Array
  readonly stat: Stat
}

export class OpenNode {
  /** Known real paths of the file. Empty once the last one is gone. */
  readonly names: Set<VfsPath> = new Set()
  /** New with each replaced content: distinguishes this file from one that took its name. */
  ino: number
  image: Image | undefined
  /** The last known content and attributes, if keeping them costs nothing. */
  last: Known | undefined
  /** A part of the file was written, so an append is one more patch. */
  isPatched = false
  uses = 0

  constructor(path: VfsPath, ino: number) {
    this.names.add(path)
    this.ino = ino
  }

  get path(): VfsPath | undefined {
    for (const name of this.names) return name
    return undefined
  }
}

/** How a content changes. */
export type Changed =
  | { readonly append: Uint8Array }
  /** Only the first bytes stay, as many as this. */
  | { readonly cut: number }
  /** Written over what is there from byte `at` on, which is not after the end. */
  | { readonly patch: Uint8Array; readonly at: number }

export interface Descriptor {
  readonly number: number
  readonly node: OpenNode
  readonly mode: OpenMode
  position: number
}

interface OpenNodes {
  readonly nodes: Set<OpenNode>
  endWatch: Unsubscribe | undefined
}

/** Facades of one filesystem share what is open, so that each sees at once what another one removes or renames. Descriptors stay apart. */
const openNodes = new WeakMap<Primitives, OpenNodes>()

/** How often to retry a write in the middle of a file if another writer was faster. */
const maxAttempts = 16
const maxFileBytes = 2 ** 31 - 1

export class OpenFiles {
  readonly #on: Primitives
  readonly #backend: VfsBackend | undefined
  readonly #hasRevisions: (path: VfsPath) => boolean
  readonly #descriptors = new Map<number, Descriptor>()
  readonly #shared: OpenNodes
  /** No lower number is free; 0 to 2 are the standard streams. */
  #lowestFree = 3

  /** `backend` if there is one in this thread. `hasRevisions`: whether a write may name the revision that it replaces. */
  constructor(on: Primitives, backend: VfsBackend | undefined, hasRevisions: (path: VfsPath) => boolean) {
    this.#on = on
    this.#backend = backend
    this.#hasRevisions = hasRevisions
    this.#shared = openNodes.get(on) ?? { nodes: new Set(), endWatch: undefined }
    openNodes.set(on, this.#shared)
  }

  get isEmpty(): boolean {
    return this.#shared.nodes.size === 0
  }

  /** A descriptor for the file or directory at `path`, which must be a real path. */
  open(path: VfsPath, stat: Stat, mode: OpenMode): Descriptor {
    const node = this.#nodeAt(path, stat.ino) ?? new OpenNode(path, stat.ino)
    if (this.isEmpty) this.#watch()
    this.#shared.nodes.add(node)
    node.names.add(path)
    node.uses++
    this.#remember(node)
    while (this.#descriptors.has(this.#lowestFree)) this.#lowestFree++
    const descriptor = { number: this.#lowestFree, node, mode, position: 0 }
    this.#descriptors.set(descriptor.number, descriptor)
    return descriptor
  }

  /** Throws EBADF if the descriptor is not open. */
  get(number: number, syscall: string): Descriptor {
    const descriptor = this.#descriptors.get(number)
    if (descriptor === undefined) throw systemError('EBADF', { syscall })
    return descriptor
  }

  close(number: number): void {
    const { node } = this.get(number, 'close')
    this.#descriptors.delete(number)
    this.#lowestFree = Math.min(this.#lowestFree, number)
    if (--node.uses > 0) return
    const { path } = node
    try {
      if (path !== undefined && node.isPatched) patchOffer(this.#on, path)?.settle?.()
    } finally {
      this.#forget(node)
    }
  }

  #forget(node: OpenNode): void {
    this.#shared.nodes.delete(node)
    if (!this.isEmpty) return
    this.#shared.endWatch?.()
    this.#shared.endWatch = undefined
  }

  /** Runs `act`, which removes the name `path` or all names below it, without losing files that are open there. */
  *removing<T>(path: VfsPath, act: () => Steps<T>): Steps<T> {
    if (this.isEmpty) return yield* act()
    const real = yield* this.#entryPath(path)
    yield* this.#keepBelow(real)
    const result = yield* act()
    if ((yield* statIfAny(this.#on, real, { follow: false })) === undefined) yield* this.#removed(real)
    return result
  }

  *renaming(from: VfsPath, to: VfsPath, act: () => Steps<void>): Steps<void> {
    if (this.isEmpty) return yield* act()
    const source = yield* this.#entryPath(from)
    const target = yield* this.#entryPath(to)
    yield* this.#keepBelow(target)
    yield* act()
    // Renaming one name of a file to another name of it does nothing.
    if (source === target || (yield* statIfAny(this.#on, source, { follow: false })) !== undefined) return
    yield* this.#removed(target)
    this.#moved(source, target)
  }

  /** Runs `act`, which replaces the content of the file at `path` or changes its attributes. */
  *changing<T>(path: VfsPath, act: () => Steps<T>): Steps<T> {
    if (this.isEmpty) return yield* act()
    const before = yield* this.#nodeOf(path)
    const result = yield* act()
    if (before === undefined) return result
    const stat = yield* statIfAny(this.#on, path)
    if (stat !== undefined) before.ino = stat.ino
    this.#remember(before)
    return result
  }

  /** Runs `act`, which gives the file at `path` another name. */
  *linking(path: VfsPath, name: VfsPath, act: () => Steps<void>): Steps<void> {
    yield* act()
    if (this.isEmpty) return
    const node = this.#nodeAt(yield* this.#entryPath(path))
    node?.names.add(yield* this.#entryPath(name))
  }

  *stat(node: OpenNode): Steps<Stat> {
    const { path } = node
    if (node.image !== undefined || path === undefined) return imageOf(node).stat
    const stat = yield* statIfAny(this.#on, path, { follow: false })
    if (stat === undefined) {
      // The file was removed, and the filesystem did not report it.
      this.#detach(node)
      return imageOf(node).stat
    }
    node.ino = stat.ino
    return stat
  }

  *read(node: OpenNode, start: number, end: number): Steps<Uint8Array> {
    const { kind } = yield* this.stat(node)
    if (kind === 'directory') throw systemError('EISDIR', { syscall: 'read' })
    const { path } = node
    if (path !== undefined && node.image === undefined) {
      // A position may be a bigint that no exact number has. No file reaches so far.
      if (start >= Number.MAX_SAFE_INTEGER) return new Uint8Array()
      return yield* call(this.#on, 'read', path, { start, end })
    }
    const { bytes, stat } = imageOf(node)
    return bytes.slice(Math.min(start, stat.sizeBytes), Math.min(end, stat.sizeBytes))
  }

  /** Writes at `start`, or at the end of the file. */
  *write(node: OpenNode, bytes: Uint8Array, start: number | 'end'): Steps<void> {
    if (bytes.length === 0) return
    const offer = node.path === undefined ? undefined : patchOffer(this.#on, node.path)
    const isInPlace = offer?.isInPlace === true && node.image === undefined
    const steps = this.#change(node, size => {
      const at = start === 'end' ? size : start
      if (at + bytes.length > maxFileBytes) throw systemError('EFBIG', { syscall: 'write' })
      if (at >= size) {
        const added = at > size ? joinBytes([new Uint8Array(at - size), bytes]) : bytes
        const isPatch = isInPlace || (at === size && offer !== undefined && node.isPatched)
        return isPatch ? { patch: added, at: size } : { append: added }
      }
      return { patch: bytes, at }
    })
    if (offer?.within === undefined || this.#on.sync === undefined) yield* steps
    else offer.within(() => runNow(steps))
  }

  *truncate(node: OpenNode, length: number): Steps<void> {
    if (length > maxFileBytes) throw systemError('EFBIG', { syscall: 'ftruncate' })
    yield* this.#change(node, size => (length >= size ? { append: new Uint8Array(length - size) } : { cut: length }))
  }

  *setAttributes(node: OpenNode, attributes: Attributes): Steps<void> {
    yield* this.stat(node)
    const { path, image } = node
    if (path !== undefined && image === undefined) {
      yield* call(this.#on, 'setattr', path, { ...attributes, follow: false })
      return
    }
    const { follow: _follow, ...changed } = attributes
    const current = imageOf(node)
    current.stat = { ...current.stat, ...changed, ctimeMs: Math.max(Date.now(), current.stat.ctimeMs + 1) }
  }

  *#change(node: OpenNode, change: (size: number) => Changed): Steps<void> {
    for (let attempt = 1; ; attempt++) {
      const stat = yield* this.stat(node)
      const { path } = node
      const changed = change(stat.sizeBytes)
      if (node.image !== undefined || path === undefined) {
        changeImage(imageOf(node), changed)
        return
      }
      const options = { create: 'never', ...(this.#hasRevisions(path) ? { ifRev: stat.rev } : {}) } as const
      try {
        const written = yield* this.#store(path, changed, options)
        node.ino = written.ino
        node.isPatched = 'patch' in changed
        this.#remember(node)
        return
      } catch (error) {
        if (!isVfsError(error, 'ESTALE') || attempt >= maxAttempts) throw error
      }
    }
  }

  *#store(path: VfsPath, changed: Changed, options: WriteOptions): Steps<Stat> {
    if ('append' in changed) return yield* call(this.#on, 'write', path, changed.append, { ...options, append: true })
    if ('cut' in changed) {
      const bytes = yield* call(this.#on, 'read', path, { start: 0, end: changed.cut })
      return yield* call(this.#on, 'write', path, bytes, options)
    }
    return yield* writePart(this.#on, path, changed.patch, { ...options, at: changed.at, patch: patchedContent })
  }

  #nodeAt(path: VfsPath, ino?: number): OpenNode | undefined {
    for (const node of this.#shared.nodes) {
      if (node.image === undefined && (node.names.has(path) || node.ino === ino)) return node
    }
    return undefined
  }

  *#nodeOf(path: VfsPath): Steps<OpenNode | undefined> {
    try {
      return this.#nodeAt(yield* call(this.#on, 'realpath', path))
    } catch (error) {
      if (isVfsError(error)) return undefined
      throw error
    }
  }

  /** The real path of a name that is to be changed, whether or not it exists. */
  *#entryPath(path: VfsPath): Steps<VfsPath> {
    if (path === '/') return path
    try {
      return childPath(yield* call(this.#on, 'realpath', dirname(path)), basename(path))
    } catch (error) {
      // No file can exist there; the next call reports that.
      if (isVfsError(error)) return path
      throw error
    }
  }

  /** Keeps the content of everything that is open at `path` and below, in case it loses its name. */
  *#keepBelow(path: VfsPath): Steps<void> {
    for (const node of this.#shared.nodes) {
      const at = node.path
      if (at === undefined || node.image !== undefined || !isInside(at, path)) continue
      const stat = yield* statIfAny(this.#on, at, { follow: false })
      if (stat === undefined) continue
      let bytes = keptBytes(this.#on, at)
      if (bytes === undefined) {
        const read = stat.kind === 'file' ? yield* call(this.#on, 'read', at) : new Uint8Array()
        bytes = () => read
      }
      node.last = { bytes, stat }
    }
  }

  #remember(node: OpenNode): void {
    const { path } = node
    const { sync } = this.#on
    if (path === undefined || sync === undefined) return
    const bytes = keptBytes(this.#on, path)
    if (bytes === undefined) return
    node.last = { bytes, stat: sync.lookup(path, { follow: false }) }
  }

  *#removed(path: VfsPath): Steps<void> {
    for (const node of this.#shared.nodes) {
      for (const name of node.names) if (isInside(name, path)) node.names.delete(name)
      yield* this.#detachIfGone(node)
    }
  }

  /** A file that lost the names that are known may have others: then it is still that file. */
  *#detachIfGone(node: OpenNode): Steps<void> {
    if (node.names.size > 0) return
    const { nlink = 1, ino = 0 } = node.last?.stat ?? {}
    const other = nlink > 1 && node.image === undefined ? yield* this.#nameOf(ino) : undefined
    if (other === undefined) this.#detach(node)
    else node.names.add(other)
  }

  /** Searches the whole filesystem, which is seldom needed: only if an open file with several names loses one. */
  *#nameOf(ino: number): Steps<VfsPath | undefined> {
    const pending = [rootPath]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      for (const { name, kind } of yield* call(this.#on, 'list', at)) {
        const child = childPath(at, name)
        if (kind === 'directory') pending.push(child)
        else if ((yield* statIfAny(this.#on, child, { follow: false }))?.ino === ino) return child
      }
    }
    return undefined
  }

  #moved(from: VfsPath, to: VfsPath): void {
    for (const node of this.#shared.nodes) {
      for (const name of [...node.names]) {
        if (!isInside(name, from)) continue
        node.names.delete(name)
        // Both come from `parsePath`, and the names below `from` were checked.
        node.names.add(`${to}${name.slice(from.length)}` as VfsPath)
      }
    }
  }

  #detach(node: OpenNode): void {
    node.names.clear()
    if (node.image !== undefined || node.last === undefined) return
    const { stat, bytes } = node.last
    node.image = {
      bytes: bytes(),
      isOwned: false,
      stat: { ...stat, nlink: Math.max(0, stat.nlink - 1), ctimeMs: Math.max(Date.now(), stat.ctimeMs + 1) },
    }
    node.last = undefined
  }

  /** Changes by others are reported in the next microtask. Changes by this facade are already known, so they have no effect here. */
  #watch(): void {
    const { sync, watch, caps } = this.#backend ?? {}
    if (sync === undefined || watch === undefined || caps?.watch !== 'exact') return
    this.#shared.endWatch = watch.call(this.#backend, '/' as VfsPath, ({ changes }) => {
      for (const change of changes) this.#heard(change)
    })
  }

  #heard({ type, path, oldPath }: Change): void {
    const inoAt = (at: VfsPath): number | undefined => {
      try {
        return this.#on.sync?.lookup(at, { follow: false }).ino
      } catch {
        return undefined
      }
    }
    for (const node of this.#shared.nodes) {
      for (const name of [...node.names]) {
        if (type === 'move' && oldPath !== undefined && isInside(name, oldPath) && inoAt(name) !== node.ino) {
          const next = `${path}${name.slice(oldPath.length)}` as VfsPath
          if (inoAt(next) !== node.ino) continue
          node.names.delete(name)
          node.names.add(next)
        } else if ((type === 'modify' || type === 'attributes') && name === path) {
          node.ino = inoAt(name) ?? node.ino
          this.#remember(node)
        } else if ((type === 'delete' || type === 'move') && isInside(name, path) && inoAt(name) !== node.ino) {
          node.names.delete(name)
        }
      }
      // Watched only if the filesystem is synchronous.
      runNow(this.#detachIfGone(node))
    }
  }
}
