// Undoes a commit that the container refused in the middle: the paths that it touched get their old state.

import { childPath, dirname, isInside, type VfsPath } from '../../core/path.ts'
import type { Snapshot, VfsTransaction } from '../../vfs/backend.ts'
import { holds, removeTree } from './reconcile.ts'
import type { ContainerAction } from './wire.ts'
import { ifThere } from '../../vfs/error.ts'

export function touchedPaths(actions: readonly ContainerAction[]): readonly VfsPath[] {
  const paths = actions.flatMap(action => (action.kind === 'rename' ? [action.from, action.path] : [action.path]))
  const absolute = [...new Set(paths)].map(path => `/${path}` as VfsPath).toSorted()
  // A path below another one is undone with it.
  return absolute.filter(path => !absolute.some(other => other !== path && isInside(path, other)))
}

/** `fs` is the up-to-date mirror; the changes made to it are the ones to apply to the container. */
export function takeBack(fs: VfsTransaction, before: Snapshot['fs'], paths: readonly VfsPath[]): void {
  for (const path of paths) restore(fs, before, path)
}

function restore(fs: VfsTransaction, before: Snapshot['fs'], path: VfsPath): void {
  const [was, is] = [kindAt(before, path), kindAt(fs, path)]
  if (is !== undefined && is !== was) removeTree(fs, path)
  if (was === undefined) return
  const isSame = is === was
  switch (was) {
    case 'directory': {
      if (!isSame) makeDirectory(fs, path)
      const names = new Set([...before.list(path), ...fs.list(path)].map(({ name }) => name))
      for (const name of names) restore(fs, before, childPath(path, name))
      return
    }
    case 'symlink': {
      const target = before.readlink(path)
      if (isSame && fs.readlink(path) === target) return
      if (isSame) fs.remove(path, 'file')
      fs.symlink(target, path)
      return
    }
    case 'file': {
      const bytes = before.read(path)
      if (!isSame || !holds(fs, path, bytes)) fs.write(path, bytes, { parents: true })
    }
  }
}

function makeDirectory(fs: VfsTransaction, path: VfsPath): void {
  if (kindAt(fs, dirname(path)) === undefined) makeDirectory(fs, dirname(path))
  fs.mkdir(path)
}

function kindAt(fs: Pick<VfsTransaction, 'lookup'>, path: VfsPath): 'file' | 'directory' | 'symlink' | undefined {
  return ifThere(() => fs.lookup(path, { follow: false }).kind, 'ENOENT', 'ENOTDIR')
}
