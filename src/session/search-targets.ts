// Which places a call of find or search means, checked with the real filesystem: an existing name has priority over its interpretation as a
// list or a glob.

import { ToolError } from '../core/errors.ts'
import { resolveTargets, type ResolvedTargets } from '../search/targets.ts'
import type { Session } from './session.ts'

export function resolveSearchTargets(session: Session, entries: readonly string[]): Promise<ResolvedTargets> {
  return resolveTargets(entries, async path => {
    try {
      return (await session.paths.resolve(path)).stat !== undefined
    } catch (error) {
      // One interpretation of a list of paths may be an invalid path; a single invalid path must be reported.
      if (error instanceof ToolError && entries.length === 1 && entries[0] === path) throw error
      if (error instanceof ToolError) return false
      throw error
    }
  })
}
