// The ah toolset: four plain tools over paths and text, and the tools that a workspace brings along.
// Source: spec ah-rye-agsh-ecs §1; the seed document on ah.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { withExamples } from '../../session/tool.ts'
import { bashTool } from './bash/definition.ts'
import { loadCustomTools } from './custom/load.ts'
import { editTool } from './edit/definition.ts'
import { readTool } from './read/definition.ts'
import { writeTool } from './write/definition.ts'
import { ahExamples } from './examples.ts'
import { rememberTexts } from './seen-texts.ts'

const builtIn = [readTool, writeTool, editTool, bashTool]

/**
 * `read`, `write`, `edit`, `bash` and custom tools, over one session. Custom tools are read once, from `tools/*.json` and
 * `.ah/tools/*.json` of the workspace; a later one replaces its namesake, built-in tools included. What was wrong with them comes with
 * the first result, as a note and as `details.customToolWarnings`.
 */
export async function createAhToolset(session: Session, options: Pick<ToolsetOptions, 'only' | 'rename'> = {}): Promise<Toolset> {
  rememberTexts(session)
  const custom = await loadCustomTools(
    session,
    builtIn.map(tool => tool.name),
  )
  const tools = [...builtIn.filter(tool => !custom.tools.has(tool.name)), ...custom.tools.values()]
  const toolset = createToolset(session, withExamples(tools, ahExamples), options)
  return custom.warnings.length === 0 ? toolset : telling(toolset, custom.warnings)
}

function telling(toolset: Toolset, warnings: readonly string[]): Toolset {
  let isTold = false
  return {
    ...toolset,
    async call(name, args, context) {
      const result = await toolset.call(name, args, context)
      if (isTold) return result
      isTold = true
      const notes = warnings.map(warning => `Note: ${warning}`).join('\n')
      return {
        ...result,
        content: [...result.content, { type: 'text', text: notes }],
        details: { ...result.details, customToolWarnings: warnings },
      }
    },
  }
}
