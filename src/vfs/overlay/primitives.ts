// The primitives on both layers as one. They receive real paths, whose symlinks are followed by the caller (mount/primitives.ts). They
// check what is allowed as the tree does, and check everything before changing anything.

import { defined } from '../../core/record.ts'
import { basename, dirname, isInside, rootPath, type VfsPath } from '../../core/path.ts'
import { targetProblem } from '../link-target.ts'
import type { Attributes, Change, Stat, WriteOptions } from '../backend.ts'
import { VfsError } from '../error.ts'
import { type Patching, type PatchOffer, patchOffer } from '../patch-offer.ts'
import { overwritten, writePart } from '../patch.ts'
import type { MountSteps } from '../mount/primitives.ts'
import { stale } from '../stale.ts'
import { call, type Steps } from '../steps.ts'
import { entriesOf, entryPath, type Layers, type MergedDirectory, staged, tagLink, untagLink, upperStat } from './layers.ts'
import { directoryAt, directoryStat, type Entry, entryOf, listMerged, statOfEntry } from './look.ts'
import {
  bury,
  clearStage,
  copyUp,
  hide,
  keepingTime,
  markGone,
  noteBase,
  placeFor,
  settle,
  stageContainer,
  touchDirectory,
  touchedParent,
  unkeep,
} from './touch.ts'

interface Found {
  readonly directory: MergedDirectory
  readonly name: string
  readonly entry: Entry
  readonly stat: Stat | undefined
}

