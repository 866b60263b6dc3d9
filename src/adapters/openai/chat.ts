// Chat Completions: a tool's answer is a text there, so images are named and errors say that they are errors.

import { callAdapted, parseJsonArguments, resultAsText, type AdapterOptions } from '../../core/adapted-call.ts'
import type { JsonSchema, Toolset } from '../../core/tool.ts'

/** What is needed of the runner that `runTools` gives: how to see that it was aborted. */
export interface OpenaiRunner {
  readonly controller: { readonly signal: AbortSignal }
}

/** A tool as `runTools` takes it. */
export interface OpenaiTool {
  type: 'function'
  function: {
    name: string
    description: string
    /** Not strict: strict mode takes no optional arguments. */
    parameters: JsonSchema
    strict: false
    function(args: string, runner: OpenaiRunner): Promise<string>
  }
}

/**
 * Tools for `client.chat.completions.runTools({ tools })`. Aborting the runner ends the calls under way.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { openaiTools } from 'anchorage/adapters/openai'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = openaiTools(await workspace.toolset('atomic'))
 * // client.chat.completions.runTools({ model, messages, tools })
 */
export function openaiTools(tools: Toolset, options: AdapterOptions = {}): OpenaiTool[] {
  return tools.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: inputSchema,
      strict: false,
      async function(args, { controller: { signal } }) {
        return resultAsText(await callAdapted(tools, name, parseJsonArguments(args), { signal }, options))
      },
    },
  }))
}
