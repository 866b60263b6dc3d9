// Files by persistent line IDs. Every result is also an object in `structuredContent`. `read` is loaded with the definitions; the code of
// the other tools is loaded on their first call.

import type { Session } from '../../session/session.ts'
import type { ToolsetTools } from '../../session/toolset-manifest.ts'
import { createEditLinesTool } from './edit-lines/definition.ts'
import { ryeExamples } from './examples.ts'
import { globTool } from './glob/definition.ts'
import { createGrepTool } from './grep/definition.ts'
import { lsTool } from './ls/definition.ts'
import type { RyeOptions } from './options.ts'
import { createReadTool } from './read/definition.ts'
import { renderRyeFailure } from './result.ts'
import { createRyeState } from './state.ts'
import { createWriteTool } from './write/definition.ts'

export function createTools(session: Session, options: RyeOptions): ToolsetTools {
  const state = createRyeState(session, options)
  return {
    tools: [createReadTool(state), createWriteTool(state), createEditLinesTool(state), globTool, createGrepTool(state), lsTool],
    examples: ryeExamples,
    renderFailure: renderRyeFailure,
    wrap: toolset => ({
      ...toolset,
      async close(options) {
        await state.indexes.close()
        await toolset.close(options)
      },
    }),
  }
}
