// Runs tools for a host: finds the tool, reads the arguments, converts errors that the model can correct to a result, and throws
// all others. Every toolset is this function with a list of tool definitions.

import { joinSignals } from '../core/abort.ts'
import type { Actor, Attribution } from '../core/actor.ts'
import { checkCallOptions } from '../core/call-options.ts'
import { AnchorageError, ToolError } from '../core/errors.ts'
import { echoedCharacters, shortened } from '../core/shortened.ts'
import type { Limits } from '../core/limits.ts'
import { defined } from '../core/record.ts'
import type { CallContext, SessionState, Toolset, ToolDefinition, ToolResult } from '../core/tool.ts'
import { isVfsError } from '../vfs/error.ts'
import { enterCall } from './policy/enter-call.ts'
import { policySentences } from './policy/sentences.ts'
import type { Policy } from './policy/policy.ts'
import { sessionOfCall, type Session } from './session.ts'
import { siblingNames, type SiblingNames } from './sibling-names.ts'
import type { WrittenRevisions } from './written-revisions.ts'
import { textContent, type AnyTool, type OpenTool, type ToolOutcome } from './tool.ts'

/** Options of every toolset. Each toolset adds its own options (see its manifest). */
export interface CommonToolsetOptions {
  /**
   * What a write of a whole file does if the file changed since the model last saw it: `note` (the default) writes it and adds a note,
   * `refuse` writes nothing.
   */
  readonly overwrite?: 'note' | 'refuse' | undefined
  /** Offers only these tools, by their original names. */
  readonly only?: readonly string[] | undefined
  /** The actor that calls the tools; default an agent. Included in every change, result and approval. */
  readonly actor?: Actor | undefined
  /**
   * What this actor may do; replaces the workspace's policy. If `approve` or `generatedGuard` is left out, the workspace's is used. Paths
   * that the workspace protects stay protected. Throws `toolset-options` for `protect` and for rules about paths of commands.
   */
  readonly policy?: Policy | undefined
  /** original name → the name that the model sees. */
  readonly rename?: Readonly<Record<string, string>> | undefined
  readonly limits?: Partial<Limits> | undefined
  /** What `Toolset.state()` of an earlier session returned. Files that are unchanged since then count as seen. */
  readonly state?: SessionState | undefined
}

/** Formats errors that the model can correct, for a toolset that requires a form. `toolName` is the name that was called. */
export type RenderFailure = (error: ToolError, toolName: string) => Pick<ToolOutcome, 'content' | 'structuredContent'>

const toolNamePattern = /^[a-z][a-z0-9_]{0,63}$/

interface OpeningOptions {
  /** Whether its tools read stored outputs by their addresses. */
  readonly readsOutputs?: boolean
  /** Notes on the toolset itself in the first result, and in its `details` under this name. */
  readonly openingNotes?: { readonly name: string; readonly notes: readonly string[] } | undefined
}

/** Throws an `AnchorageError` `toolset-options` if an option names a tool that does not exist, or a name that no host accepts. */
export function createToolset(
  session: Session,
  tools: readonly AnyTool[],
  options: Pick<CommonToolsetOptions, 'only' | 'rename'> = {},
  renderFailure: RenderFailure = renderPlainFailure,
  { readsOutputs = false, openingNotes }: OpeningOptions = {},
): Toolset {
  const byShownName = chooseTools(tools, options)
  const closing = new AbortController()
  const ownNames = tools.map(tool => tool.name)
  const siblings = siblingNames(ownNames, new Map([...byShownName].map(([name, tool]) => [tool.name, name])))
  const opened = new Map([...byShownName].map(([name, tool]) => [name, { tool, open: tool.open(session) }]))
  const runner: Runner = { tools: opened, session, renderFailure, siblings }
  let calls = 0
  const definitions = [...opened].map(([name, { tool, open }]): ToolDefinition => {
    const note = siblings.noteFor(open.description)
    return {
      name,
      description: [open.description, ...(note === undefined ? [] : [note]), ...policySentences(session.policy, tool)].join('\n'),
      inputSchema: open.inputSchema,
      annotations: tool.annotations,
      executionMode: tool.executionMode ?? (tool.annotations.readOnlyHint ? 'parallel' : 'sequential'),
      busy: open.busy,
      ...shownExamples(tool, byShownName),
    }
  })
  return {
    tools: definitions,
    async call(name, args, context = {}) {
      await checkCallOptions('call', context)
      closing.signal.throwIfAborted()
      context.signal?.throwIfAborted()
      const { signal, release } = joinSignals([context.signal, closing.signal])
      const startMs = session.clock()
      let written: WrittenRevisions | undefined
      try {
        calls += 1
        const opening = calls === 1 ? openingNotes : undefined
        const ofCall = sessionOfCall(session, { turn: context.turn, callId: context.callId ?? `${session.id}-${calls}` })
        // Tools that only read write no revisions, so the first read does not load the module.
        const isReading = opened.get(name)?.tool.annotations.readOnlyHint !== false
        written = isReading ? undefined : await (await import('./written-revisions.ts')).watchWritten(ofCall)
        const { outcome, warnings } = await runTool({ ...runner, session: ofCall }, name, args, signal, context)
        const extra = { durationMs: session.clock() - startMs, callId: context.callId, by: ofCall.by }
        const told = { ...outcome, details: { ...outcome.details, ...written?.details() } }
        return await bounded(session, name, withOpening(finish(told, warnings, extra), opening), readsOutputs)
      } finally {
        written?.stop()
        release()
      }
    },
    async preview(name, args, options = {}) {
      await checkCallOptions('preview', options)
      closing.signal.throwIfAborted()
      options.signal?.throwIfAborted()
      const { signal, release } = joinSignals([options.signal, closing.signal])
      try {
        const { previewOf } = await import('./preview.ts')
        return await previewOf(byShownName.get(name), session, async (ofCall, view) => {
          return (await runTool({ ...runner, session: ofCall, view }, name, args, signal, {})).outcome
        })
      } finally {
        release()
      }
    },
    async state() {
      const { sessionState } = await import('./session-state.ts')
      const outputs = await session.outputs.keep()
      return sessionState(session, session.limits.stateMaxBytes, session.toolset, outputs)
    },
    async close(options) {
      await checkCallOptions('close', options)
      closing.abort(new AnchorageError('session-closed', 'The session was closed. Open a new one with workspace.toolset().'))
      await session.close(options)
    },
  }
}

