// The overlay as a filesystem, on the current layers, in a transaction, or as a snapshot.

import { rootPath, type VfsPath } from '../../core/path.ts'
import type { Snapshot, VfsBackend, VfsSync } from '../backend.ts'
import { mountSteps } from '../mount/primitives.ts'
import { synchronous, waiting } from '../mount/synchronous.ts'
import { offerPatch, type PatchOffer } from '../patch-offer.ts'
import { refusedPrimitives } from '../readonly.ts'
import type { Waiting } from '../port.ts'
import { runNow } from '../steps.ts'
import { type Layers, newLayers } from './layers.ts'
import { overlayPatchOffer, overlaySteps } from './primitives.ts'

/** Symlinks are resolved in the whole, as across mounts, which gives real paths. */
export function viewNow(layers: Layers): VfsSync {
  const sync = synchronous(overlaySteps(layers))
  const offerAt = (path: VfsPath): PatchOffer => runNow(overlayPatchOffer(layers, path))
  offerPatch(sync, offerAt)
  const view = synchronous(mountSteps([{ path: rootPath, on: { sync } }]))
  offerPatch(view, offerAt)
  return view
}

export function viewWaiting(layers: Layers): Waiting {
  const on = waiting(overlaySteps(layers))
  offerPatch(on)
  return waiting(mountSteps([{ path: rootPath, on }]))
}

/** The views of both layers at one time. */
export function snapshotOf(lower: VfsBackend, upper: VfsBackend, seq: number): Snapshot {
  const [below, above] = [lower.snapshot?.(), upper.snapshot?.()]
  if (below === undefined || above === undefined) throw new Error('both layers declare snapshots, but one has none')
  const frozen = (fs: Snapshot['fs']): { readonly sync: VfsSync } => ({ sync: { ...refusedPrimitives, ...fs } })
  return { seq, fs: viewNow(newLayers(frozen(below.fs), frozen(above.fs), () => {})) }
}
