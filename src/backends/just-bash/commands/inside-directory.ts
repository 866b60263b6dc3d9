// What comes out of an archive stays in its directory: a link on the way may lead anywhere, so each directory is looked at as it really is.

import type { CommandContext } from './command.ts'

export type Files = CommandContext['fs']

/**
 * The directories above `name` in `base`, those that are missing made. Those in `known` were found good already: forget them when a link is
 * made.
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
    throw new Error('it lies behind a link that leads outside, so it was left out')
}

/** A link that leads nowhere is there. */
export async function isThere(fs: Files, path: string): Promise<boolean> {
  try {
    await fs.lstat(path)
    return true
  } catch (error) {
    if (error instanceof Error && /^(?:ENOENT|ENOTDIR)/.test(error.message)) return false
    throw error
  }
}
