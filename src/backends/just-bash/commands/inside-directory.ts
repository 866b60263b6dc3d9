// Keeps extracted files inside their directory: a symbolic link in the path may point anywhere, so the real path of each parent
// directory is checked.

import type { CommandContext } from './command.ts'

export type Files = CommandContext['fs']

/**
 * Creates the missing parent directories of `name` in `base`. `known` caches directories that were already checked: clear it
 * whenever a symbolic link is created.
 */
export async function makeParents(fs: Files, base: string, name: string, known: Set<string>): Promise<void> {
  let path = base
  for (const part of name.split('/').slice(0, -1)) {
    path = `${path === '/' ? '' : path}/${part}`
    if (known.has(path)) continue
    if (await isThere(fs, path)) await refuseOutside(fs, base, path)
    else await fs.mkdir(path)
    known.add(path)
  }
}

export async function refuseOutside(fs: Files, base: string, path: string): Promise<void> {
  const real = await fs.realpath(path)
  if (base !== '/' && real !== base && !real.startsWith(`${base}/`))
    throw new Error('a symbolic link in its path leads outside the directory, so it was skipped')
}

/** A broken symbolic link counts as existing. */
export async function isThere(fs: Files, path: string): Promise<boolean> {
  try {
    await fs.lstat(path)
    return true
  } catch (error) {
    if (error instanceof Error && /^(?:ENOENT|ENOTDIR)/.test(error.message)) return false
    throw error
  }
}
