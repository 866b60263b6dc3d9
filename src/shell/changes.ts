// What a process did to the files. Only the shell can distinguish its own writes from those of other writers at the same time, so this is
// part of its port.

import type { VfsPath } from '../core/path.ts'

export interface ShellChange {
  /** For the whole run: a file that was created and removed again has not changed. `modify` includes a changed mode or time. */
  readonly type: 'create' | 'modify' | 'delete'
  readonly path: VfsPath
  /** What is there now, or was there before it was deleted. A directory that was moved or deleted includes everything in it. */
  readonly kind: 'file' | 'directory' | 'symlink'
}

export interface ShellChanges {
  /** By path. */
  readonly changes: readonly ShellChange[]
  /** There were more changes than the shell keeps. */
  readonly isCut: boolean
}
