// The ah toolset: four plain tools over paths and text. Source: spec ah-rye-agsh-ecs §1; the seed document on ah.

import type { Toolset } from '../../core/tool.ts'
import type { Session } from '../../session/session.ts'
import { createToolset, type ToolsetOptions } from '../../session/toolset.ts'
import { bashTool } from './bash/definition.ts'
import { editTool } from './edit/definition.ts'
import { readTool } from './read/definition.ts'
import { writeTool } from './write/definition.ts'

/** `read`, `write`, `edit` and `bash`, over one session. */
export function createAhToolset(session: Session, options: Pick<ToolsetOptions, 'only' | 'rename'> = {}): Toolset {
  return createToolset(session, [readTool, writeTool, editTool, bashTool], options)
}
