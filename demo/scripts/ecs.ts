// The task with `ecs`: a line is named by its number and a tag of its text, so a line that changed is no longer found under its name.

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

export const ecsSteps: readonly SessionStep[] = [
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
    thought: 'Read the lines around them. Each comes with its number and a tag of its text.',
    tool: 'read_file',
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
    thought: 'Change the limit of read, at the number and tag just seen.',
    tool: 'edit_file',
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
    tool: 'edit_file',
    args: seen => {
      const shown = seenText(seen, 'read')
      const [lines, bytes] = [rowOf(shown, 'line-tag', bashMaxLines), rowOf(shown, 'line-tag', bashMaxBytes)]
      return {
        file_path: limitsPath,
        edits_json: [{ op: 'replace', pos: lines.name, end: bytes.name, lines: [withFiveThousand(lines.text), bytes.text] }],
      }
    },
    expects: 'refusal',
  },
  {
    actor: 'agent',
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read_file',
    args: seen => {
      const { lineNumber } = rowOf(seenText(seen, 'read'), 'line-tag', bashMaxLines)
      return { path: limitsPath, offset: lineNumber, limit: 2 }
    },
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-bash',
    thought: 'Change only the line that is meant. What the person saved stays.',
    tool: 'edit_file',
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
    tool: 'write_file',
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
  const { name, text } = rowOf(seenText(seen, id), 'line-tag', pattern)
  return { file_path: limitsPath, edits_json: [{ op: 'replace', pos: name, lines: [withFiveThousand(text)] }] }
}
