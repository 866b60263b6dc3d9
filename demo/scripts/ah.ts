// The task with `ah`: edits name text that is there exactly once. A stale one names text that is there no longer.

import { rowOf } from './rows.ts'
import { seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  checkCommand,
  findCommand,
  limitsPath,
  listTestsCommand,
  personStep,
  readMaxLines,
  testPath,
  testText,
  thoughts,
  verifyCommand,
  withFiveThousand,
} from './task.ts'

export const ahSteps: readonly SessionStep[] = [
  {
    actor: 'agent',
    id: 'find',
    thought: thoughts.find,
    tool: 'bash',
    args: () => ({ command: findCommand }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'read',
    thought: 'Read from the first of them to the line below the second, with line numbers.',
    tool: 'read',
    args: seen => {
      const found = seenText(seen, 'find')
      const first = rowOf(found, 'grep', readMaxLines).lineNumber
      return { path: limitsPath, offset: first, limit: rowOf(found, 'grep', bashMaxLines).lineNumber - first + 2 }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-read',
    thought: 'Change the limit of read. The line is in the file only once, so its text says where it is.',
    tool: 'edit',
    args: seen => lineEdit(seen, 'read', readMaxLines),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'check',
    thought: 'Check it in the shell, which sees the same files.',
    tool: 'bash',
    args: () => ({ command: checkCommand }),
    expects: 'success',
  },
  personStep,
  {
    actor: 'agent',
    id: 'edit-stale',
    thought: thoughts.stale,
    tool: 'edit',
    args: seen => {
      const shown = seenText(seen, 'read')
      const [lines, bytes] = [rowOf(shown, 'numbered', bashMaxLines).text, rowOf(shown, 'numbered', bashMaxBytes).text]
      return { path: limitsPath, old_string: `${lines}\n${bytes}`, new_string: `${withFiveThousand(lines)}\n${bytes}` }
    },
    expects: 'refusal',
  },
  {
    actor: 'agent',
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read',
    args: seen => {
      const { lineNumber } = rowOf(seenText(seen, 'read'), 'numbered', bashMaxLines)
      return { path: limitsPath, offset: lineNumber, limit: 2 }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-bash',
    thought: 'Change only the line that is meant. What the person saved stays.',
    tool: 'edit',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'tests',
    thought: thoughts.tests,
    tool: 'bash',
    args: () => ({ command: listTestsCommand }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'write',
    thought: thoughts.write,
    tool: 'write',
    args: () => ({ path: testPath, content: testText }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'verify',
    thought: thoughts.verify,
    tool: 'bash',
    args: () => ({ command: verifyCommand }),
    expects: 'success',
  },
]

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const { text } = rowOf(seenText(seen, id), 'numbered', pattern)
  return { path: limitsPath, old_string: text, new_string: withFiveThousand(text) }
}
