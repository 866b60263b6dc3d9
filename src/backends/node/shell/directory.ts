// One directory has two names: one in the workspace and one on the machine. Both must be the same files, or commands would work on other
// files than the tools.

import { mkdtemp, realpath, rmdir, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { AnchorageError } from '../../../core/errors.ts'
import { childPath, isInside, parsePath, type VfsPath } from '../../../core/path.ts'
import type { Vfs } from '../../../vfs/vfs.ts'

export interface PathMap {
  readonly mount: VfsPath
  /** What the machine calls it. */
  readonly base: string
  /** Both names are the same. */
  readonly isIdentity: boolean
  /** A directory's path on the machine. Rejects with `AnchorageError` ENOENT, ENOTDIR, or `path-outside-root` if it is elsewhere. */
  readonly toReal: (path: VfsPath) => Promise<string>
  /** The workspace's path; a path elsewhere on the machine stays. */
  readonly toWorkspace: (real: string) => string
}

/** Rejects with `AnchorageError` `no-such-directory`. */
export async function createPathMap(directory: string, mountedAt: string): Promise<PathMap> {
  const mount = parsePath(mountedAt)
  const base = await realpath(directory).catch((cause: unknown) => {
    throw new AnchorageError(
      'no-such-directory',
      `The directory ${directory} of the shell does not exist. Next: create it, or use another one.`,
      {
        cause,
      },
    )
  })
  const prefix = base.endsWith(sep) ? base : base + sep
  return {
    mount,
    base,
    isIdentity: base === mount,
    toWorkspace: real => {
      if (real === base) return mount
      if (!real.startsWith(prefix)) return real
      return `${mount === '/' ? '' : mount}/${real.slice(prefix.length).replaceAll(sep, '/')}`
    },
    toReal: async path => {
      if (!isInside(path, mount)) throw outside(path)
      const named = join(base, mount === '/' ? path : path.slice(mount.length))
      const real = await realpath(named).catch((cause: unknown) => {
        throw new AnchorageError('ENOENT', `ENOENT: the working directory does not exist: ${path}`, { details: { path }, cause })
      })
      // A symbolic link may lead out, also one that was created after the workspace checked.
      if (real !== base && !real.startsWith(prefix)) throw outside(path)
      if (!(await stat(real)).isDirectory())
        throw new AnchorageError('ENOTDIR', `ENOTDIR: the working directory is not a directory: ${path}`, { details: { path } })
      return real
    },
  }
}

function outside(path: VfsPath): AnchorageError {
  return new AnchorageError('path-outside-root', `${path} is not in the shell's directory, so no command can start there.`, {
    details: { path },
  })
}

/**
 * Creates an empty directory on the machine, which must appear in the workspace. Nothing less is proof, because two empty directories look
 * alike.
 * Rejects with `AnchorageError` `shell-other-files`.
 */
export async function checkSharedDirectory(fs: Vfs, root: VfsPath, paths: PathMap): Promise<void> {
  const other = (cause?: unknown): AnchorageError =>
    new AnchorageError(
      'shell-other-files',
      `The shell would not work on the workspace's files: a directory created in its directory does not appear in ${root}. ` +
        'Next: give the workspace node(directory) with the same directory, and the shell `mountedAt` where it is mounted.',
      { cause, details: { root } },
    )
  const real = await paths.toReal(root).catch((error: unknown) => {
    throw other(error)
  })
  const probe = await mkdtemp(join(real, '.anchorage-probe-')).catch((error: unknown) => {
    throw other(error)
  })
  try {
    const isThere = await fs.exists(childPath(root, basename(probe)))
    if (!isThere) throw other()
  } finally {
    await rmdir(probe)
  }
}
