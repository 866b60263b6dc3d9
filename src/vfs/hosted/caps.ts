import { maxNameBytes } from '../../core/path.ts'
import type { VfsCaps } from '../backend.ts'

/** What a hosted backend can do, whatever its host. */
export const hostedCaps: Omit<VfsCaps, 'persistent' | 'mtime'> = {
  sync: true,
  readonly: false,
  symlinks: 'native',
  hardlinks: true,
  mode: true,
  // A file with several names is written in place on a disk, so that they all remain.
  atomicWrite: true,
  atomicRename: true,
  // All or nothing for the users of the backend. Another program may see a part of a batch, and a crash of a disk may leave a part.
  transactions: true,
  snapshots: false,
  // Changes through the backend are reported exactly, one each; those of others as the host does it.
  watch: 'hint',
  ranges: true,
  caseSensitive: true,
  maxNameBytes,
  maxFileBytes: 2 ** 31 - 1,
}
