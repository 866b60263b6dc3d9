// Line edits by hash, and a shell. `read_file` is loaded with the definitions; the code of the other tools is loaded on their first call.

import type { Session } from '../../session/session.ts'
import type { ToolsetTools } from '../../session/toolset-manifest.ts'
import { bashTool } from './bash/definition.ts'
import { createEditFileTool } from './edit-file/definition.ts'
import { ecsExamples } from './examples.ts'
import { createReadFileTool } from './read-file/definition.ts'
import { renderEcsFailure } from './result.ts'
import { createEcsState } from './state.ts'
import { createWriteFileTool } from './write-file/definition.ts'

export function createTools(session: Session): ToolsetTools {
  const state = createEcsState(session)
  return {
    tools: [createReadFileTool(state), createWriteFileTool(state), createEditFileTool(state), bashTool],
    examples: ecsExamples,
    renderFailure: renderEcsFailure,
  }
}
