// The steps of a scripted session. Every argument is computed from the results seen so far, as a model does.

import type { CallContext, Toolset, ToolResult, Vfs } from 'anchorage'

/** The results of the agent's calls so far, by step id, as text. */
export type SeenResults = ReadonlyMap<string, string>

/** A tool call of the agent. */
export interface AgentStep {
  readonly actor: 'agent'
  readonly id: string
  /** The agent's reason for the call. */
  readonly thought: string
  readonly tool: string
  readonly args: (seen: SeenResults) => Record<string, unknown>
  readonly expects: 'success' | 'refusal'
}

/** A change that somebody else makes while the agent works. */
export interface PersonStep {
  readonly actor: 'person'
  readonly id: string
  readonly thought: string
  /** Relative to the workspace's root. */
  readonly path: string
  readonly change: (text: string) => string
}

export type SessionStep = AgentStep | PersonStep

type Call = Omit<AgentStep, 'actor' | 'expects'>

/** A call that works. */
export const call = (step: Call): AgentStep => ({ actor: 'agent', ...step, expects: 'success' })

/** A call that is refused, with an error that tells the agent the next step. */
export const refusedCall = (step: Call): AgentStep => ({ actor: 'agent', ...step, expects: 'refusal' })

export type StepOutcome =
  | { readonly kind: 'called'; readonly step: AgentStep; readonly args: Record<string, unknown>; readonly result: ToolResult }
  | { readonly kind: 'saved'; readonly step: PersonStep; readonly before: string; readonly after: string }

/** The interface that a step needs: the public API, or a recorder in front of it. */
export interface SessionHands {
  readonly tools: Pick<Toolset, 'call'>
  readonly fs: Pick<Vfs, 'readText' | 'writeFile'>
  readonly root: string
}

/** Plays one step and adds its result to `seen`. Rejects on abort and on bugs, as the calls do. */
export async function playStep(
  step: SessionStep,
  hands: SessionHands,
  seen: Map<string, string>,
  context?: CallContext,
): Promise<StepOutcome> {
  if (step.actor === 'person') {
    const path = `${hands.root}/${step.path}`
    const before = await hands.fs.readText(path)
    const after = step.change(before)
    if (after === before) throw new Error(`${step.path} holds nothing that the step "${step.id}" could change.`)
    await hands.fs.writeFile(path, after)
    return { kind: 'saved', step, before, after }
  }
  const args = step.args(seen)
  const result = await hands.tools.call(step.tool, args, context)
  seen.set(step.id, textOf(result))
  return { kind: 'called', step, args, result }
}

/** Plays a whole session. Throws when a step does not end as it says it will. */
export async function runSession(
  steps: readonly SessionStep[],
  hands: SessionHands,
  onStep?: (outcome: StepOutcome) => void,
): Promise<void> {
  const seen = new Map<string, string>()
  for (const step of steps) {
    const outcome = await playStep(step, hands, seen)
    onStep?.(outcome)
    const surprise = surpriseOf(outcome)
    if (surprise !== undefined) throw new Error(surprise)
  }
}

/** The problem when a step did not end as expected; otherwise `undefined`. */
export function surpriseOf(outcome: StepOutcome): string | undefined {
  if (outcome.kind === 'saved') return undefined
  const { step, result } = outcome
  if (result.isError === (step.expects === 'refusal')) return undefined
  const ended = result.isError ? 'was refused' : 'succeeded'
  return `The step "${step.id}" ${ended}, but should have ended in ${step.expects}:\n${textOf(result)}`
}

/** The text blocks of a result, as the model sees them. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** The result of the step `id`. Throws when the step was not played. */
export function seenText(seen: SeenResults, id: string): string {
  const text = seen.get(id)
  if (text === undefined) throw new Error(`The step "${id}" comes first: its result is needed.`)
  return text
}
