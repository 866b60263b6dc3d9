// A real directory as the workspace's filesystem, for hosts in Node: command lines, servers, Electron, tests against real tools.

import { AnchorageError } from '../../core/errors.ts'
import { maxNameBytes } from '../../core/path.ts'
import type { VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { hostedBackend } from '../../vfs/hosted/hosted-backend.ts'
import { nodeHost } from './node-host.ts'

/** Options of `node`. */
export interface NodeFsOptions {
  /**
   * `write` (the default): an acknowledged write survives a power failure; other changes do after the next write in their directory
   * or `flush`. `flush`: nothing waits for the disk but `flush`, and a power failure may take what came after the last one.
   */
  readonly durability?: 'write' | 'flush'
}

const caps: VfsCaps = {
  sync: true,
  persistent: true,
  readonly: false,
  symlinks: 'native',
  hardlinks: true,
  mode: true,
  mtime: 'approximate',
  // Of a file with one name. One with several is written in place, so that it keeps them.
  atomicWrite: true,
  atomicRename: true,
  // All or nothing for the users of this backend. Another program may see a batch half done, and a crash may leave it so.
  transactions: true,
  snapshots: false,
  watch: 'hint',
  ranges: true,
  caseSensitive: true,
  maxNameBytes,
  maxFileBytes: 2 ** 31 - 1,
}

/**
 * The directory is the root, and nothing outside of it can be reached: '..' stops there, and an absolute symlink leads from there.
 * Other programs may work in it at the same time; what they change gets a new revision when it is next looked at.
 *
 * Calls block their thread as long as the disk takes. A file is replaced by a new one with the same mode and, where the process
 * may, owner; extended attributes are not carried over. Throws `AnchorageError` `unsupported-platform` on Windows. A directory that
 * is not there fails each operation with ENOENT.
 */
export function node(directory: string, options: NodeFsOptions = {}): VfsBackend {
  if (process.platform === 'win32') {
    throw new AnchorageError('unsupported-platform', 'node() needs POSIX paths and links: run it on Linux, macOS or in WSL.')
  }
  const host = nodeHost(directory, { isDurable: options.durability !== 'flush', maxFileBytes: caps.maxFileBytes })
  return hostedBackend(host, caps, Date.now).backend
}
