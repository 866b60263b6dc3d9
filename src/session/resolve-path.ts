// The only path resolver. It converts a path from a model to a path without symlinks inside the root, or throws. Tools use `path`
// and show `display`.

import { ToolError } from '../core/errors.ts'
import {
  displayPath,
  isInside,
  joinPath,
  parsePath,
  pathNames,
  pathProblem,
  resolveDotDot,
  rootPath,
  type VfsPath,
} from '../core/path.ts'
import type { Stat } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { lstatIfThere } from './if-there.ts'

export interface ResolvedPath {
  /** Absolute, inside the root, free of symlinks and '..'. */
  readonly path: VfsPath
  /** The path for the model: relative to the root, '.' for the root itself. */
  readonly display: string
  /** The current entry; `undefined` if there is none. Never a symlink. */
  readonly stat: Stat | undefined
}

/** SYMLOOP_MAX of POSIX, with the value of Linux. */
const maxSymlinks = 40

export interface PathResolver {
  /** `input` may be relative to the root or absolute. Throws a `ToolError`: `path-invalid`, `path-outside-root`, `path-symlink-loop`. */
  resolve(input: string): Promise<ResolvedPath>
}

export function createPathResolver(vfs: Vfs, root: VfsPath): PathResolver {
  return {
    async resolve(input) {
      const given = parseInput(input, root)
      const { path, stat } = await followSymlinks(vfs, given, input)
      if (!isInside(path, root)) throw outsideRoot(input, root)
      const lexical = resolveDotDot(given)
      return { path, display: displayPath(isInside(lexical, root) ? lexical : path, root), stat }
    },
  }
}

function parseInput(input: string, root: VfsPath): VfsPath {
  const problem = pathProblem(input)
  if (problem !== undefined) {
    throw new ToolError('path-invalid', `The path ${JSON.stringify(input)} cannot be used: ${problem.reason}.`, {
      nextStep: 'Give the path of a file or directory inside the workspace, such as src/index.ts.',
    })
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(input)?.[1]
  if (scheme !== undefined) {
    throw new ToolError(
      'path-scheme-unsupported',
      `${JSON.stringify(input)} names a ${scheme}:// resource, which this tool does not open.`,
      {
        nextStep: 'Use a plain path inside the workspace.',
        details: { scheme },
      },
    )
  }
  return parsePath(input, root)
}

function outsideRoot(input: string, root: VfsPath): ToolError {
  return new ToolError('path-outside-root', `${JSON.stringify(input)} leads outside the workspace ${root}.`, {
    nextStep: `Use a path below ${root}; relative paths start there.`,
    details: { path: input, root },
  })
}

/** Resolves one name at a time, as POSIX does, so that '..' after a symlink is the parent of the link's target. */
async function followSymlinks(vfs: Vfs, given: VfsPath, input: string): Promise<{ path: VfsPath; stat: Stat | undefined }> {
  let pending = [...pathNames(given)]
  let path = rootPath
  let stat: Stat | undefined = await lstatIfThere(vfs, rootPath)
  let symlinksLeft = maxSymlinks
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '..') {
      path = resolveDotDot(joinPath(path, '..'))
      stat = await lstatIfThere(vfs, path)
      continue
    }
    path = joinPath(path, name)
    stat = await lstatIfThere(vfs, path)
    if (stat?.kind !== 'symlink') continue
    if (symlinksLeft-- === 0) {
      throw new ToolError('path-symlink-loop', `${JSON.stringify(input)} runs through more than ${maxSymlinks} symbolic links.`, {
        nextStep: 'Name the file by its real path; list its directory to find it.',
      })
    }
    const target = parsePath(await vfs.readlink(path), resolveDotDot(joinPath(path, '..')))
    pending = [...pathNames(target), ...pending]
    path = rootPath
    stat = undefined
  }
  return { path, stat: stat ?? (path === rootPath ? await lstatIfThere(vfs, rootPath) : undefined) }
}
