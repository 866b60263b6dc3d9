// `anchorage/adapters/openai-agents`: tools for OpenAI's Agents SDK. Nothing of the SDK is imported, because function tools are
// plain objects.

import {
  adapterOptions,
  callAdapted,
  parseJsonArguments,
  resultAsBlocks,
  toolsOf,
  type AdapterOptions,
} from '../../core/adapted-call.ts'
import type { ToolResult, Toolset } from '../../core/tool.ts'

export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'

/** Options of `agentTools`. */
export interface AgentToolOptions extends AdapterOptions {
  /**
   * Makes the SDK interrupt a run before a tool that can change something. The workspace's policy can ask too, with the diff; use
   * only one of the two.
   */
  readonly needsApproval?: boolean | undefined
}

/** The SDK's context of a call. */
export interface AgentCallDetails {
  readonly toolCall?: { readonly callId: string }
  readonly signal?: AbortSignal
}

/** A part of an answer with images. */
export type AgentToolOutput = { type: 'text'; text: string } | { type: 'image'; image: { data: string; mediaType: string } }

/** A tool's arguments, as the Agents SDK types them. */
export interface AgentParameters {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: boolean
}

/** A tool for `new Agent({ tools })` (`FunctionTool`). */
export interface AgentTool {
  type: 'function'
  name: string
  description: string
  parameters: AgentParameters
  /** Strict mode does not allow optional arguments. */
  strict: false
  invoke(runContext: unknown, input: string, details?: AgentCallDetails): Promise<string | AgentToolOutput[]>
  needsApproval(): Promise<boolean>
  isEnabled(): Promise<boolean>
}

/**
 * Tools for `new Agent({ tools })`. Aborting a run ends its calls. An error reaches the model as text, because the SDK has no
 * flag for errors.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { agentTools } from 'anchorage/adapters/openai-agents'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = agentTools(await workspace.toolset('atomic'))
 * // new Agent({ name: 'Coder', tools })
 */
export function agentTools(tools: Toolset, options: AgentToolOptions = {}): AgentTool[] {
  return toolsOf('agentTools', tools, options, { ...adapterOptions, needsApproval: 1 }).map(
    ({ name, description, inputSchema, annotations }) => ({
      type: 'function',
      name,
      description,
      parameters: structuredClone(inputSchema) as unknown as AgentParameters,
      strict: false,
      async invoke(_runContext, input, { toolCall, signal } = {}) {
        const call = { signal, callId: toolCall?.callId }
        return outputOf(await callAdapted(tools, name, parseJsonArguments(input), call, options))
      },
      needsApproval: () => Promise.resolve(options.needsApproval === true && !annotations.readOnlyHint),
      isEnabled: () => Promise.resolve(true),
    }),
  )
}

function outputOf(result: ToolResult): string | AgentToolOutput[] {
  return resultAsBlocks<AgentToolOutput>(result, block =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'image', image: { data: block.data, mediaType: block.mimeType } },
  )
}