export function overlaySteps(layers: Layers): MountSteps {
  const { upper, lower } = layers

  function* find(path: VfsPath, syscall: string): Steps<Found> {
    const directory = yield* directoryAt(layers, dirname(path), syscall)
    const name = basename(path)
    const entry = yield* entryOf(layers, directory, name)
    return { directory, name, entry, stat: yield* statOfEntry(layers, directory, name, entry) }
  }

  function* tell(type: Change['type'], path: VfsPath, oldPath?: VfsPath): Steps<void> {
    const { kind, rev } = yield* look(path, 'stat')
    layers.record({ type, path, kind, rev, ...defined({ oldPath }) })
  }

  function* look(path: VfsPath, syscall: string): Steps<Stat> {
    if (path === rootPath) return yield* directoryStat(layers, yield* directoryAt(layers, path, syscall))
    const { stat } = yield* find(path, syscall)
    if (stat === undefined) throw new VfsError('ENOENT', syscall, { path })
    return stat
  }

  /** The place for a change of a file, a symlink or a directory: the entry's place in the upper layer. */
  function* bringUp(path: VfsPath, syscall: string): Steps<VfsPath> {
    if (path === rootPath) return entriesOf((yield* touchDirectory(layers, yield* directoryAt(layers, path, syscall))).container)
    const { name, entry, stat } = yield* find(path, syscall)
    if (stat === undefined) throw new VfsError('ENOENT', syscall, { path })
    if (stat.kind === 'directory')
      return entriesOf((yield* touchDirectory(layers, yield* directoryAt(layers, path, syscall))).container)
    const [directory] = yield* touchedParent(layers, path, syscall)
    if (entry.layer !== 'lower') return entryPath(directory, name)
    return yield* keepingTime(layers, directory, () => copyUp(layers, directory, name, entry))
  }

  return {
    *lookup(path, options) {
      return yield* look(path, options?.follow === false ? 'lstat' : 'stat')
    },

    *list(path) {
      return yield* listMerged(layers, yield* directoryAt(layers, path, 'scandir'))
    },

    *read(path, range) {
      const { entry } = yield* find(path, 'open')
      if (entry.layer === 'none' || entry.layer === 'gone') throw new VfsError('ENOENT', 'open', { path })
      return yield* call(entry.layer === 'lower' ? lower : upper, 'read', entry.at, range)
    },

    *write(path, data, options: WriteOptions & Partial<Patching> = {}) {
      if (path === rootPath) throw new VfsError('EISDIR', 'open', { path })
      const { name, entry, stat: old } = yield* find(path, 'open')
      const { create = 'if-missing', ifRev, append = false, mode, at: start, patch } = options
      if (old === undefined && create === 'never') throw new VfsError('ENOENT', 'open', { path })
      if (old !== undefined && create === 'exclusive') throw new VfsError('EEXIST', 'open', { path })
      if (old !== undefined && old.kind !== 'file') throw new VfsError('EISDIR', 'open', { path })
      if (ifRev !== undefined && ifRev !== (old?.rev ?? 0)) throw stale('open', path, ifRev, old?.rev ?? 0)
      const [directory] = yield* touchedParent(layers, path, 'open')
      if (old === undefined) {
        const { at, isStaged } = placeFor(directory, name, entry)
        if (isStaged) yield* clearStage(layers)
        const made = yield* call(upper, 'write', at, data, { create: 'exclusive', ...defined({ mode }) })
        yield* settle(layers, directory, name, isStaged)
        return written('create', path, made)
      }
      const at = entryPath(directory, name)
      if (entry.layer === 'upper') {
        const { ino } = entry.stat
        const changed = yield* writePart(upper, at, data, { append, create: 'never', ...defined({ at: start, patch }) })
        yield* unkeep(layers, ino)
        return written('modify', path, changed)
      }
      const before = entry.layer === 'lower' && (append || start !== undefined) ? yield* call(lower, 'read', entry.at) : undefined
      const content = before === undefined ? data : overwritten(before, data, start ?? before.length)
      const changed = yield* keepingTime(layers, directory, function* () {
        yield* noteBase(layers, directory, name, entry)
        return yield* call(upper, 'write', at, content, { create: 'exclusive', mode: old.mode })
      })
      if (changed.mtimeMs > old.mtimeMs) return written('modify', path, changed)
      yield* call(upper, 'setattr', at, { mtimeMs: old.mtimeMs + 1 })
      return written('modify', path, yield* call(upper, 'lookup', at))
    },

    *mkdir(path, options) {
      const { name, entry, stat } = path === rootPath ? rootFound : yield* find(path, 'mkdir')
      if (stat !== undefined || path === rootPath) throw new VfsError('EEXIST', 'mkdir', { path })
      const [directory] = yield* touchedParent(layers, path, 'mkdir')
      yield* stageContainer(layers, options?.mode ?? 0o755)
      yield* clearMark(directory, name, entry)
      yield* call(upper, 'rename', staged, entryPath(directory, name))
      yield* tell('create', path)
    },

    *remove(path, kind) {
      const syscall = kind === 'file' ? 'unlink' : 'rmdir'
      const { name, entry, stat } = yield* find(path, syscall)
      if (stat === undefined) throw new VfsError('ENOENT', syscall, { path })
      if (kind === 'file' && stat.kind === 'directory') throw new VfsError('EISDIR', syscall, { path })
      if (kind === 'directory' && stat.kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path })
      if (stat.kind === 'directory') yield* refuseUnlessEmpty(path, () => new VfsError('ENOTEMPTY', syscall, { path }))
      const [directory] = yield* touchedParent(layers, path, syscall)
      yield* hide(layers, directory, name, entry)
      yield* unkeepLast(entry)
      layers.directories.delete(path)
      layers.record({ type: 'delete', path, kind: stat.kind, rev: stat.rev })
    },

    *rename(from, to, options) {
      const refuse = (code: 'ENOENT' | 'EEXIST' | 'EINVAL' | 'EISDIR' | 'ENOTDIR' | 'ENOTEMPTY', hint?: string): VfsError =>
        new VfsError(code, 'rename', { path: from, dest: to, hint })
      const source = yield* find(from, 'rename')
      const target = yield* find(to, 'rename')
      const [moved, replaced] = [source.stat, target.stat]
      if (moved === undefined) throw refuse('ENOENT')
      if (replaced !== undefined && options?.noReplace === true) throw refuse('EEXIST')
      if (from === to || (moved.kind !== 'directory' && moved.ino === replaced?.ino)) return
      if (moved.kind === 'directory' && isInside(to, from)) throw refuse('EINVAL', 'a directory cannot move into itself')
      if (isInside(from, to)) throw refuse('ENOTEMPTY')
      if (replaced?.kind === 'directory') {
        if (moved.kind !== 'directory') throw refuse('EISDIR')
        yield* refuseUnlessEmpty(to, () => refuse('ENOTEMPTY'))
      } else if (replaced !== undefined && moved.kind === 'directory') throw refuse('ENOTDIR')

      const [oldDirectory] = yield* touchedParent(layers, from, 'rename')
      const [directory] = yield* touchedParent(layers, to, 'rename')
      if (moved.kind === 'directory') yield* touchDirectory(layers, yield* directoryAt(layers, from, 'rename'))
      else if (source.entry.layer === 'lower') yield* copyUp(layers, oldDirectory, source.name, source.entry)
      yield* noteBase(layers, oldDirectory, source.name, source.entry)
      yield* noteBase(layers, directory, target.name, target.entry)
      if (target.entry.layer === 'upper' && replaced?.kind === 'directory') yield* bury(layers, target.entry.at)
      if (moved.kind === 'directory') yield* clearMark(directory, target.name, target.entry)
      yield* call(upper, 'rename', entryPath(oldDirectory, source.name), entryPath(directory, target.name))
      yield* unkeepLast(target.entry)
      layers.directories.clear()
      // The lower layer's entry under the old name must not reappear.
      yield* markGone(layers, oldDirectory, source.name)
      yield* tell('move', to, from)
    },

    *link(existing, path) {
      const { name, entry } = yield* find(path, 'link')
      const at = yield* bringUp(existing, 'link')
      const [directory] = yield* touchedParent(layers, path, 'link')
      const place = placeFor(directory, name, entry)
      if (place.isStaged) yield* clearStage(layers)
      yield* call(upper, 'link', at, place.at)
      yield* settle(layers, directory, name, place.isStaged)
      yield* tell('create', path)
    },

    *symlink(target, path) {
      const problem = targetProblem(target)
      if (problem !== undefined) throw new VfsError(problem.code, 'symlink', { path: target, dest: path, hint: problem.reason })
      const { name, entry } = yield* find(path, 'symlink')
      const [directory] = yield* touchedParent(layers, path, 'symlink')
      const { at, isStaged } = placeFor(directory, name, entry)
      if (isStaged) yield* clearStage(layers)
      yield* call(upper, 'symlink', tagLink(target), at)
      yield* settle(layers, directory, name, isStaged)
      yield* tell('create', path)
    },

    *readlink(path) {
      const { entry } = yield* find(path, 'readlink')
      if (entry.layer === 'none' || entry.layer === 'gone') throw new VfsError('ENOENT', 'readlink', { path })
      if (entry.layer === 'lower') return yield* call(lower, 'readlink', entry.at)
      return untagLink(yield* call(upper, 'readlink', entry.at))
    },

    *realpath(path) {
      yield* look(path, 'realpath')
      return path
    },

    *setattr(path, attributes: Attributes) {
      const syscall = attributes.mtimeMs === undefined ? 'chmod' : 'utime'
      yield* call(upper, 'setattr', yield* bringUp(path, syscall), { ...attributes, follow: false })
      yield* tell('attributes', path)
    },
  }

  function written(type: 'create' | 'modify', path: VfsPath, stat: Stat): Stat {
    const seen = upperStat(stat)
    layers.record({ type, path, kind: 'file', rev: seen.rev })
    return seen
  }

  /** A directory cannot replace a mark in one step, as a file can. */
  function* clearMark(directory: MergedDirectory, name: string, entry: Entry): Steps<void> {
    if (entry.layer === 'gone') yield* call(upper, 'remove', entryPath(directory, name), 'file')
  }

  function* refuseUnlessEmpty(path: VfsPath, refusal: () => VfsError): Steps<void> {
    if ((yield* listMerged(layers, yield* directoryAt(layers, path, 'scandir'))).length > 0) throw refusal()
  }

  /** The identity of an entry ends with its last name. */
  function* unkeepLast(entry: Entry): Steps<void> {
    if (entry.layer === 'upper' && entry.stat.kind === 'file' && entry.stat.nlink === 1) yield* unkeep(layers, entry.stat.ino)
  }
}

const rootFound = { name: '', entry: { layer: 'none' }, stat: undefined } as const

/** The offer for the file at `path`. A file of the lower layer is first written as a whole, once. */
export function* overlayPatchOffer(layers: Layers, path: VfsPath): Steps<PatchOffer> {
  const directory = yield* directoryAt(layers, dirname(path), 'open')
  const entry = yield* entryOf(layers, directory, basename(path))
  return (entry.layer === 'upper' ? patchOffer(layers.upper, entry.at) : undefined) ?? {}
}
