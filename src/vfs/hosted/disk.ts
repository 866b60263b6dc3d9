// The primitives work on this: nodes at real paths, with stats as the port defines them. There are two implementations: the host with its
// ledger (live-disk.ts), and a transaction's private view of it (draft.ts).

import type { Stat } from '../backend.ts'
import type { NodeOperations } from './host.ts'

export interface DiskStat extends Stat {
  /** See `HostStat`. */
  readonly isSpecial?: boolean
}

export interface DiskWrite {
  /** The mode of a new file. */
  readonly mode: number
  readonly append: boolean
  /** Write over a part of the file, from this byte on. */
  readonly at?: number | undefined
  /** One of the file's names is a backup for undo, and must keep the old content. */
  readonly isAside?: boolean
}

/** Performs every request without checking it: the primitives have checked it. Lists are sorted. */
export type Disk = NodeOperations<DiskStat, DiskWrite, Stat>
