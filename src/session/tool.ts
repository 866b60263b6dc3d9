// A tool is defined in one place: name, description, arguments, hints and function. Everything that a host or a model sees is
// generated from the definition.

import type { BusyTime } from '../core/busy-time.ts'
import type { ArgumentSchema } from '../core/schema.ts'
import type { JsonSchema, ToolAnnotations, ToolExample, ToolResult, ToolUpdate } from '../core/tool.ts'
import type { Session } from './session.ts'

/** The context of one call. */
export interface ToolCall {
  readonly session: Session
  /** Aborts when the caller aborts or the session is closed. */
  readonly signal: AbortSignal
  readonly onUpdate: (update: ToolUpdate) => void
  /** Whether the call ends at its commit, and must leave no trace in the session. */
  readonly isPreview?: boolean
}

/** The return value of `run`. The toolset adds the remaining fields of a {@link ToolResult}. */
export type ToolOutcome = Pick<ToolResult, 'content' | 'details'> & Partial<Pick<ToolResult, 'isError' | 'structuredContent'>>

export interface Tool<Args> {
  readonly name: string
  /** Text or lines for the model, made from the values that are enforced, such as limits and the features of the shell. */
  readonly describe: (session: Session) => string | readonly string[]
  /** A function if the description of an argument quotes a limit of the session. */
  readonly input: ArgumentSchema<Args> | ((session: Session) => ArgumentSchema<Args>)
  readonly annotations: ToolAnnotations
  /** Default: parallel for a tool that only reads, otherwise sequential. */
  readonly executionMode?: 'parallel' | 'sequential'
  /** How long a call can keep the thread busy. Default: as long as the longest search. */
  readonly busy?: (session: Session) => BusyTime
  /** Examples, which are run as tests. Tools that a workspace adds have none. */
  readonly examples?: readonly ToolExample[]
  /** Whether it accesses neither files nor a shell, so that a policy decides about its calls by the tool alone. */
  readonly isSessionOnly?: boolean
  /** Throws `ToolError` for an error that the model can correct. */
  readonly run: (args: Args, call: ToolCall) => Promise<ToolOutcome>
}

/** A tool without its argument type, so that tools with different arguments fit one list. */
export interface AnyTool extends Pick<Tool<never>, 'name' | 'annotations' | 'executionMode' | 'examples' | 'isSessionOnly'> {
  /** Another tool whose rules apply to this tool too. */
  readonly judgedAs?: string
  /** Called once for each toolset of a session. */
  readonly open: (session: Session) => OpenTool
}

/** A tool as one session offers it. */
export interface OpenTool {
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly busy: BusyTime
  readonly prepare: (input: unknown) => PreparedCall
}

export type PreparedCall =
  | { readonly kind: 'ready'; readonly warnings: readonly string[]; readonly run: (call: ToolCall) => Promise<ToolOutcome> }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

export function defineTool<Args>(tool: Tool<Args>): AnyTool {
  const { input, run, describe, busy = searchBusyTime, ...shown } = tool
  return {
    ...shown,
    open(session) {
      const schema = typeof input === 'function' ? input(session) : input
      return {
        description: [describe(session)].flat().join('\n'),
        inputSchema: schema.jsonSchema,
        busy: busy(session),
        prepare(raw) {
          const parsed = schema.parse(raw)
          if (parsed.kind === 'invalid') return parsed
          return { kind: 'ready', warnings: parsed.warnings, run: call => run(parsed.value, call) }
        },
      }
    },
  }
}

function searchBusyTime({ limits }: Session): BusyTime {
  return { defaultMs: limits.searchTimeoutMs, minMs: limits.searchTimeoutMs }
}

/** For a tool that runs commands. `unitMs` is the unit of its argument `timeout`. Without a unit, calls cannot set a time limit. */
export function commandBusyTime({ limits }: Session, timeoutMs: number, unitMs?: number): BusyTime {
  const maxMs = limits.bashMaxTimeoutMs
  return {
    defaultMs: Math.min(timeoutMs, maxMs),
    minMs: limits.searchTimeoutMs,
    ...(unitMs === undefined ? {} : { argument: { name: 'timeout', unitMs, maxMs } }),
  }
}

/** The examples of a toolset, by the original names of the tools. */
export type ToolExamples = Readonly<Record<string, readonly ToolExample[]>>

/** Examples use other tools of their toolset, so all are in one file. */
export function withExamples(tools: readonly AnyTool[], examples: ToolExamples): readonly AnyTool[] {
  return tools.map(tool => (Object.hasOwn(examples, tool.name) ? { ...tool, examples: examples[tool.name] ?? [] } : tool))
}

/** Returns one block of text, the usual content of a result. */
export function textContent(text: string): ToolOutcome['content'] {
  return [{ type: 'text', text }]
}
