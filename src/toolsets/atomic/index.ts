// The atomic toolset: hashline editing and the five tools around it. Source: spec atomic; the seed document's first section.
// `read` comes with it; what the other tools run is loaded on their first call.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { withExamples } from '../../session/tool.ts'
import { createBashTool } from './bash/definition.ts'
import { createInterceptor } from './bash/interceptor.ts'
import { createEditTool } from './edit/definition.ts'
import { findTool } from './find/definition.ts'
import { readTool } from './read/definition.ts'
import { searchTool } from './search/definition.ts'
import { writeTool } from './write/definition.ts'
import { atomicExamples } from './examples.ts'

const ownNames = ['read', 'write', 'edit', 'bash', 'find', 'search'] as const

/** `read`, `write`, `edit`, `bash`, `find`, `search`, over one session. */
export function createAtomicToolset(
  session: Session,
  options: Pick<ToolsetOptions, 'only' | 'rename' | 'bashInterceptor' | 'async'> = {},
): Toolset {
  const available = ownNames.filter(name => options.only?.includes(name) ?? true)
  const shownNames = new Map(available.map((name): [string, string] => [name, options.rename?.[name] ?? name]))
  const bashTool = createBashTool(createInterceptor(options.bashInterceptor, shownNames), options.async ?? true)
  const tools = [readTool, writeTool, createEditTool(), bashTool, findTool, searchTool]
  return createToolset(session, withExamples(tools, atomicExamples), options)
}
