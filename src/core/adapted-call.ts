// The common part of all adapters: they pass on the caller and the abort signal, and give the host the data that the SDK cannot carry.

import { checkOptions, type OptionNames } from './argument.ts'
import { checkMember } from './errors.ts'
import { defined } from './record.ts'
import { textOf } from './text-of.ts'
import type { ContentBlock, ToolResult, ToolUpdate, Toolset } from './tool.ts'

/** The call that an update or a result belongs to. */
export interface AdaptedCall {
  readonly name: string
  /** The SDK's ID of the call; missing if the SDK does not provide one. */
  readonly callId?: string
}

/** Options of every adapter. */
export interface AdapterOptions {
  /** The turn that calls belong to, for history and approvals. A function is called for each call. */
  readonly turn?: string | (() => string | undefined) | undefined
  /** Receives the output of a call while it runs, in addition to the SDK's handling of it. */
  readonly onUpdate?: ((update: ToolUpdate, call: AdaptedCall) => void) | undefined
  /** Receives each result with its `details` (diff, exit code, changed files), which most SDKs drop. */
  readonly onResult?: ((result: ToolResult, call: AdaptedCall) => void) | undefined
}

export const adapterOptions: OptionNames<AdapterOptions> = { turn: 1, onUpdate: 1, onResult: 1 }

/** What an SDK passes with a call. */
export interface SdkCall {
  readonly signal?: AbortSignal | null | undefined
  readonly callId?: string | undefined
  readonly onUpdate?: ((update: ToolUpdate) => void) | undefined
}

/** The definitions of a toolset. Throws `wrong-argument` for anything else, such as a promise of a toolset, and for wrong options. */
export function toolsOf<Options extends object>(
  caller: string,
  toolset: Toolset,
  options: Options | undefined,
  known: OptionNames<Options>,
): Toolset['tools'] {
  checkOptions(caller, options, known)
  checkMember(caller, toolset, 'tools', "a toolset, such as await workspace.toolset('atomic')")
  return toolset.tools
}

/** Throws `wrong-argument` for anything but a workspace. */
export function checkWorkspace(caller: string, workspace: unknown): void {
  checkMember(caller, workspace, 'toolset', 'a workspace, such as await createWorkspace({ fs })')
}

/** Calls a tool for an SDK. Rejects as `Toolset.call` does: on abort, and on bugs. */
export async function callAdapted(
  tools: Toolset,
  name: string,
  args: unknown,
  { signal, callId, onUpdate }: SdkCall,
  { turn, onUpdate: hostUpdate, onResult }: AdapterOptions,
): Promise<ToolResult> {
  const call: AdaptedCall = { name, ...defined({ callId }) }
  const result = await tools.call(name, args, {
    signal: signal ?? undefined,
    callId,
    turn: typeof turn === 'function' ? turn() : turn,
    onUpdate(update) {
      hostUpdate?.(update, call)
      onUpdate?.(update)
    },
  })
  onResult?.(result, call)
  return result
}

/**
 * Parses the arguments of a call that were sent as JSON text. Text that is not JSON is passed on unchanged: the toolset refuses it with a
 * text that tells the model what was expected.
 */
export function parseJsonArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Adds a text if there is none, because some APIs refuse a block without text. */
export function nonEmptyContent(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const kept = content.filter(block => block.type === 'image' || block.text !== '')
  return kept.length === 0 ? [{ type: 'text', text: '(no output)' }] : kept
}

/** A result for an interface that accepts only text: images are named, and an error is marked as one. */
export function resultAsText({ isError, content }: Pick<ToolResult, 'isError' | 'content'>): string {
  const lines = nonEmptyContent(content).map(block =>
    block.type === 'text' ? block.text : `(an image, ${block.mimeType}, which cannot be shown here)`,
  )
  const text = lines.join('\n')
  return isError ? asErrorText(text) : text
}

/** For interfaces without an error flag. */
function asErrorText(text: string): string {
  return /^error\b/i.test(text) ? text : `Error: ${text}`
}

/** The end of an update's text, for progress messages to users. */
export function progressText(update: Pick<ToolUpdate, 'content'>): string {
  return textOf(update).slice(-progressCharacters)
}

const progressCharacters = 2000

/**
 * The content of a result for a model: text if there is nothing else, otherwise blocks in the format of the SDK. A failed call is
 * marked in the text, because the SDK has no flag for it.
 */
export function resultAsBlocks<T>({ isError, content }: ToolResult, blockOf: (block: ContentBlock) => T): string | T[] {
  const blocks = nonEmptyContent(content)
  const text = textOf({ content: blocks })
  if (isError) return asErrorText(text)
  return blocks.every(({ type }) => type === 'text') ? text : blocks.map(blockOf)
}
