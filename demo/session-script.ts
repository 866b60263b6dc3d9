// A short session as a model would hold it, played on this project's own sources. Every argument is computed from the
// results seen so far, as a model has to. No DOM here: the page, Node and workerd play the same steps.

import type { CallContext, Toolset, ToolResult, Vfs } from 'anchorage'
import { findRow, readSections, type ResultSection } from './read-result.ts'

/** The results of the agent's calls so far, by step id, as text. */
export type SeenResults = ReadonlyMap<string, string>

/** A tool call of the agent. */
export interface AgentStep {
  readonly actor: 'agent'
  readonly id: string
  /** Why the agent does it. */
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

export type StepOutcome =
  | { readonly kind: 'called'; readonly step: AgentStep; readonly args: Record<string, unknown>; readonly result: ToolResult }
  | { readonly kind: 'saved'; readonly step: PersonStep; readonly before: string; readonly after: string }

/** What a step needs: the public API, or something that stands in front of it and takes notes. */
export interface SessionHands {
  readonly tools: Pick<Toolset, 'call'>
  readonly fs: Pick<Vfs, 'readText' | 'writeFile'>
  readonly root: string
}

/** What the agent was asked to do. */
export const task = 'Let read and bash show 5,000 lines at once instead of 3,000, and hold them together with a test.'

/** The file that the session changes, and the one that it writes. */
export const limitsPath = 'src/core/limits.ts'
export const testPath = 'src/core/equal-limits.test.ts'

export const testText = `import { expect, test } from 'vitest'
import { defaultLimits } from './limits.ts'

test('read and bash show equally many lines', () => {
  expect(defaultLimits.bashMaxLines).toBe(defaultLimits.readMaxLines)
})
`

const readMaxLines = /^\s*readMaxLines: [\d_]+,$/
const bashMaxLines = /^\s*bashMaxLines: [\d_]+,$/
const bashMaxBytes = /^\s*bashMaxBytes: [^,]+,$/

export const steps: readonly SessionStep[] = [
  {
    actor: 'agent',
    id: 'search',
    thought: 'Find where both limits are set.',
    tool: 'search',
    args: () => ({ pattern: '\\b(read|bash)MaxLines:', paths: 'src' }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'read',
    thought: 'Read the lines around them. The header carries a tag of the file as it is now.',
    tool: 'read',
    args: seen => {
      const file = seenFile(seen, 'search')
      return { path: `${file.path}:${findRow(file, readMaxLines).lineNumber}-${findRow(file, bashMaxLines).lineNumber + 1}` }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-read',
    thought: 'Change the limit of read, anchored to the tag and the line number just seen.',
    tool: 'edit',
    args: seen => {
      const file = seenFile(seen, 'read')
      const row = findRow(file, readMaxLines)
      return { input: `${file.header}\nreplace ${row.lineNumber}..${row.lineNumber}:\n+${withFiveThousand(row.text)}\n` }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'check',
    thought: 'Check it in the shell, which sees the same files.',
    tool: 'bash',
    args: seen => {
      const { path } = seenFile(seen, 'read')
      return { command: `grep -n 'MaxLines: [0-9]' ${path} && wc -l ${path}` }
    },
    expects: 'success',
  },
  {
    actor: 'person',
    id: 'person',
    thought: 'Meanwhile a person raises bashMaxBytes in the same file and saves.',
    path: limitsPath,
    change: text => text.replace(/^(\s*bashMaxBytes: )[^,\n]+,$/m, '$1256 * 1024,'),
  },
  {
    actor: 'agent',
    id: 'edit-stale',
    thought: 'The agent knows nothing of that. It rewrites both lines of bash, still under its own tag, and is refused.',
    tool: 'edit',
    args: seen => {
      const { header } = seenFile(seen, 'edit-read')
      const before = seenFile(seen, 'read')
      const lines = findRow(before, bashMaxLines)
      const bytes = findRow(before, bashMaxBytes)
      return {
        input: `${header}\nreplace ${lines.lineNumber}..${bytes.lineNumber}:\n+${withFiveThousand(lines.text)}\n+${bytes.text}\n`,
      }
    },
    expects: 'refusal',
  },
  {
    actor: 'agent',
    id: 'read-again',
    thought: 'Nothing was overwritten. Read again: the saved change is there, under a new tag.',
    tool: 'read',
    args: seen => {
      const row = findRow(seenFile(seen, 'read'), bashMaxLines)
      return { path: `${seenFile(seen, 'read').path}:${row.lineNumber}-${row.lineNumber + 1}` }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-bash',
    thought: 'Change only the line that is meant. What the person saved stays.',
    tool: 'edit',
    args: seen => {
      const file = seenFile(seen, 'read-again')
      const row = findRow(file, bashMaxLines)
      return { input: `${file.header}\nreplace ${row.lineNumber}..${row.lineNumber}:\n+${withFiveThousand(row.text)}\n` }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'find',
    thought: 'Look where tests live.',
    tool: 'find',
    args: () => ({ paths: ['src/core/*.test.ts'] }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'write',
    thought: 'Write the test beside the others.',
    tool: 'write',
    args: () => ({ path: testPath, content: testText }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'final-check',
    thought: 'Check everything once more.',
    tool: 'bash',
    args: () => ({ command: `grep -n 'Max\\(Lines\\|Bytes\\): [0-9]' ${limitsPath} && wc -l ${testPath}` }),
    expects: 'success',
  },
]

/** Plays one step and adds what the agent saw to `seen`. Rejects on abort and on bugs, as the calls do. */
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

/** Plays the whole session. Throws when a step does not end as it says it will. */
export async function runSession(hands: SessionHands, onStep?: (outcome: StepOutcome) => void): Promise<void> {
  const seen = new Map<string, string>()
  for (const step of steps) {
    const outcome = await playStep(step, hands, seen)
    onStep?.(outcome)
    const surprise = surpriseOf(outcome)
    if (surprise !== undefined) throw new Error(surprise)
  }
}

/** Says what is wrong when a step did not end as it should have; `undefined` when it did. */
export function surpriseOf(outcome: StepOutcome): string | undefined {
  if (outcome.kind === 'saved') return undefined
  const { step, result } = outcome
  if (result.isError === (step.expects === 'refusal')) return undefined
  const ended = result.isError ? 'was refused' : 'succeeded'
  return `The step "${step.id}" ${ended}, but should have ended in ${step.expects}:\n${textOf(result)}`
}

/** Everything in a result that is text, as the model sees it. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** The file with the limits in the result of `id`: the one whose shown path ends with it. */
function seenFile(seen: SeenResults, id: string): ResultSection {
  const text = seen.get(id)
  if (text === undefined) throw new Error(`The step "${id}" comes first: its result is needed.`)
  const section = readSections(text).find(candidate => candidate.path === limitsPath)
  if (section === undefined) throw new Error(`The result of "${id}" does not show ${limitsPath}:\n${text}`)
  return section
}

function withFiveThousand(line: string): string {
  return line.replace(/[\d_]+,$/, '5000,')
}
