// The overlay as a filesystem, on the current layers, in a transaction, or as a snapshot.

import { rootPath } from '../../core/path.ts'
import type { Snapshot, VfsBackend, VfsSync } from '../backend.ts'
import { mountSteps } from '../mount/primitives.ts'
import { synchronous, waiting } from '../mount/synchronous.ts'
import { refusedPrimitives } from '../readonly.ts'
import type { Waiting } from '../port.ts'
import { type Layers, newLayers } from './layers.ts'
import { overlaySteps } from './primitives.ts'

/** Symlinks are resolved in the whole, as across mounts, which gives real paths. */
export function viewNow(layers: Layers): VfsSync {
  return synchronous(mountSteps([{ path: rootPath, on: { sync: synchronous(overlaySteps(layers)) } }]))
}

export function viewWaiting(layers: Layers): Waiting {
  return waiting(mountSteps([{ path: rootPath, on: waiting(overlaySteps(layers)) }]))
}

/** The views of both layers at one time. */
export function snapshotOf(lower: VfsBackend, upper: VfsBackend, seq: number): Snapshot {
  const [below, above] = [lower.snapshot?.(), upper.snapshot?.()]
  if (below === undefined || above === undefined) throw new Error('both layers declare snapshots, but one has none')
  const frozen = (fs: Snapshot['fs']): { readonly sync: VfsSync } => ({ sync: { ...refusedPrimitives, ...fs } })
  return { seq, fs: viewNow(newLayers(frozen(below.fs), frozen(above.fs), () => {})) }
}
