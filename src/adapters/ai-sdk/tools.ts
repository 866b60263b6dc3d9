// Tools for `generateText`, `streamText` and agents of the AI SDK, versions 6 and 7. Progress is reported in the SDK's way:
// `execute` is an async generator.

import { adapterOptions, callAdapted, nonEmptyContent, toolsOf, type AdapterOptions } from '../../core/adapted-call.ts'
import { standardSchema, type StandardToolSchema } from '../../core/standard-schema.ts'
import { textOf } from '../../core/text-of.ts'
import type { ContentBlock, ToolDefinition, ToolResult, Toolset } from '../../core/tool.ts'
import { UpdateQueue } from './update-queue.ts'

/** Options of `aiSdkTools`. */
export interface AiSdkOptions extends AdapterOptions {
  /**
   * The version that determines the form of images for the model. By default it is detected when a tool is called. Set it if
   * messages of an earlier page are converted before any call.
   */
  readonly version?: 6 | 7 | undefined
  /**
   * Makes the SDK ask before it runs a tool that can change something, in version 6 and in interfaces that read `needsApproval`. In version
   * 7 pass `toolApproval(tools)` to the call instead. The workspace's policy can ask too, with the diff; use only one of the two.
   */
  readonly needsApproval?: boolean | undefined
}

/** The SDK's arguments for `execute`. */
export interface AiSdkCallOptions {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal | undefined
}

/** The values that a tool yields: its output so far, and finally its result. They are JSON, so they can be stored in a UI message. */
export type AiSdkOutput = Pick<ToolResult, 'isError' | 'content' | 'details' | 'structuredContent'>

/** The output as the model sees it. The parts of `content` have a type that fits both version 6 and version 7, which differ for images. */
export type AiSdkModelOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: never[] }

/** A tool in the AI SDK's form (`dynamicTool`). */
export interface AiSdkTool {
  readonly type: 'dynamic'
  readonly description: string
  readonly inputSchema: StandardToolSchema
  readonly needsApproval?: boolean
  execute(input: unknown, options: AiSdkCallOptions): AsyncIterable<AiSdkOutput>
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput
}

/**
 * Tools for `generateText({ tools })`, `streamText` and agents of the AI SDK, by name.
 *
 * The toolset repairs arguments and words errors; an error reaches the model as `error-text`. Aborting the call's `abortSignal`
 * ends the tool. The output of a call is a `ToolResult`, so a page can show `details` from the tool part of a UI message.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { aiSdkTools } from 'anchorage/adapters/ai-sdk'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const tools = aiSdkTools(await workspace.toolset('atomic'))
 * // generateText({ model, tools, prompt })
 */
export function aiSdkTools(tools: Toolset, options: AiSdkOptions = {}): Record<string, AiSdkTool> {
  const definitions = toolsOf('aiSdkTools', tools, options, { ...adapterOptions, version: 1, needsApproval: 1 })
  const format = new ImageFormat(options.version)
  return Object.fromEntries(definitions.map(definition => [definition.name, toolOf(definition, tools, options, format)]))
}

/**
 * Which tools need approval, for `generateText({ toolApproval })` of version 7: a person approves the tools that can change
 * something; the others need no approval. Overwrite single entries to change this.
 */
export function toolApproval(tools: Toolset): Record<string, 'user-approval' | 'not-applicable'> {
  return Object.fromEntries(
    toolsOf('toolApproval', tools, undefined, {}).map(({ name, annotations }) => [
      name,
      annotations.readOnlyHint ? 'not-applicable' : 'user-approval',
    ]),
  )
}

function toolOf(
  { name, description, inputSchema, annotations }: ToolDefinition,
  tools: Toolset,
  options: AiSdkOptions,
  format: ImageFormat,
): AiSdkTool {
  return {
    type: 'dynamic',
    description,
    inputSchema: standardSchema(inputSchema),
    ...(options.needsApproval === true ? { needsApproval: !annotations.readOnlyHint } : {}),
    async *execute(input, call) {
      format.see(call)
      const { toolCallId, abortSignal } = call
      const queue = new UpdateQueue(onUpdate =>
        callAdapted(tools, name, input, { signal: abortSignal, callId: toolCallId, onUpdate }, options),
      )
      for await (const update of queue.updates()) yield { isError: false, ...update }
      yield await queue.result
    },
    toModelOutput: ({ output }) => modelOutput(output as AiSdkOutput, format),
  }
}

function modelOutput({ isError, content }: AiSdkOutput, format: ImageFormat): AiSdkModelOutput {
  const blocks = nonEmptyContent(content)
  if (isError) return { type: 'error-text', value: textOf({ content: blocks }) }
  if (blocks.every(({ type }) => type === 'text')) return { type: 'text', value: textOf({ content: blocks }) }
  return { type: 'content', value: blocks.map(block => format.part(block) as never) }
}

/** Version 7 takes files with tagged data. Version 6 does not support them, and version 7 warns about the older form. */
class ImageFormat {
  #version: 6 | 7 | undefined
  readonly #isFixed: boolean

  constructor(version: 6 | 7 | undefined) {
    this.#version = version
    this.#isFixed = version !== undefined
  }

  /** Version 6 passes `experimental_context`, and version 7 passes `context`. */
  see(call: object): void {
    if (!this.#isFixed) this.#version = 'experimental_context' in call && !('context' in call) ? 6 : 7
  }

  part(block: ContentBlock): object {
    if (block.type === 'text') return { type: 'text', text: block.text }
    const { data, mimeType: mediaType } = block
    return this.#version === 6
      ? { type: 'image-data', mediaType, data }
      : { type: 'file', mediaType, data: { type: 'data', data } }
  }
}
