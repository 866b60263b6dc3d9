// The ecs toolset: hash-anchored line edits and a shell. Source: seed 004, and ecs §4 for what the document leaves open.
// `read_file` comes with it; what the other tools run is loaded on their first call.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { withExamples } from '../../session/tool.ts'
import { bashTool } from './bash/definition.ts'
import { createEditFileTool } from './edit-file/definition.ts'
import { createReadFileTool } from './read-file/definition.ts'
import { renderEcsFailure } from './result.ts'
import { createEcsState } from './state.ts'
import { writeFileTool } from './write-file/definition.ts'
import { ecsExamples } from './examples.ts'

/** `read_file`, `write_file`, `edit_file`, `bash`, over one session. */
export function createEcsToolset(session: Session, options: Pick<ToolsetOptions, 'only' | 'rename'> = {}): Toolset {
  const state = createEcsState(session)
  const tools = [createReadFileTool(state), writeFileTool, createEditFileTool(state), bashTool]
  return createToolset(session, withExamples(tools, ecsExamples), options, renderEcsFailure)
}
