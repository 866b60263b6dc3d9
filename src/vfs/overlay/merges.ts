// Finds the files that were changed here and in the lower layer, and merges each with the content that both changes began with.

import { childPath, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { call, type Steps } from '../steps.ts'
import type { Container } from './containers.ts'
import type { KeptBases } from './kept-bases.ts'
import { basesOf, entriesOf, keptOf, type Layers, namesIn, untagBase } from './layers.ts'

const notFollowing = { follow: false } as const

/** Merges two versions of `base`; `undefined` if that is not possible. */
export type MergeContents = (base: Uint8Array, ours: Uint8Array, theirs: Uint8Array) => Uint8Array | undefined

/** The inputs of a merge. */
export interface Merging {
  readonly bases: KeptBases
  readonly mergeContents: MergeContents
}

/** A file with the changes of both sides. */
export interface MergedFile {
  /** Its path in the overlay. */
  readonly path: VfsPath
  /** Its place in the upper layer. */
  readonly at: VfsPath
  /** Its path in the lower layer, and the revision there that was merged. */
  readonly lower: VfsPath
  readonly rev: number
  readonly mode: number
  readonly bytes: Uint8Array
}

interface Holder {
  readonly at: VfsPath
  readonly path: VfsPath
  readonly stat: Stat
}

/** Leaves out what cannot be merged. Then `checkBases` names it. */
export function* mergesOf(layers: Layers, containers: readonly Container[]): Steps<readonly MergedFile[]> {
  const { merging } = layers
  if (merging === undefined) return []
  const moved = yield* holdersByOrigin(layers, containers)
  const merges: MergedFile[] = []
  for (const { at, path, origin } of containers) {
    if (origin === undefined) continue
    for (const name of yield* namesIn(layers.upper, basesOf(at))) {
      const lower = childPath(origin, name)
      const noted = untagBase(yield* call(layers.upper, 'readlink', childPath(basesOf(at), name)))
      const base = merging.bases.at(lower, noted.rev)
      const theirs = yield* statIfAny(layers.lower, lower, notFollowing)
      if (base === undefined || theirs?.kind !== 'file' || theirs.rev === noted.rev) continue
      const named =
        path === undefined ? undefined : yield* holderAt(layers, childPath(entriesOf(at), name), childPath(path, name))
      const others = (moved.get(lower) ?? []).filter(holder => holder.at !== named?.at)
      const [holder, ...more] = named === undefined ? others : [named, ...others]
      // With several files that could take the change, it is not known which of them should.
      if (holder === undefined || more.length > 0 || holder.stat.nlink > 1) continue
      const cameFrom = (yield* keptOf(layers)).get(holder.stat.ino)
      if (cameFrom !== undefined && cameFrom !== lower) continue
      const mode = mergedMode(base.mode, holder.stat.mode, theirs.mode)
      const ours = yield* call(layers.upper, 'read', holder.at)
      const bytes = merging.mergeContents(base.bytes, ours, yield* call(layers.lower, 'read', lower))
      // The content that was read must belong to that revision.
      const after = yield* statIfAny(layers.lower, lower, notFollowing)
      if (mode === undefined || bytes === undefined || after?.rev !== theirs.rev) continue
      merges.push({ path: holder.path, at: holder.at, lower, rev: theirs.rev, mode, bytes: bytes.slice() })
    }
  }
  return merges
}

/** Files whose content was not changed here, by the path in the lower layer that they came from. */
function* holdersByOrigin(layers: Layers, containers: readonly Container[]): Steps<ReadonlyMap<VfsPath, readonly Holder[]>> {
  const kept = yield* keptOf(layers)
  const holders = new Map<VfsPath, Holder[]>()
  if (kept.size === 0) return holders
  for (const { at, path } of containers) {
    if (path === undefined) continue
    for (const name of yield* namesIn(layers.upper, entriesOf(at))) {
      const holder = yield* holderAt(layers, childPath(entriesOf(at), name), childPath(path, name))
      const origin = holder === undefined ? undefined : kept.get(holder.stat.ino)
      if (holder === undefined || origin === undefined) continue
      holders.set(origin, [...(holders.get(origin) ?? []), holder])
    }
  }
  return holders
}

function* holderAt(layers: Layers, at: VfsPath, path: VfsPath): Steps<Holder | undefined> {
  const stat = yield* statIfAny(layers.upper, at, notFollowing)
  return stat?.kind === 'file' ? { at, path, stat } : undefined
}

function mergedMode(base: number, ours: number, theirs: number): number | undefined {
  if (ours === base) return theirs
  return theirs === base || theirs === ours ? ours : undefined
}
