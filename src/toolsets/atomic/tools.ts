// Hashline edits and the five tools around them. `read` is loaded with the definitions; the code of the others is loaded on their first
// call.

import type { Session } from '../../session/session.ts'
import type { CommonToolsetOptions } from '../../session/toolset.ts'
import type { ToolsetTools } from '../../session/toolset-manifest.ts'
import { createBashTool } from './bash/definition.ts'
import { createEditTool } from './edit/definition.ts'
import { editSettings } from './edit/settings.ts'
import { findTool } from './find/definition.ts'
import { atomicExamples } from './examples.ts'
import { atomic } from './manifest.ts'
import type { AtomicOptions } from './options.ts'
import { readTool } from './read/definition.ts'
import { createSearchTool } from './search/definition.ts'
import { searchSettings } from './search/settings.ts'
import { writeTool } from './write/definition.ts'

export async function createTools(_session: Session, options: AtomicOptions & CommonToolsetOptions): Promise<ToolsetTools> {
  const available = atomic.tools.filter(name => options.only?.includes(name) ?? true)
  const shownNames = new Map(available.map((name): [string, string] => [name, options.rename?.[name] ?? name]))
  // Few hosts use it, so its rules are loaded for those only.
  const interceptor =
    options.bashInterceptor?.enabled === true
      ? (await import('./bash/interceptor.ts')).createInterceptor(options.bashInterceptor, shownNames)
      : async () => undefined
  const tools = [
    readTool,
    writeTool,
    createEditTool(editSettings(options.edit)),
    createBashTool(interceptor, options.async ?? true),
    findTool,
    createSearchTool(searchSettings(options.search)),
  ]
  return { tools, examples: atomicExamples }
}
