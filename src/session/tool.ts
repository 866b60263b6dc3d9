// A tool is one definition block: name, description, arguments, hints and what it does. Everything a host or a model is told about it
// is generated from here.

import type { ArgumentSchema } from '../core/schema.ts'
import type { ToolAnnotations, ToolExample, ToolResult, ToolUpdate } from '../core/tool.ts'
import type { Session } from './session.ts'

/** What one call brings along. */
export interface ToolCall {
  readonly session: Session
  /** Aborts when the caller aborts or the session is closed. */
  readonly signal: AbortSignal
  readonly onUpdate: (update: ToolUpdate) => void
}

/** What a run returns; the toolset adds the rest of a {@link ToolResult}. */
export type ToolOutcome = Pick<ToolResult, 'content' | 'details'> & Partial<Pick<ToolResult, 'isError' | 'structuredContent'>>

export interface Tool<Args> {
  readonly name: string
  /** Written for the model, from what is enforced: limits and the shell's abilities are quoted, never guessed. */
  readonly describe: (session: Session) => string
  readonly input: ArgumentSchema<Args>
  readonly annotations: ToolAnnotations
  readonly executionMode: 'parallel' | 'sequential'
  /** Run as tests. Tools that a workspace brings along have none. */
  readonly examples?: readonly ToolExample[]
  /** It touches no file and no shell, so a policy judges its calls by the tool alone. */
  readonly isSessionOnly?: boolean
  /** Throws `ToolError` for what the model can mend. */
  readonly run: (args: Args, call: ToolCall) => Promise<ToolOutcome>
}

/** A tool whose argument type is no longer visible, so that tools of different arguments fit one list. */
export interface AnyTool extends Omit<Tool<never>, 'input' | 'run'> {
  readonly inputSchema: ArgumentSchema<unknown>['jsonSchema']
  readonly prepare: (input: unknown) => PreparedCall
}

export type PreparedCall =
  | { readonly kind: 'ready'; readonly warnings: readonly string[]; readonly run: (call: ToolCall) => Promise<ToolOutcome> }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

export function defineTool<Args>(tool: Tool<Args>): AnyTool {
  const { input, run, ...shown } = tool
  return {
    ...shown,
    inputSchema: input.jsonSchema,
    prepare(raw) {
      const parsed = input.parse(raw)
      if (parsed.kind === 'invalid') return parsed
      return { kind: 'ready', warnings: parsed.warnings, run: call => run(parsed.value, call) }
    },
  }
}

/** The examples of a toolset by the own names of its tools. */
export type ToolExamples = Readonly<Record<string, readonly ToolExample[]>>

/** Examples need the other tools of their toolset, so they stand together in a file of their own. */
export function withExamples(tools: readonly AnyTool[], examples: ToolExamples): readonly AnyTool[] {
  return tools.map(tool => (Object.hasOwn(examples, tool.name) ? { ...tool, examples: examples[tool.name] ?? [] } : tool))
}

/** One block of text, the usual content of a result. */
export function textContent(text: string): ToolOutcome['content'] {
  return [{ type: 'text', text }]
}
