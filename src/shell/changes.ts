// The changes of a process to the files. They are part of the shell's port, because only the shell can distinguish its writes
// from those of concurrent writers.

import type { VfsPath } from '../core/path.ts'

export interface ShellChange {
  /**
   * The net change of the whole run: a file that was created and removed again is not included. `modify` includes a changed mode or time.
   */
  readonly type: 'create' | 'modify' | 'delete'
  readonly path: VfsPath
  /** The kind of the current entry, or of the deleted one. A directory that was moved or deleted includes everything in it. */
  readonly kind: 'file' | 'directory' | 'symlink'
}

export interface ShellChanges {
  /** Sorted by path. */
  readonly changes: readonly ShellChange[]
  /** Whether there were more changes than the shell records. */
  readonly isCut: boolean
}
