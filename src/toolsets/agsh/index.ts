// The agsh toolset: files as text and images, edits that need a read first, and a scratchpad beside the context.
// Source: spec ah-rye-agsh-ecs §3; the seed document on agsh.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { withExamples, type AnyTool } from '../../session/tool.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { createEditFileTool } from './edit-file/definition.ts'
import { createReadFileTool } from './read-file/definition.ts'
import { createScratchpadTools } from './scratchpad/tools.ts'
import { createAgshState } from './state.ts'
import { createWriteFileTool } from './write-file/definition.ts'
import { agshExamples } from './examples.ts'

/** `read_file`, `edit_file` and `write_file`, and unless `scratchpad` is false the five `scratchpad_` tools, over one session. */
export function createAgshToolset(
  session: Session,
  options: Pick<ToolsetOptions, 'only' | 'rename' | 'scratchpad'> = {},
): Toolset {
  const state = createAgshState(session, options.scratchpad ?? true)
  const fileTools = withExamples([createReadFileTool(state), createEditFileTool(state), createWriteFileTool(state)], agshExamples)
  if (state.scratchpad === undefined) return createToolset(session, fileTools.map(withoutScratchpad), options)
  return createToolset(session, [...fileTools, ...withExamples(createScratchpadTools(state.scratchpad), agshExamples)], options)
}

/** The argument is not offered where it would have no effect. */
function withoutScratchpad(tool: AnyTool): AnyTool {
  const { properties } = tool.inputSchema
  if (typeof properties !== 'object' || properties === null) return tool
  const kept = Object.entries(properties).filter(([name]) => name !== 'scratchpad')
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(kept) } }
}
