// A real directory as the workspace's filesystem, for hosts in Node: command lines, servers, Electron, tests against real tools.

import { checkArguments } from '../../core/argument.ts'
import { AnchorageError } from '../../core/errors.ts'
import type { VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { hostedCaps } from '../../vfs/hosted/caps.ts'
import { hostedBackend } from '../../vfs/hosted/hosted-backend.ts'
import { nodeHost } from './node-host.ts'

/** Options of `node`. */
export interface NodeFsOptions {
  /**
   * `write` (the default): an acknowledged write survives a power failure; other changes do after the next write in their directory or
   * `flush`. `flush`: only `flush` waits for the disk, and a power failure may lose everything after the last one.
   */
  readonly durability?: 'write' | 'flush'
}

const caps: VfsCaps = { ...hostedCaps, persistent: true, mtime: 'approximate' }

/**
 * The directory is the root, and nothing outside it can be reached: '..' stops there, and absolute symlinks are resolved from there. Other
 * programs may work in it at the same time; their changes get a new revision when the entry is next accessed.
 *
 * Calls block their thread as long as the disk takes. A file is replaced with a new one with the same mode and, if the process may set it,
 * the same owner; extended attributes are not kept. Throws `AnchorageError` `unsupported-platform` on Windows. If the directory is missing,
 * each operation fails with ENOENT.
 */
export function node(directory: string, options: NodeFsOptions = {}): VfsBackend {
  checkArguments('node', [directory, options], ['text', ['durability']])
  if (process.platform === 'win32')
    throw new AnchorageError('unsupported-platform', 'node() needs POSIX paths and links: run it on Linux, macOS or in WSL.')
  const host = nodeHost(directory, { isDurable: options.durability !== 'flush', maxFileBytes: caps.maxFileBytes })
  return hostedBackend(host, caps, Date.now).backend
}
