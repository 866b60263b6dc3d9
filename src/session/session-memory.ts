// The memory of a session, which is empty at first or restored from an earlier session. Saving and restoring are in
// session-state.ts, which is loaded only if a host saves states.

import type { VfsPath } from '../core/path.ts'
import { ConflictRegistry, type SavedConflicts } from './conflicts.ts'
import { FreshnessLedger } from './freshness.ts'
import { OwnMemory } from './own-memory.ts'
import type { SavedOutputs } from './saved-outputs.ts'
import { SnapshotStore, type SavedSnapshots } from './snapshots.ts'

/** The saved part of the memory. */
export interface SessionMemory {
  readonly freshness: FreshnessLedger
  readonly snapshots: SnapshotStore
  readonly conflicts: ConflictRegistry
  readonly own: OwnMemory
}

/** A state that has been validated. */
export interface RestoredState {
  readonly seen: readonly (readonly [path: VfsPath, hash: string])[]
  readonly snapshots: SavedSnapshots
  readonly conflicts?: SavedConflicts
  readonly own?: Readonly<Record<string, unknown>>
  readonly outputs?: SavedOutputs | undefined
}

export function openMemory(snapshotMaxBytes: number, restored?: RestoredState): SessionMemory {
  const freshness = new FreshnessLedger()
  for (const [path, hash] of restored?.seen ?? []) freshness.noteHash(path, undefined, hash)
  return {
    freshness,
    snapshots: new SnapshotStore(snapshotMaxBytes, undefined, restored?.snapshots),
    conflicts: new ConflictRegistry(restored?.conflicts),
    own: new OwnMemory(restored?.own),
  }
}
