// The task with `rye`: every line has an ID, edits name lines by it, and an edit of a file that changed since is refused.

import { rowOf } from './rows.ts'
import { seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  limitsPath,
  personStep,
  readMaxLines,
  testPath,
  testText,
  thoughts,
  withFiveThousand,
} from './task.ts'

export const ryeSteps: readonly SessionStep[] = [
  {
    actor: 'agent',
    id: 'find',
    thought: thoughts.find,
    tool: 'grep',
    args: () => ({ pattern: '\\b(read|bash)MaxLines: \\d', path: 'src/core', include: '*.ts' }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'read',
    thought: 'Read the lines around them. Each comes with an ID that names it.',
    tool: 'read',
    args: seen => linesAround(seenText(seen, 'find')),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-read',
    thought: 'Change the limit of read by the ID of its line. The answer is a diff, and the IDs are used up.',
    tool: 'edit_lines',
    args: seen => lineEdit(seen, 'read', readMaxLines),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'check',
    thought: 'Read it once more: the change is there, and the lines have IDs again.',
    tool: 'read',
    args: seen => linesAround(seenText(seen, 'find')),
    expects: 'success',
  },
  personStep,
  {
    actor: 'agent',
    id: 'edit-stale',
    thought: thoughts.stale,
    tool: 'edit_lines',
    args: seen => {
      const shown = seenText(seen, 'check')
      const [lines, bytes] = [rowOf(shown, 'line-id', bashMaxLines), rowOf(shown, 'line-id', bashMaxBytes)]
      return {
        file_path: limitsPath,
        changes: [
          {
            start_line_id: lines.name,
            end_line_id: bytes.name,
            new_content: `${withFiveThousand(lines.text)}\n${bytes.text}`,
          },
        ],
      }
    },
    expects: 'refusal',
  },
  {
    actor: 'agent',
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read',
    args: seen => ({ file_path: limitsPath, offset: rowOf(seenText(seen, 'find'), 'grep', bashMaxLines).lineNumber, limit: 2 }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'edit-bash',
    thought: 'Change only the line that is meant. What the person saved stays.',
    tool: 'edit_lines',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'tests',
    thought: thoughts.tests,
    tool: 'glob',
    args: () => ({ pattern: '*.test.ts', path: 'src/core' }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'write',
    thought: thoughts.write,
    tool: 'write',
    args: () => ({ file_path: testPath, content: testText }),
    expects: 'success',
  },
  {
    actor: 'agent',
    id: 'verify',
    thought: thoughts.verify,
    tool: 'grep',
    args: () => ({ pattern: '(Max(Lines|Bytes): \\d)|toBe\\(', path: 'src/core', include: '*limits*.ts' }),
    expects: 'success',
  },
]

function linesAround(found: string): Record<string, unknown> {
  const first = rowOf(found, 'grep', readMaxLines).lineNumber
  return { file_path: limitsPath, offset: first, limit: rowOf(found, 'grep', bashMaxLines).lineNumber - first + 2 }
}

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const { name, text } = rowOf(seenText(seen, id), 'line-id', pattern)
  return { file_path: limitsPath, changes: [{ line_id: name, new_content: withFiveThousand(text) }] }
}
