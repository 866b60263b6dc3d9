// The task with `rye`: every line has an ID, edits name lines by it, and an edit of a file that changed since is refused.

import { rowOf } from './rows.ts'
import { call, refusedCall, seenText, type SeenResults, type SessionStep } from './step.ts'
import {
  bashMaxBytes,
  bashMaxLines,
  limitsPath,
  linesAround,
  personStep,
  readMaxLines,
  thoughts,
  withFiveThousand,
  writeTest,
} from './task.ts'

export const ryeSteps: readonly SessionStep[] = [
  call({
    id: 'find',
    thought: thoughts.find,
    tool: 'grep',
    args: () => ({ pattern: '\\b(read|bash)MaxLines: \\d', path: 'src/core', include: '*.ts' }),
  }),
  call({
    id: 'read',
    thought: 'Read the lines around them. Each comes with an ID that names it.',
    tool: 'read',
    args: seen => ({ file_path: limitsPath, ...linesAround(seenText(seen, 'find'), 'grep') }),
  }),
  call({
    id: 'edit-read',
    thought: 'Change the limit of read by the ID of its line. The answer is a diff, and the IDs are used up.',
    tool: 'edit_lines',
    args: seen => lineEdit(seen, 'read', readMaxLines),
  }),
  call({
    id: 'check',
    thought: 'Read it once more: the file has the change, and the lines have IDs again.',
    tool: 'read',
    args: seen => ({ file_path: limitsPath, ...linesAround(seenText(seen, 'find'), 'grep') }),
  }),
  personStep,
  refusedCall({
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
  }),
  call({
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read',
    args: seen => ({ file_path: limitsPath, offset: rowOf(seenText(seen, 'find'), 'grep', bashMaxLines).lineNumber, limit: 2 }),
  }),
  call({
    id: 'edit-bash',
    thought: thoughts.onlyMeant,
    tool: 'edit_lines',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
  }),
  call({
    id: 'tests',
    thought: thoughts.tests,
    tool: 'glob',
    args: () => ({ pattern: '*.test.ts', path: 'src/core' }),
  }),
  writeTest('write', 'file_path'),
  call({
    id: 'verify',
    thought: thoughts.verify,
    tool: 'grep',
    args: () => ({ pattern: '(Max(Lines|Bytes): \\d)|toBe\\(', path: 'src/core', include: '*limits*.ts' }),
  }),
]

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const { name, text } = rowOf(seenText(seen, id), 'line-id', pattern)
  return { file_path: limitsPath, changes: [{ line_id: name, new_content: withFiveThousand(text) }] }
}