/** The examples with the names that the model sees. Examples that need a missing tool are left out. */
function shownExamples(tool: AnyTool, tools: ReadonlyMap<string, AnyTool>): Pick<ToolDefinition, 'examples'> {
  const shownNames = new Map([...tools].map(([name, { name: own }]) => [own, name]))
  const examples = (tool.examples ?? []).flatMap(({ after = [], ...example }) => {
    const renamed = after.flatMap(call => {
      const name = shownNames.get(call.tool)
      return name === undefined ? [] : [{ ...call, tool: name }]
    })
    if (renamed.length < after.length) return []
    return [after.length === 0 ? example : { ...example, after: renamed }]
  })
  return examples.length === 0 ? {} : { examples }
}

function chooseTools(
  tools: readonly AnyTool[],
  { only, rename = {} }: Pick<CommonToolsetOptions, 'only' | 'rename'>,
): ReadonlyMap<string, AnyTool> {
  const known = tools.map(tool => tool.name)
  for (const name of [...(only ?? []), ...Object.keys(rename)]) {
    if (!known.includes(name)) throw new AnchorageError('toolset-options', `Unknown tool "${name}". Tools: ${known.join(', ')}.`)
  }
  const chosen = new Map<string, AnyTool>()
  for (const tool of tools) {
    if (only !== undefined && !only.includes(tool.name)) continue
    const name = Object.hasOwn(rename, tool.name) ? (rename[tool.name] ?? tool.name) : tool.name
    if (!toolNamePattern.test(name))
      throw new AnchorageError('toolset-options', `"${name}" cannot be a tool's name: it must match ${toolNamePattern.source}.`)
    if (chosen.has(name)) throw new AnchorageError('toolset-options', `Two tools would be called "${name}".`)
    chosen.set(name, tool)
  }
  return chosen
}

/** The state that all calls of one toolset share. */
interface Runner {
  readonly tools: ReadonlyMap<string, { readonly tool: AnyTool; readonly open: OpenTool }>
  readonly session: Session
  readonly renderFailure: RenderFailure
  readonly siblings: SiblingNames
  /** Wraps the session for the call of a preview. */
  readonly view?: (session: Session) => Session
}

async function runTool(
  { tools, session, renderFailure, siblings, view }: Runner,
  name: string,
  args: unknown,
  signal: AbortSignal,
  context: CallContext,
): Promise<{ outcome: ToolOutcome; warnings: readonly string[] }> {
  let warnings: readonly string[] = []
  try {
    const found = tools.get(name)
    if (found === undefined) {
      throw new ToolError('unknown-tool', `Unknown tool ${JSON.stringify(shortened(name))}.`, {
        nextStep: `Call one of: ${[...tools.keys()].join(', ')}.`,
      })
    }
    const { tool, open } = found
    const entered = await enterCall(session, tool, {
      by: session.by,
      toolset: session.toolset,
      tool: name,
      arguments: args,
      approve: session.policy.approve,
      allowed: session.allowed,
      signal,
    })
    const prepared = open.prepare(args)
    if (prepared.kind === 'invalid') {
      const advice = tool.annotations.readOnlyHint
        ? undefined
        : (await import('./foreign-arguments.ts')).adviceOnForeignArguments(args, open.inputSchema)
      throw new ToolError('invalid-arguments', `Invalid arguments for ${name}: ${prepared.issues.join('; ')}.`, {
        nextStep: advice ?? `Correct them according to the input schema, and call ${name} again.`,
        details: { issues: prepared.issues },
      })
    }
    warnings = prepared.warnings
    if (view === undefined) await entered.begin()
    const outcome = await prepared.run({
      session: view === undefined ? entered.session : view(entered.session),
      isPreview: view !== undefined,
      signal,
      onUpdate: update => context.onUpdate?.(update),
    })
    return { outcome: withheldNote(outcome, entered.withheld()), warnings }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const failed = await mendable(error, session)
    if (failed === undefined) throw error
    const outcome = {
      isError: true,
      ...named(renderFailure(await withShortEcho(failed, args), shortened(name)), siblings),
      details: { error: { code: failed.code, ...failed.details } },
    }
    return { outcome, warnings }
  }
}

