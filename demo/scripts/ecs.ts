// The task with `ecs`: a line is named by its number and a tag of its text, so a changed line is no longer found under its old name.

import { checkInShell, findInShell, listTestsInShell, verifyInShell } from './in-shell.ts'
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

export const ecsSteps: readonly SessionStep[] = [
  findInShell,
  call({
    id: 'read',
    thought: 'Read the lines around them. Each comes with its number and a tag of its text.',
    tool: 'read_file',
    args: seen => ({ path: limitsPath, ...linesAround(seenText(seen, 'find'), 'grep') }),
  }),
  call({
    id: 'edit-read',
    thought: 'Change the limit of read, at the number and tag just seen.',
    tool: 'edit_file',
    args: seen => lineEdit(seen, 'read', readMaxLines),
  }),
  checkInShell,
  personStep,
  refusedCall({
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
  }),
  call({
    id: 'read-again',
    thought: thoughts.again,
    tool: 'read_file',
    args: seen => {
      const { lineNumber } = rowOf(seenText(seen, 'read'), 'line-tag', bashMaxLines)
      return { path: limitsPath, offset: lineNumber, limit: 2 }
    },
  }),
  call({
    id: 'edit-bash',
    thought: thoughts.onlyMeant,
    tool: 'edit_file',
    args: seen => lineEdit(seen, 'read-again', bashMaxLines),
  }),
  listTestsInShell,
  writeTest('write_file'),
  verifyInShell,
]

function lineEdit(seen: SeenResults, id: string, pattern: RegExp): Record<string, unknown> {
  const { name, text } = rowOf(seenText(seen, id), 'line-tag', pattern)
  return { file_path: limitsPath, edits_json: [{ op: 'replace', pos: name, lines: [withFiveThousand(text)] }] }
}
