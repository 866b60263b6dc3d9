// Applies the difference between two moments of a tree to the current tree. Undoing a change applies the difference from after it to before
// it; merging a fork applies the fork's changes. Changes by others to the same files stay: texts are merged by lines, and files that cannot
// be merged are left unchanged and listed.

import { sameBytes } from '../core/same-bytes.ts'
import { basename, childPath, dirname, isInside, rootPath, type VfsPath } from '../core/path.ts'
import { mergeTexts } from '../text/merge.ts'
import type { Difference, Snapshot, VfsTransaction } from '../vfs/backend.ts'
import { statOf } from './look.ts'

/** A file that could not be changed, and why. */
export interface TransferConflict {
  /** Its current path. */
  readonly path: string
  /** The reason for the conflict, as a sentence. */
  readonly reason: string
}

/** The result for each file when changes are applied. */
export interface TransferReport {
  /** Paths that now have the requested state. */
  readonly restored: readonly string[]
  /** Texts that also contain later changes by others. */
  readonly merged: readonly string[]
  /** Paths that were left unchanged. */
  readonly conflicts: readonly TransferConflict[]
}

export interface Transfer {
  readonly from: Snapshot['fs']
  readonly to: Snapshot['fs']
  readonly differences: readonly Difference[]
  /** Moves after `from`, by any actor, oldest first. Moves by others are not reverted. */
  readonly laterMoves: readonly { readonly moved: readonly Relocation[]; readonly isOthers: boolean }[]
}

/** Maps old paths to new ones. Related relocations happen at the same time. */
export interface Relocation {
  readonly source: VfsPath
  readonly where: VfsPath
}

/**
 * Changes only `now`, so that the caller decides whether to commit. `relocations` are those of earlier transfers, which all began
 * after `from`. The function appends new ones.
 */
export function transfer(now: VfsTransaction, parts: Transfer, relocations: (readonly Relocation[])[]): TransferReport {
  return new Carrier(now, parts, relocations).run()
}

/** A file or symlink at one time. */
type Entry = { readonly kind: 'file'; readonly bytes: Uint8Array } | { readonly kind: 'symlink'; readonly target: string }

type Files = Pick<VfsTransaction, 'lookup' | 'list' | 'read' | 'readlink'>

interface Taken {
  readonly path: VfsPath
  /** Its path at the start. */
  readonly source: VfsPath
  /** Its current path. */
  where: VfsPath
}

class Carrier {
  readonly #now: VfsTransaction
  readonly #from: Snapshot['fs']
  readonly #to: Snapshot['fs']
  readonly #differences: readonly Difference[]
  readonly #laterMoves: Transfer['laterMoves']
  readonly #relocations: readonly (readonly Relocation[])[]
  readonly #restored = new Set<VfsPath>()
  readonly #merged = new Set<VfsPath>()
  readonly #conflicts = new Map<VfsPath, string>()
  /** Paths in `to` of entries that could not be moved there; their other changes are skipped. */
  readonly #given: VfsPath[] = []
  readonly #taken: Taken[] = []
  #aside = 0

