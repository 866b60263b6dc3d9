// Determines which paths a call of find or search names. An existing path takes precedence over its interpretation as a list or a glob.

import { ToolError } from '../core/errors.ts'
import { displayPath, type VfsPath } from '../core/path.ts'
import { resolveTargets, type ResolvedTargets } from '../search/targets.ts'
import type { Session } from './session.ts'

export function resolveSearchTargets(session: Session, entries: readonly string[]): Promise<ResolvedTargets> {
  return resolveTargets(entries, async path => {
    try {
      return (await session.paths.resolve(path)).stat !== undefined
    } catch (error) {
      // One interpretation of a list of paths may be invalid, but a single invalid path must be reported.
      if (error instanceof ToolError && entries.length === 1 && entries[0] === path) throw error
      if (error instanceof ToolError) return false
      throw error
    }
  })
}

/**
 * Returns a function that tests whether the `!` globs exclude an absolute path, or `undefined` if there are none. Throws `invalid-glob`.
 */
export async function exclusionOf(
  { root }: Pick<Session, 'root'>,
  { excluded }: Pick<ResolvedTargets, 'excluded'>,
): Promise<((path: VfsPath) => boolean) | undefined> {
  if (excluded.length === 0) return undefined
  const { compileExclusions } = await import('../search/exclusions.ts')
  const compiled = compileExclusions(excluded)
  if (compiled.kind === 'error') throw invalidGlob(`!${compiled.glob}`, compiled.message)
  return path => compiled.matches(displayPath(path, root))
}

export function invalidGlob(text: string, message: string): ToolError {
  return new ToolError('invalid-glob', `${JSON.stringify(text)} is not a valid glob: ${message}`, {
    nextStep: 'Correct it. Globs may contain *, ?, **, {a,b} and [abc]; one that starts with ! excludes matching paths.',
  })
}
