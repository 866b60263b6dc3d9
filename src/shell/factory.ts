// A shell is built over the files of the workspace that it belongs to, and this room may not name them: the caller says what they are.

import type { VfsPath } from '../core/path.ts'
import type { Shell } from './shell.ts'

/** Builds a shell over `fs`, with `root` as its working directory. Heavy parts may wait until the first command. */
export type ShellFactory<FileSystem> = (context: { readonly fs: FileSystem; readonly root: VfsPath }) => Promise<Shell>
