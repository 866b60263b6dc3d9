// Chat Completions: a tool's answer is plain text, so images are replaced by a description, and errors are marked in the text.

import {
  adapterOptions,
  callAdapted,
  parseJsonArguments,
  resultAsText,
  toolsOf,
  type AdapterOptions,
} from '../../core/adapted-call.ts'
import type { JsonSchema, Toolset } from '../../core/tool.ts'

/** The required part of the runner that `runTools` returns: its abort signal. */
export interface OpenaiRunner {
  readonly controller: { readonly signal: AbortSignal }
}

/** A tool for `runTools`. */
export interface OpenaiTool {
  type: 'function'
  function: {
    name: string
    description: string
    /** Not strict: strict mode does not allow optional arguments. */
    parameters: JsonSchema
    strict: false
    function(args: string, runner: OpenaiRunner): Promise<string>
  }
}

/**
 * Tools for `client.chat.completions.runTools({ tools })`. Aborting the runner ends its calls.
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
  return toolsOf('openaiTools', tools, options, adapterOptions).map(({ name, description, inputSchema }) => ({
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