/** A text of this length has at most three times as many bytes in UTF-8. */
function mayExceed({ content, structuredContent }: ToolResult, maxBytes: number): boolean {
  const size = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
  return Math.max(size, structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length) * 3 > maxBytes
}

/** The last step of every result, because a tool may have included any amount of outside data. */
async function bounded(session: Session, name: string, result: ToolResult, readsOutputs: boolean): Promise<ToolResult> {
  const { resultMaxBytes } = session.limits
  if (!mayExceed(result, resultMaxBytes)) return result
  const { boundedContent, boundedObject } = await import('./bounded-result.ts')
  const keep = readsOutputs ? (text: string) => session.outputs.save(`result of ${name}`, text) : undefined
  return {
    ...result,
    content: boundedContent(result.content, resultMaxBytes, keep),
    ...boundedObject(result, resultMaxBytes),
  }
}

async function withShortEcho(error: ToolError, args: unknown): Promise<ToolError> {
  if (error.message.length + (error.nextStep?.length ?? 0) <= echoedCharacters) return error
  const { withoutEcho } = await import('./bounded-result.ts')
  const [message, nextStep] = [withoutEcho(error.message, args), withoutEcho(error.nextStep ?? '', args)]
  return new ToolError(error.code, message, { ...(nextStep === '' ? {} : { nextStep }), details: error.details, cause: error })
}

/** Adds a text block if the error message uses tool names that the model does not know. */
function named(failure: ReturnType<RenderFailure>, { noteFor }: SiblingNames): ReturnType<RenderFailure> {
  const text = failure.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
  const note = noteFor(text)
  return note === undefined ? failure : { ...failure, content: [...failure.content, ...textContent(note)] }
}

/** An error that the model can correct, or a filesystem error that a shell or another port has wrapped. */
async function mendable(error: unknown, { root }: Session): Promise<ToolError | undefined> {
  if (error instanceof ToolError) return error
  const inFiles = error instanceof AnchorageError && isVfsError(error.cause) ? error.cause : error
  if (!isVfsError(inFiles)) return undefined
  const { explainVfsError } = await import('./explain.ts')
  return explainVfsError(inFiles, root)
}

function renderPlainFailure(error: ToolError): Pick<ToolOutcome, 'content'> {
  const lines = [`${error.code}: ${error.message}`, ...(error.nextStep === undefined ? [] : [error.nextStep])]
  return { content: textContent(lines.join('\n')) }
}

/** Adds a note if the policy has left out entries of a listing or a search. */
function withheldNote(outcome: ToolOutcome, withheld: number): ToolOutcome {
  if (withheld === 0) return outcome
  const note = `Note: the policy of this workspace withholds ${withheld} ${withheld === 1 ? 'entry' : 'entries'} here, with all below.`
  return {
    ...outcome,
    content: [...outcome.content, ...textContent(note)],
    details: { ...outcome.details, withheldEntries: withheld },
  }
}

function withOpening(result: ToolResult, opening: OpeningOptions['openingNotes']): ToolResult {
  if (opening === undefined) return result
  const notes = opening.notes.map(note => `Note: ${note}`).join('\n')
  return {
    ...result,
    content: [...result.content, ...textContent(notes)],
    details: { ...result.details, [opening.name]: opening.notes },
  }
}

function finish(
  outcome: ToolOutcome,
  warnings: readonly string[],
  extra: { durationMs: number; callId: string | undefined; by: Attribution },
): ToolResult {
  const notes = warnings.map(warning => `Note: ${warning}`).join('\n')
  return {
    isError: outcome.isError ?? false,
    content: notes === '' ? outcome.content : [...outcome.content, ...textContent(notes)],
    ...(outcome.structuredContent === undefined ? {} : { structuredContent: outcome.structuredContent }),
    details: {
      ...outcome.details,
      durationMs: extra.durationMs,
      by: defined({ ...extra.by }),
      ...(warnings.length === 0 ? {} : { argumentWarnings: warnings }),
      ...(extra.callId === undefined ? {} : { callId: extra.callId }),
    },
  }
}
