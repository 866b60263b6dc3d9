// Which places a call of find or search means, asked of the real filesystem: a name that exists wins over any reading of it as a list
// or a glob.

import { ToolError } from '../core/errors.ts'
import { resolveTargets, type ResolvedTargets } from '../search/targets.ts'
import type { Session } from './session.ts'

export function resolveSearchTargets(session: Session, entries: readonly string[]): Promise<ResolvedTargets> {
  return resolveTargets(entries, async path => {
    try {
      return (await session.paths.resolve(path)).stat !== undefined
    } catch (error) {
      // One reading of a list of paths may be no path at all; a lone path that is wrong must say so.
      if (error instanceof ToolError && entries.length === 1 && entries[0] === path) throw error
      if (error instanceof ToolError) return false
      throw error
    }
  })
}
