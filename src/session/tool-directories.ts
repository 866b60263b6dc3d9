// Directories of the workspace that tools keep for themselves. No listing and no search of any toolset shows them.

/** Where rye keeps its line IDs, from the root. */
export const lineIndexDirectory = '.ai/cache/tools/read/line_index'

export function isToolDirectory(fromRoot: string): boolean {
  return fromRoot === lineIndexDirectory
}
