// Files as text and images, edits that need a read first, and a scratchpad beside the context.

import type { Session } from '../../session/session.ts'
import type { ToolsetTools } from '../../session/toolset-manifest.ts'
import { createEditFileTool } from './edit-file/definition.ts'
import { agshExamples } from './examples.ts'
import type { AgshOptions } from './options.ts'
import { createReadFileTool } from './read-file/definition.ts'
import { createScratchpadTools } from './scratchpad/tools.ts'
import { createAgshState } from './state.ts'
import { createWriteFileTool } from './write-file/definition.ts'

export function createTools(session: Session, options: AgshOptions): ToolsetTools {
  const state = createAgshState(session, options)
  const fileTools = [createReadFileTool(state), createEditFileTool(state), createWriteFileTool(state)]
  const scratchpadTools = state.scratchpad === undefined ? [] : createScratchpadTools(state.scratchpad)
  return { tools: [...fileTools, ...scratchpadTools], examples: agshExamples }
}
