// Four tools for paths and texts, and the custom tools of the workspace.

import type { Session } from '../../session/session.ts'
import type { ToolsetTools } from '../../session/toolset-manifest.ts'
import { bashTool } from './bash/definition.ts'
import { loadCustomTools } from './custom/load.ts'
import { createEditTool } from './edit/definition.ts'
import { ahExamples } from './examples.ts'
import { createReadTool } from './read/definition.ts'
import { createAhState } from './state.ts'
import { createWriteTool } from './write/definition.ts'

/**
 * Custom tools are read once, from `tools/*.json` and `.ah/tools/*.json` of the workspace; a later one replaces an earlier one of the same
 * name, and built-in tools too. Problems with them are reported with the first result, as a note and as `details.customToolWarnings`.
 */
export async function createTools(session: Session): Promise<ToolsetTools> {
  const state = createAhState(session)
  const builtIn = [createReadTool(state), createWriteTool(state), createEditTool(state), bashTool]
  const builtInNames = builtIn.map(tool => tool.name)
  const { tools: custom, warnings } = await loadCustomTools(session, builtInNames)
  return {
    tools: [...builtIn.filter(tool => !custom.has(tool.name)), ...custom.values()],
    examples: ahExamples,
    ...(warnings.length === 0 ? {} : { openingNotes: { name: 'customToolWarnings', notes: warnings } }),
  }
}
