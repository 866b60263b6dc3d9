// What a process did to the files. Only the shell itself can tell its own writes from those of others that happen meanwhile, so this
// is part of its port.

import type { VfsPath } from '../core/path.ts'

export interface ShellChange {
  /** Seen over the whole run: what was made and removed again did not change. `modify` is also a changed mode or time. */
  readonly type: 'create' | 'modify' | 'delete'
  readonly path: VfsPath
  /** What is there now, or was there before it was deleted. A directory that was moved or deleted stands for all that was in it. */
  readonly kind: 'file' | 'directory' | 'symlink'
}

export interface ShellChanges {
  /** By path. */
  readonly changes: readonly ShellChange[]
  /** There were more than the shell keeps. */
  readonly isCut: boolean
}