  constructor(now: VfsTransaction, { from, to, differences, laterMoves }: Transfer, relocations: (readonly Relocation[])[]) {
    this.#now = now
    this.#from = from
    this.#to = to
    this.#differences = differences
    this.#laterMoves = laterMoves
    this.#relocations = [...relocations]
    relocations.push(this.#taken)
  }

  run(): TransferReport {
    const moves = this.#differences.filter(({ type }) => type === 'move')
    // An entry that is moved out of a directory is moved before the directory itself, and one that is moved into a directory after it.
    const aside = moves
      .toSorted((a, b) => depth(b.oldPath ?? b.path) - depth(a.oldPath ?? a.path))
      .flatMap(move => this.#takeAside(move))
    for (const { path, type, kind } of this.#differences) if (type === 'delete') this.#remove(path, kind)
    const places = [
      ...aside.map(taken => ({ path: taken.path, place: () => this.#putBack(taken) })),
      ...this.#differences
        .filter(({ type }) => type === 'create')
        .map(({ path, kind }) => ({
          path,
          place: () => (kind === 'directory' ? this.#makeDirectory(path) : this.#create(path)),
        })),
    ]
    for (const { place } of places.toSorted((a, b) => depth(a.path) - depth(b.path))) place()
    for (const { path, type, kind } of this.#differences) {
      if (this.#given.some(given => isInside(path, given))) continue
      if (type === 'modify') this.#modify(path)
      if ((type === 'attributes' || type === 'modify') && kind !== 'symlink') this.#changeMode(path)
    }
    return {
      restored: [...this.#restored].filter(path => !this.#conflicts.has(path) && !this.#merged.has(path)).sort(),
      merged: [...this.#merged].filter(path => !this.#conflicts.has(path)).sort(),
      conflicts: [...this.#conflicts].map(([path, reason]) => ({ path, reason })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
  }

  /** Where others have moved the entry at `path`. */
  #placeOf(path: VfsPath): { readonly path: VfsPath; readonly isMovedItself: boolean } {
    let place = path
    let isMovedItself = false
    for (const { moved, isOthers } of this.#laterMoves) {
      const holding = deepest(moved, place)
      if (holding === undefined) continue
      isMovedItself ||= isOthers && place === holding.source
      place = rebased(place, holding.source, holding.where)
    }
    for (const moved of this.#relocations) {
      const holding = deepest(moved, place)
      if (holding !== undefined) place = rebased(place, holding.source, holding.where)
    }
    return { path: place, isMovedItself }
  }

  /** The current place of the entry that was at `path` in `from`, and the path to show for it. */
  #locate(path: VfsPath): { readonly at: VfsPath; readonly shown: VfsPath; readonly isMovedItself: boolean } {
    const { path: place, isMovedItself } = this.#placeOf(path)
    const taken = deepest(this.#taken, place)
    if (taken === undefined) return { at: place, shown: place, isMovedItself }
    const at = rebased(place, taken.source, taken.where)
    return { at, shown: rebased(place, taken.source, this.#targetOf(taken.path)), isMovedItself }
  }

  /** The place for the entry at `path` in `to`, within the current place of its directory. */
  #targetOf(path: VfsPath): VfsPath {
    const parent = dirname(path)
    if (parent === path || parent === rootPath) return path
    const before = this.#pathBefore(parent)
    const isOld = statOf(this.#from, before)?.kind === 'directory'
    return childPath(isOld ? this.#locate(before).at : this.#targetOf(parent), basename(path))
  }

  /** The path in `from` of an entry in `to`. */
  #pathBefore(path: VfsPath): VfsPath {
    let best: Difference | undefined
    for (const move of this.#differences) {
      if (move.type === 'move' && isInside(path, move.path) && move.path.length > (best?.path.length ?? -1)) best = move
    }
    return best?.oldPath === undefined ? path : rebased(path, best.path, best.oldPath)
  }

  #takeAside({ path, oldPath = path }: Difference): readonly Taken[] {
    const { path: source, isMovedItself } = this.#placeOf(oldPath)
    // Others have moved it to the same path.
    if (isMovedItself && source === this.#targetOf(path) && statOf(this.#now, source) !== undefined) return []
    if (isMovedItself) return this.#giveUp(path, source, 'It was moved again meanwhile.')
    if (statOf(this.#now, source) === undefined) return this.#giveUp(path, source, 'It was removed or moved meanwhile.')
    const taken = { path, source, where: this.#freeName(movingName) }
    this.#now.rename(source, taken.where)
    this.#taken.push(taken)
    return [taken]
  }

  #giveUp(path: VfsPath, place: VfsPath, reason: string): readonly Taken[] {
    this.#given.push(path)
    this.#conflict(place, reason)
    return []
  }

  #putBack(taken: Taken): void {
    const target = this.#targetOf(taken.path)
    const isFree = statOf(this.#now, target) === undefined && this.#makeParents(target)
    const aside = taken.where
    if (isFree) {
      taken.where = target
      this.#restored.add(target)
    } else {
      this.#giveUp(taken.path, target, 'Another entry has this path now, so nothing could be moved back to it.')
      this.#makeParents(taken.source)
      taken.where = statOf(this.#now, taken.source) === undefined ? taken.source : this.#freeName(taken.source)
    }
    this.#now.rename(aside, taken.where)
  }

  /** A path that does not exist: `path` with a number appended. */
  #freeName(path: VfsPath): VfsPath {
    for (;;) {
      const name = `${path}.${++this.#aside}` as VfsPath
      if (statOf(this.#now, name) === undefined) return name
    }
  }

  #remove(path: VfsPath, kind: Difference['kind']): void {
    const { at, shown, isMovedItself } = this.#locate(path)
    const stat = statOf(this.#now, at)
    if (stat === undefined) return
    if (isMovedItself) return this.#conflict(shown, 'It was moved meanwhile, so it was not removed.')
    if (kind === 'directory' && stat.kind === 'directory') {
      if (!this.#removeDirectory(path, at, shown)) this.#conflict(shown, 'It contains changes that were made meanwhile.')
      else this.#restored.add(shown)
      return
    }
    if (!isSame(entryAt(this.#now, at), entryAt(this.#from, path)))
      return this.#conflict(shown, 'It was changed meanwhile, so it was not removed.')
    this.#now.remove(at, 'file')
    this.#restored.add(shown)
  }

  /** Removes a directory. Returns whether it is empty. Entries that others have changed are kept and listed. */
  #removeDirectory(was: VfsPath, path: VfsPath, shown: VfsPath): boolean {
    let isEmpty = true
    for (const { name, kind } of this.#now.list(path)) {
      const [wasAt, at, shownAt] = [childPath(was, name), childPath(path, name), childPath(shown, name)]
      const before = statOf(this.#from, wasAt)
      if (kind === 'directory' && before?.kind === 'directory') isEmpty = this.#removeDirectory(wasAt, at, shownAt) && isEmpty
      else if (kind !== 'directory' && isSame(entryAt(this.#now, at), entryAt(this.#from, wasAt))) this.#now.remove(at, 'file')
      else {
        isEmpty = false
        this.#conflict(shownAt, 'It was changed or added meanwhile, so it was not removed.')
      }
    }
    if (isEmpty) this.#now.remove(path, 'directory')
    return isEmpty
  }

  #makeDirectory(path: VfsPath): void {
    const target = this.#targetOf(path)
    const stat = statOf(this.#now, target)
    if (stat?.kind === 'directory') return
    if (stat !== undefined || !this.#makeParents(target)) return this.#occupied(path, target)
    this.#now.mkdir(target, { mode: this.#to.lookup(path, { follow: false }).mode })
    this.#restored.add(target)
  }

  #create(path: VfsPath): void {
    const target = this.#targetOf(path)
    const wanted = entryAt(this.#to, path)
    if (wanted === undefined) return
    const there = statOf(this.#now, target)
    if (there !== undefined && isSame(entryAt(this.#now, target), wanted)) return
    if (there !== undefined || !this.#makeParents(target)) return this.#occupied(path, target)
    if (wanted.kind === 'symlink') this.#now.symlink(wanted.target, target)
    else this.#now.write(target, wanted.bytes, { mode: this.#to.lookup(path, { follow: false }).mode })
    this.#restored.add(target)
  }

  #occupied(path: VfsPath, target: VfsPath): void {
    this.#given.push(path)
    this.#conflict(target, 'Another entry has this path now.')
  }

  #modify(path: VfsPath): void {
    const target = this.#locate(this.#pathBefore(path)).at
    const [base, theirs] = [entryAt(this.#from, this.#pathBefore(path)), entryAt(this.#to, path)]
    const ours = entryAt(this.#now, target)
    if (ours === undefined) return this.#conflict(target, 'It was removed or replaced meanwhile.')
    if (isSame(ours, theirs)) return
    if (theirs === undefined || base === undefined) return this.#conflict(target, 'It was replaced meanwhile.')
    if (isSame(ours, base)) {
      this.#write(target, theirs)
      this.#restored.add(target)
      return
    }
    const texts = [base, ours, theirs].map(entry => (entry.kind === 'file' ? textIn(entry.bytes) : undefined))
    const [baseText, oursText, theirsText] = texts
    if (baseText === undefined || oursText === undefined || theirsText === undefined)
      return this.#conflict(target, 'It was changed meanwhile, and it is not text that could be merged.')
    const merge = mergeTexts(baseText, oursText, theirsText)
    if (merge.kind === 'conflict') return this.#conflict(target, 'The same or neighbouring lines were changed meanwhile.')
    this.#write(target, { kind: 'file', bytes: new TextEncoder().encode(merge.text) })
    this.#merged.add(target)
  }

  #write(path: VfsPath, entry: Entry): void {
    if (entry.kind === 'file') {
      this.#now.write(path, entry.bytes)
      return
    }
    this.#now.remove(path, 'file')
    this.#now.symlink(entry.target, path)
  }

  #changeMode(path: VfsPath): void {
    const target = this.#locate(this.#pathBefore(path)).at
    const [base, wanted, ours] = [statOf(this.#from, this.#pathBefore(path)), statOf(this.#to, path), statOf(this.#now, target)]
    if (
      base === undefined ||
      wanted === undefined ||
      ours === undefined ||
      ours.mode === wanted.mode ||
      base.mode === wanted.mode
    )
      return
    if (ours.mode !== base.mode) return this.#conflict(target, 'Its permissions were changed meanwhile.')
    this.#now.setattr(target, { mode: wanted.mode, follow: false })
    this.#restored.add(target)
  }

  /** Others may have removed the directory of a restored entry. */
  #makeParents(path: VfsPath): boolean {
    const parent = dirname(path)
    const stat = statOf(this.#now, parent)
    if (stat !== undefined) return stat.kind === 'directory'
    if (!this.#makeParents(parent)) return false
    this.#now.mkdir(parent)
    return true
  }

  #conflict(path: VfsPath, reason: string): void {
    if (!this.#conflicts.has(path)) this.#conflicts.set(path, reason)
  }
}

const movingName = '/.anchorage-moving' as VfsPath

/** The deepest path in `moved` that contains or equals `path`. */
export function deepest<R extends Relocation>(moved: readonly R[], path: VfsPath): R | undefined {
  const [found] = moved.filter(({ source }) => isInside(path, source)).toSorted((a, b) => b.source.length - a.source.length)
  return found
}

function depth(path: VfsPath): number {
  return path.split('/').length
}

/** Replaces the prefix `from` of `path` with `to`. */
export function rebased(path: VfsPath, from: VfsPath, to: VfsPath): VfsPath {
  return `${to}${path.slice(from.length)}` as VfsPath
}

function entryAt(files: Files, path: VfsPath): Entry | undefined {
  const stat = statOf(files, path)
  if (stat === undefined || stat.kind === 'directory') return undefined
  return stat.kind === 'symlink' ? { kind: 'symlink', target: files.readlink(path) } : { kind: 'file', bytes: files.read(path) }
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === 'symlink' || b.kind === 'symlink') return a.kind === 'symlink' && b.kind === 'symlink' && a.target === b.target
  return sameBytes(a.bytes, b.bytes)
}

/** `undefined` if it is not UTF-8, because merged text must be encoded to the same bytes. */
/** `undefined` if it is not text that can be merged. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
