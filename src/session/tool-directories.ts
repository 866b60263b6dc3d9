// Directories of the workspace that tools use for internal data. Listings and searches of all toolsets leave them out, and also
// directories that contain nothing else.

import { joinPath, type VfsPath } from '../core/path.ts'
import { type FileReader, readDirectoryIfThere } from './if-there.ts'

/** The directory in which rye stores line IDs, relative to the root. */
export const lineIndexDirectory = '.ai/cache/tools/read/line_index'

export function isToolDirectory(fromRoot: string): boolean {
  return fromRoot === lineIndexDirectory
}

/** Whether `isOnlyForTools` must be called. */
export function mayHoldToolDirectory(fromRoot: string): boolean {
  return `${lineIndexDirectory}/`.startsWith(`${fromRoot}/`)
}

/** Whether a directory of the workspace is one of these, or only contains one. */
export async function isOnlyForTools(vfs: FileReader, path: VfsPath, fromRoot: string): Promise<boolean> {
  if (isToolDirectory(fromRoot)) return true
  if (!mayHoldToolDirectory(fromRoot)) return false
  const [entry, ...others] = await readDirectoryIfThere(vfs, path)
  if (entry === undefined || others.length > 0 || entry.kind !== 'directory') return false
  return isOnlyForTools(vfs, joinPath(path, entry.name), `${fromRoot}/${entry.name}`)
}
