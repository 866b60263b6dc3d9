// The rye toolset: files by persistent line IDs. Source: seed 002, and rye §2 for what the document leaves open.
// `read` comes with it; what the other tools run is loaded on their first call.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { withExamples } from '../../session/tool.ts'
import { createEditLinesTool } from './edit-lines/definition.ts'
import { globTool } from './glob/definition.ts'
import { createGrepTool } from './grep/definition.ts'
import { lsTool } from './ls/definition.ts'
import { createReadTool } from './read/definition.ts'
import { renderRyeFailure } from './result.ts'
import { createRyeState } from './state.ts'
import { createWriteTool } from './write/definition.ts'
import { ryeExamples } from './examples.ts'

/** `read`, `write`, `edit_lines`, `glob`, `grep`, `ls`, over one session. Every result is also an object in `structuredContent`. */
export function createRyeToolset(session: Session, options: Pick<ToolsetOptions, 'only' | 'rename'> = {}): Toolset {
  const state = createRyeState(session)
  const tools = [
    createReadTool(state),
    createWriteTool(state),
    createEditLinesTool(state),
    globTool,
    createGrepTool(state),
    lsTool,
  ]
  return createToolset(session, withExamples(tools, ryeExamples), options, renderRyeFailure)
}
